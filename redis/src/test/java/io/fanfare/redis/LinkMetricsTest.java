package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.LinkMetrics.Loss;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FaultyProxy;
import io.fanfare.redis.testing.Suspension;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Metrics of the links to Redis: how long answers take, which connections are lost, and why. */
class LinkMetricsTest {
    private static final Vertx vertx = Vertx.vertx();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @AfterAll
    static void closeVertx() {
        await(vertx.close());
    }

    @Test
    void eachAnswerThatNothingWaitsBehindIsTimedAndOfACrowdAFew() {
        RedisLink link = open(TestRedis.standalone().options());
        long atFirst = timed();
        for (int i = 0; i < 50; i++) {
            long unused = await(link.send(Command.of("INCR", "a"))).asLong();
        }
        assertThat(timed() - atFirst).isEqualTo(50);

        await(link.pipeline(Collections.nCopies(1600, Command.of("INCR", "a"))));
        assertThat(timed() - atFirst - 50).isBetween(100L, 200L);
        await(link.close());
    }

    @Test
    void anAnswerThatIsLateIsSeenInTheTimesAndACommandThatBlocksIsNot() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            RedisLink link = open(redis.options());
            long atFirst = timed();
            assertThat(await(link.block(Command.of("BLPOP", "nothing", "0.3"), 300))
                            .isNil())
                    .isTrue();
            assertThat(timed()).isEqualTo(atFirst);

            TestRedis.ask(redis.server(), "CLIENT", "PAUSE", "120", "ALL");
            assertThat(await(link.send(Command.of("GET", "a"))).isNil()).isTrue();
            assertThat(registry.get("fanfare.redis.round.trips").timer().max(TimeUnit.MILLISECONDS))
                    .isGreaterThan(100);
            await(link.close());
        }
    }

    @Test
    void aServerThatIsKilledIsAwayUntilEveryConnectionStandsAgain() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.ALWAYS)) {
            RedisLink link = open(redis.options());
            RecordingListener listener = new RecordingListener();
            RedisLink.Subscription subscription = link.subscribe(RedisLink.Channels.sharded("news"), "news", listener);
            awaitUntil("subscribed", () -> listener.has("subscribed"));
            assertThat(away()).isZero();

            redis.server().kill();
            awaitUntil("both are away", () -> away() == 2);
            assertThat(reconnects()).as("not yet").isZero();

            redis.restart(redis.server());
            awaitUntil("both are back", () -> away() == 0);
            assertThat(reconnects(Loss.CLOSED)).isEqualTo(2);
            assertThat(reconnects()).isEqualTo(2);
            await(subscription.close());
            await(link.close());
        }
    }

    @Test
    void aServerThatHangsIsCountedApartFromOneThatGoes() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            RedisLink link = open(redis.options(Duration.ofMillis(300), 1000));
            Suspension.begin(redis.server().handle());
            assertThatThrownBy(() -> await(link.send(Command.of("GET", "a")))).isInstanceOf(RedisError.class);
            awaitUntil("away", () -> away() == 1);
            Suspension.end(redis.server().handle());
            awaitUntil("back", () -> reconnects(Loss.TIMEOUT) == 1);
            assertThat(reconnects()).isEqualTo(1);
            await(link.close());
        }
    }

    @Test
    void aMasterThatHasBecomeAReplicaIsAReasonOfItsOwn() {
        try (TestRedis old = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis next = TestRedis.freshStandalone(AppendSync.OFF);
                FaultyProxy name = new FaultyProxy(old)) {
            RedisLink link = open(name.options());
            old.askAt("a", "REPLICAOF", "127.0.0.1", "1");
            assertThatThrownBy(() -> await(link.send(Command.of("SET", "a", "1"))))
                    .isInstanceOf(RedisError.class);
            name.leadTo(next);
            awaitUntil("found", () -> reconnects(Loss.REPLICA) == 1);
            assertThat(reconnects()).isEqualTo(1);
            await(link.close());
        }
    }

    @Test
    void aSubscriptionThatIsRenewedAfterSilenceIsCountedApart() {
        RedisLink link = open(TestRedis.standalone().options());
        RecordingListener listener = new RecordingListener();
        RedisLink.Subscription subscription = link.subscribe(RedisLink.Channels.sharded("news"), "news", listener);
        awaitUntil("subscribed", () -> listener.has("subscribed"));
        subscription.renew("nothing is received");
        awaitUntil("again", () -> reconnects(Loss.SILENT) == 1);
        await(subscription.close());
        await(link.close());
    }

    @Test
    void aLinkThatIsClosedWhileItsServerIsAwayIsNotAwayAnyMore() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            RedisLink link = open(redis.options());
            RecordingListener listener = new RecordingListener();
            RedisLink.Subscription unused = link.subscribe(RedisLink.Channels.sharded("news"), "news", listener);
            awaitUntil("subscribed", () -> listener.has("subscribed"));
            redis.server().kill();
            awaitUntil("both are away", () -> away() == 2);
            await(link.close());
            assertThat(away()).isZero();
            assertThat(reconnects()).isZero();
        }
    }

    @Test
    void linksOfOneNameCountTogether() {
        RedisLink one = open(TestRedis.standalone().options());
        RedisLink other = open(TestRedis.standalone().options());
        long atFirst = timed();
        await(one.send(Command.of("GET", "a")));
        await(other.send(Command.of("GET", "a")));
        assertThat(timed() - atFirst).isEqualTo(2);
        await(one.close());
        await(other.close());
    }

    private RedisLink open(RedisOptions options) {
        return await(RedisLink.open(vertx, options, new LinkMetrics(registry, "test")));
    }

    private long timed() {
        return registry.get("fanfare.redis.round.trips").timer().count();
    }

    private int away() {
        return registry.get("fanfare.redis.away").longTaskTimer().activeTasks();
    }

    private double reconnects(Loss why) {
        return registry.get("fanfare.redis.reconnects")
                .tag("reason", why.name().toLowerCase(Locale.ROOT))
                .counter()
                .count();
    }

    private double reconnects() {
        return registry.get("fanfare.redis.reconnects").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }
}

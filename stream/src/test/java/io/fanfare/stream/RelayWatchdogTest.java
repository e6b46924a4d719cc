package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.testing.FaultyProxy;
import io.fanfare.redis.testing.SlotMove;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.Suspension;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A relay that is cut off without a sign is noticed, reported and reconnected, and no client misses anything. */
class RelayWatchdogTest {
    private static final String[] SHORT = {"stream.lag-max=600ms", "redis.command-timeout=1s"};

    private long last;

    @Test
    void aSubscriptionThatIsDeafButAnswersIsGivenUpForANewOne() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (FaultyProxy proxy = new FaultyProxy(redis);
                StreamServer server = through(proxy, redis)) {
            SseClient client = server.listening();
            append(server, 5);
            awaitUntil("five", () -> client.messages("status").size() == 5);
            awaitUntil("no trouble", () -> server.monitor.trouble().isEmpty());
            long subscriptions = subscriptions(redis);

            Stopwatch muffled = Stopwatch.start();
            proxy.muffle();
            append(server, 5);
            awaitUntil("told", () -> server.monitor.trouble().isPresent());
            assertThat(muffled.elapsed()).isLessThan(Duration.ofSeconds(3));
            assertThat(server.monitor.trouble().orElseThrow()).contains("stream.lag-max");
            awaitUntil("mended", () -> server.monitor.trouble().isEmpty());

            append(server, 5);
            hasAll(client);
            awaitUntil("one subscription", () -> subscriptions(redis) == subscriptions);
        }
    }

    @Test
    void aServerInABlackHoleIsReportedAndMissedEventsAreRead() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (FaultyProxy proxy = new FaultyProxy(redis);
                StreamServer server = through(proxy, redis)) {
            SseClient client = server.listening();
            append(server, 5);
            proxy.stall();
            append(server, 50);
            awaitUntil("told", () -> server.monitor.trouble().isPresent());
            proxy.heal();
            hasAll(client);
            awaitUntil("mended", () -> server.monitor.trouble().isEmpty());
        }
    }

    @Test
    void aRedisThatStandsStillIsReportedUntilItGoesOn() {
        standsStill(TestRedis.freshStandalone(RedisProcess.AppendSync.OFF));
    }

    @Test
    void soIsAClusterThatStandsStill() {
        standsStill(TestRedis.freshCluster(RedisProcess.AppendSync.OFF));
    }

    @Test
    void aStreamMissesNothingWhileTheSlotOfTheLogMoves() {
        try (TestRedis redis = TestRedis.freshCluster(RedisProcess.AppendSync.OFF);
                StreamServer server = StreamServer.start(redis, SHORT)) {
            SseClient client = server.listening();
            for (int move = 0; move < 3; move++) {
                append(server, 20);
                SlotMove.begin(redis, Keys.BUS_SEQ).finish();
                append(server, 20);
            }
            hasAll(client);
            awaitUntil("no trouble", () -> server.monitor.trouble().isEmpty());
        }
    }

    private void standsStill(TestRedis fresh) {
        try (TestRedis redis = fresh;
                StreamServer server = StreamServer.start(redis, SHORT)) {
            SseClient client = server.listening();
            append(server, 5);
            redis.servers().forEach(each -> Suspension.begin(each.handle()));
            awaitUntil("told", () -> server.monitor.trouble().isPresent());
            redis.servers().forEach(each -> Suspension.end(each.handle()));
            awaitUntil("mended", () -> server.monitor.trouble().isEmpty());
            append(server, 5);
            hasAll(client);
        }
    }

    /** Slow is not deaf: giving the connection up would help nobody. */
    @Test
    void aSlowConnectionIsReportedAndKept() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (FaultyProxy proxy = new FaultyProxy(redis);
                StreamServer server = through(proxy, redis, "stream.lag-max=1s")) {
            SseClient client = server.listening();
            String listener = listener(redis);
            assertThat(listener).isNotEmpty();
            proxy.delay(Duration.ofMillis(750));
            awaitUntil("told", () -> server.monitor.trouble().isPresent());
            proxy.heal();
            awaitUntil("mended", () -> server.monitor.trouble().isEmpty());
            append(server, 5);
            hasAll(client);
            assertThat(listener(redis)).isEqualTo(listener);
        }
    }

    private static StreamServer through(FaultyProxy proxy, TestRedis redis, String... more) {
        String url = "redis.url=" + proxy.options().url().reveal();
        String lag = more.length == 0 ? SHORT[0] : more[0];
        return StreamServer.start(redis, lag, url);
    }

    private void append(StreamServer server, int events) {
        for (int i = 0; i < events; i++) {
            last = server.append(server.status(i));
        }
    }

    private void hasAll(SseClient client) {
        awaitUntil("all", () -> client.lastEventId().endsWith("-" + last));
        assertThat(client.messages("status").stream().map(FirehoseTest::seq))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, last).boxed().toList());
        assertThat(client.messages("gap")).isEmpty();
        assertThat(client.ended()).isFalse();
    }

    private static long subscriptions(TestRedis redis) {
        return listener(redis).lines().count();
    }

    /** The addresses of the connections that are subscribed. */
    private static String listener(TestRedis redis) {
        return TestRedis.ask(redis.server(), "CLIENT", "LIST", "TYPE", "pubsub")
                .asString()
                .replaceAll("(?m)^id=\\d+ (addr=\\S+).*$", "$1");
    }
}

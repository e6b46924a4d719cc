package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.app.migrate.RaiseRun;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Meta;
import io.fanfare.common.store.ShardRaise;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FaultyProxy;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code fanfare migrate --shards} while answers of Redis are lost: the mark does not stay unseen. */
@Timeout(120)
class RaiseFaultsTest {
    private static final Vertx vertx = Vertx.vertx();
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
    private static final int FEW = TestSettings.SHARDS;
    private static final int MANY = 64;

    /** The steps of a run that name its mark, in their order. */
    private static final int BEGIN = 1;

    private static final int COMPLETE = 2;

    private final List<String> progress = new CopyOnWriteArrayList<>();
    private TestRedis redis;
    private FaultyProxy proxy;

    @BeforeEach
    void join() {
        redis = TestRedis.freshStandalone(AppendSync.OFF);
        RedisLink link = redis.link(vertx);
        assertThat(await(new Meta(link, new SecureRandom()).join(FEW)).count()).isEqualTo(FEW);
        // From here on the server has both scripts, so that each step is one command.
        ShardRaise raise = new ShardRaise(link);
        ShardRaise.Mark mark = new ShardRaise.Mark("0123456789abcdef", 1, MANY);
        assertThat(await(raise.begin(mark))).isTrue();
        assertThat(await(raise.giveUp(mark))).isTrue();
        await(link.close());
        proxy = new FaultyProxy(redis);
        proxy.counting(command -> command.stream().anyMatch(RaiseFaultsTest::isMark));
    }

    private static boolean isMark(Reply argument) {
        return argument.asString().matches("[0-9a-f]{16} \\d+ " + MANY);
    }

    @AfterEach
    void close() {
        proxy.close();
        redis.close();
    }

    @AfterAll
    static void closeVertx() {
        await(vertx.close());
    }

    @Test
    void aMarkWhoseAnswerIsLostIsRemoved() {
        proxy.swallowReply(BEGIN);
        assertThatThrownBy(this::raise)
                .isInstanceOf(StartFailed.class)
                .hasMessageStartingWith("the number of shards is the former one, and writes go on: ");
        assertThat(proxy.hasStruck()).isTrue();
        assertThat(mark()).isNull();
        assertThat(shards()).isEqualTo(FEW);
    }

    @Tag("programs")
    @Test
    void aLastStepThatIsNotExecutedLeavesTheFormerNumberAndNoMark() {
        proxy.cutBefore(COMPLETE);
        assertThatThrownBy(this::raise)
                .isInstanceOf(StartFailed.class)
                .hasMessageStartingWith("the number of shards is the former one, and writes go on: ");
        assertThat(proxy.hasStruck()).isTrue();
        assertThat(mark()).isNull();
        assertThat(shards()).isEqualTo(FEW);
        assertThat(progress)
                .as("a pause of two seconds, three time-outs, and one second")
                .anyMatch(line -> line.contains("waiting 6 s"));
    }

    @Tag("programs")
    @Test
    void aLastStepWhoseAnswerIsLostIsReportedWithTheNewNumber() {
        proxy.swallowReply(COMPLETE);
        assertThatThrownBy(this::raise)
                .isInstanceOf(StartFailed.class)
                .hasMessageStartingWith("the data have " + MANY + " shards, and no mark of this run: ")
                .hasMessageContaining("Run the command again");
        assertThat(proxy.hasStruck()).isTrue();
        assertThat(mark()).isNull();
        assertThat(shards()).isEqualTo(MANY);
        assertThat(raise()).isEqualTo(new RaiseRun.Outcome(MANY, MANY));
    }

    @Tag("programs")
    @Test
    void aMarkThatCannotBeRemovedIsReportedWithItsCause() {
        try (RaiseRun run = run()) {
            CompletableFuture<RaiseRun.Outcome> outcome = CompletableFuture.supplyAsync(() -> run.run(MANY));
            awaitUntil("the mark", () -> progress.stream().anyMatch(line -> line.contains("is marked")));
            proxy.refuse();
            proxy.reset();

            // As a signal does.
            run.abort();
            String sentence = "the mark may stay, so that no process writes or starts (";
            assertThat(progress).last().asString().startsWith("interrupted: " + sentence);
            assertThat(outcome)
                    .failsWithin(20, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(StartFailed.class)
                    .withMessageStartingWith(sentence)
                    .withMessageContaining("run the command again")
                    .withMessageContaining("The cause was: ");
        }
        assertThat(mark()).isNotNull();

        proxy.heal();
        assertThat(raise()).isEqualTo(new RaiseRun.Outcome(FEW, MANY));
        assertThat(mark()).isNull();
    }

    @Tag("programs")
    @Test
    void aFullServerDoesNotKeepTheMark() {
        try (RaiseRun run = run()) {
            CompletableFuture<RaiseRun.Outcome> outcome = CompletableFuture.supplyAsync(() -> run.run(MANY));
            awaitUntil("the mark", () -> progress.stream().anyMatch(line -> line.contains("is marked")));
            ask(redis.server(), "CONFIG", "SET", "maxmemory", "1");
            run.abort();
            assertThat(progress).last().asString().contains("the number of shards is the former one");
            assertThat(mark()).isNull();
            assertThat(outcome)
                    .failsWithin(20, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withMessageContaining("this run was interrupted");
        }
    }

    private RaiseRun.Outcome raise() {
        try (RaiseRun run = run()) {
            return run.run(MANY);
        }
    }

    private RaiseRun run() {
        return new RaiseRun(proxy.options(COMMAND_TIMEOUT), InstantSource.system(), progress::add);
    }

    private String mark() {
        return redis.askAt(Keys.META, "HGET", Keys.META, ShardRaise.MARK).asString();
    }

    private int shards() {
        return Integer.parseInt(
                redis.askAt(Keys.META, "HGET", Keys.META, "shards").asString());
    }
}

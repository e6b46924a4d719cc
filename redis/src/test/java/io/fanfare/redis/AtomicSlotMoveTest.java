package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.SlotMove;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Slots that the servers move as a whole, which takes a Valkey of at least 9 on the PATH. */
@Tag("faults")
class AtomicSlotMoveTest {
    private static final String TAG = "{moving}";
    private static final int KEYS = 200;
    private static final int MOVES = 6;

    private Vertx vertx;
    private TestRedis redis;
    private RedisLink link;

    @BeforeEach
    void open() {
        vertx = Vertx.vertx();
        redis = TestRedis.freshCluster(AppendSync.OFF);
        link = redis.link(vertx);
        assumeThat(SlotMove.isAtomicOn(redis))
                .as("a server that moves slots as a whole")
                .isTrue();
    }

    @AfterEach
    void close() {
        await(vertx.close());
        redis.close();
    }

    @Test
    void scriptsWithSeveralKeysRunOnceEachWhileTheirSlotMoves() {
        Script both = Script.load("test_write")
                .with(
                        "local key, text = KEYS[1], ARGV[1]",
                        "redis.call('INCR', KEYS[1]) do return redis.call('INCR', KEYS[2]) end "
                                + "local key, text = '', ''");
        Command command = both.call(List.of(TAG + "a", TAG + "b"), "1");
        AtomicBoolean stop = new AtomicBoolean();
        List<Reply> replies = new ArrayList<>();
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            while (!stop.get()) {
                replies.addAll(await(link.pipeline(List.of(command, command, command))));
            }
        });
        for (int move = 0; move < MOVES; move++) {
            SlotMove.atomically(redis, TAG);
        }
        stop.set(true);
        load.join();

        assertThat(replies).hasSizeGreaterThan(MOVES).noneMatch(Reply::isFailure);
        for (String key : List.of("a", "b")) {
            assertThat(await(link.send(Command.of("GET", TAG + key))).asLong()).isEqualTo(replies.size());
        }
    }

    @Test
    void cachedRepliesOfASlotThatMovesAreReadAgainAtItsNewNode() {
        RedisLink tracking = await(RedisLink.openTracking(vertx, redis.options()));
        for (int round = 1; round <= MOVES; round++) {
            setAll(2 * round);
            assertThat(read(tracking)).containsOnly(2L * round);
            assertThat(read(tracking)).containsOnly(2L * round);
            SlotMove.atomically(redis, TAG);
            setAll(2 * round + 1);
            assertThat(read(tracking)).containsOnly(2L * round + 1);
        }
    }

    private void setAll(int value) {
        List<Reply> replies = await(link.pipeline(IntStream.range(0, KEYS)
                .mapToObj(i -> Command.of("SET", TAG + i, value))
                .toList()));
        assertThat(replies).noneMatch(Reply::isFailure);
    }

    private static List<Long> read(RedisLink tracking) {
        List<Command> reads = IntStream.range(0, KEYS)
                .mapToObj(i -> Command.tracked("GET", TAG + i))
                .toList();
        return await(tracking.pipeline(reads)).stream().map(Reply::asLong).toList();
    }
}

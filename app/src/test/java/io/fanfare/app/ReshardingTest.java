package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.SlotMove;
import io.fanfare.redis.testing.TestRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every shard, and the slots that all shards share, go to another master while people post, delete, follow and
 * unfollow. Nothing is lost. Key by key, as {@code redis-cli --cluster reshard} does it, the users of the shard that
 * moves wait for the end of its move, and nobody else waits for a second. Moved as a whole, which takes a Valkey of at
 * least 9 on the PATH, nobody does: {@code mvn verify -Pfaults -pl app -am -Dtest=ReshardingTest}.
 */
@Tag("faults")
class ReshardingTest {
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());
    private static final int USERS = 60;

    /** About 360 requests a second together, of which 6 in 11 are posts: 200. */
    private static final int PAUSE_MILLIS = 165;

    /** How long a shard stays half moved, since it has few keys in a test. */
    private static final int HALF_MOVED_MILLIS = 2_000;

    private static final int BETWEEN_MILLIS = 1_000;

    private static final Duration WAIT_MAX = Duration.ofSeconds(1);

    /** The longest wait of a request after a move, until the link asks for the slot again. */
    private static final Duration AFTER_MOVE = Duration.ofSeconds(1);

    @TempDir
    Path dir;

    private final Random random = new Random(SEED);

    /**
     * The move of one slot.
     *
     * @param key one of it
     * @param begun by {@code System.nanoTime}
     * @param ended likewise
     */
    private record Move(String key, long begun, long ended) {
        boolean concerns(SocialUser.Wait wait) {
            return wait.begun() < ended + AFTER_MOVE.toNanos()
                    && wait.done() > begun
                    && wait.accounts().stream()
                            .anyMatch(id -> keyOf(Id.shard(Long.parseLong(id))).equals(key));
        }
    }

    @Test
    void aShardThatMovesKeyByKeyIsInMaintenanceAndNobodyElse() throws Exception {
        try (TestRedis redis = TestRedis.freshCluster(AppendSync.EVERYSEC)) {
            List<SocialUser.Wait> unused = move(redis, key -> {
                SlotMove move = SlotMove.begin(redis, key);
                List<String> keys = move.keysLeft();
                keys.subList(0, keys.size() / 2).forEach(move::migrate);
                sleep(HALF_MOVED_MILLIS);
                move.finish();
            });
        }
    }

    @Test
    void aShardThatMovesAsAWholeIsServedAllTheTime() throws Exception {
        try (TestRedis redis = TestRedis.freshCluster(AppendSync.EVERYSEC)) {
            assumeThat(SlotMove.isAtomicOn(redis))
                    .as("a server that moves slots as a whole")
                    .isTrue();
            List<SocialUser.Wait> waits = move(redis, key -> SlotMove.atomically(redis, key));
            assertThat(waits).as("seed %d", SEED).allMatch(wait -> wait.millis() <= WAIT_MAX.toMillis());
        }
    }

    /** All who had to wait. */
    private List<SocialUser.Wait> move(TestRedis redis, Consumer<String> mover) throws Exception {
        System.out.println("seed " + SEED);
        try (SplitDeployment deployment = new SplitDeployment(dir, TestSettings.redis(redis.options()))) {
            for (String role : List.of("api", "api", "worker", "worker", "stream")) {
                deployment.start(role);
            }
            Client listener = Client.signUp(deployment.url(), "listener");
            try (FirehoseLog firehose = FirehoseLog.begin(dir, deployment.url(), listener)) {
                List<SocialUser> users = SocialUser.begin(USERS, deployment.url(), random, PAUSE_MILLIS);
                long begun = System.nanoTime();
                List<Move> moves = new ArrayList<>();
                for (String key : keys()) {
                    sleep(BETWEEN_MILLIS);
                    long from = System.nanoTime();
                    mover.accept(key);
                    moves.add(new Move(key, from, System.nanoTime()));
                }
                sleep(BETWEEN_MILLIS);
                SocialUser.end(users);
                double seconds = (System.nanoTime() - begun) / 1e9;
                System.out.printf(
                        "%d slots moved in %.0f s, acknowledged %s%n",
                        moves.size(), seconds, SocialUser.acknowledged(users));
                deployment.print(" ERROR ");
                deployment.awaitIdleQueue();
                List<SocialUser.Wait> waits = SocialUser.waits(users);
                Map<Boolean, List<SocialUser.Wait>> byMove = waits.stream()
                        .collect(Collectors.partitioningBy(
                                wait -> moves.stream().anyMatch(move -> move.concerns(wait))));
                print("of the shard that moved", byMove.get(true));
                print("of the others", byMove.get(false));
                assertThat(SocialUser.difference(users)).as("seed %d", SEED).isEqualTo(SocialUser.Difference.NONE);
                System.out.println(deployment.run("admin", "verify"));
                SocialUser.assertThatHomesAreExact(users);
                firehose.assertThatNothingIsMissingSilently(SocialUser.posts(users));
                assertThat(byMove.get(false))
                        .as("seed %d", SEED)
                        .allMatch(wait -> wait.millis() <= WAIT_MAX.toMillis());
                return waits;
            }
        }
    }

    /** One of each slot that moves. */
    private static List<String> keys() {
        return Stream.concat(
                        IntStream.range(0, TestSettings.SHARDS).mapToObj(ReshardingTest::keyOf),
                        Stream.of(Keys.BUS_SEQ, Keys.PUBLIC, Keys.WAKE, Keys.REVOKED, Keys.META))
                .toList();
    }

    private static String keyOf(int shard) {
        return Keys.leases(shard);
    }

    private static void print(String whose, List<SocialUser.Wait> waits) {
        List<Long> millis = waits.stream().map(SocialUser.Wait::millis).sorted().toList();
        System.out.printf(
                "requests %s that were refused at first: %d, answered after at most %s ms%n",
                whose, millis.size(), millis.isEmpty() ? "-" : millis.get(millis.size() - 1));
    }

    /** The rate of the moves and their length are the input, not a wait for something. */
    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

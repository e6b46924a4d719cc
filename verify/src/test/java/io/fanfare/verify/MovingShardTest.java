package io.fanfare.verify;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Post;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.core.queue.Batch;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.Outcome;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.SlotMove;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.Verification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pages of users while the slot of a shard moves to another server, key by key. */
class MovingShardTest {
    /** The time-out of the link, for which everything waited that met a moving slot, is a quarter of a minute. */
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private TestRedis redis;
    private StoreFixture f;
    private JobQueue queue;

    /** In the shard that moves. */
    private long ann;

    /** On another server. */
    private long bob;

    @BeforeEach
    void start() {
        redis = TestRedis.freshCluster(AppendSync.OFF);
        f = StoreFixture.on(redis);
        queue = new JobQueue(f.link, new Shards(f.settings.redis().shards()), f.settings.queue());
        long[] users = f.users(30);
        ann = users[0];
        bob = Arrays.stream(users)
                .filter(user -> redis.serverOf(Keys.home(user)) != redis.serverOf(Keys.home(ann)))
                .findFirst()
                .orElseThrow();
        f.follow(ann, bob);
        f.follow(bob, ann);
        f.home(ann, 1);
        f.home(bob, 1);
    }

    @AfterEach
    void close() {
        f.close();
        redis.close();
    }

    @Test
    void itsUsersAreAnsweredAtOnceAndThoseOfOtherShardsAsEver() {
        long early = f.post(ann);
        f.fanOut(ann, early);
        SlotMove move = SlotMove.begin(redis, Keys.home(ann));
        List<String> keys = move.keysLeft();
        keys.subList(0, keys.size() / 2).forEach(move::migrate);

        assertMoves(() -> f.home(ann, 3));
        Stopwatch stopwatch = Stopwatch.start();
        for (int i = 0; i < 10; i++) {
            assertMoves(() -> f.home(ann, 3));
            assertMoves(() -> f.post(ann));
            assertMoves(() -> fetch(ann, "b1"));
            assertThat(f.home(bob, 1)).isNotEmpty();
            f.fanOut(bob, f.post(bob));
            settle(fetch(bob, "b" + i));
        }
        assertThat(stopwatch.elapsed()).as("ten rounds").isLessThan(AT_ONCE);
        assertThat(f.home(bob, 20)).as("of the shard that moves, too").contains(early);

        move.finish();
        awaitUntil("its home is there", () -> succeeds(() -> f.home(ann, 3)));
        long late = f.post(ann);
        f.fanOut(ann, late);
        assertThat(f.walkDown(ann, 4)).contains(late, early).hasSize(12);
        assertThat(f.walkDown(bob, 4)).hasSize(12);
        settle(fetch(ann, "b2"));
        Verification.assertClean(f.get(() -> Verification.of(f.link, f.settings)));
    }

    /** Each key goes by itself, in random order, and after each everything is tried. */
    @Test
    void whereverTheMoveStandsEachRequestIsDoneOrNot() {
        long seed = new Random().nextLong();
        System.out.println("seed of the move: " + seed);
        Random random = new Random(seed);
        List<Long> posted = new ArrayList<>(List.of(f.post(ann), f.post(ann)));
        posted.forEach(id -> f.fanOut(ann, id));
        SlotMove move = SlotMove.begin(redis, Keys.home(ann));
        int refused = 0;
        String refusedKey = null;
        List<String> keys = new ArrayList<>(move.keysLeft());
        Collections.shuffle(keys, random);
        for (String key : keys) {
            move.migrate(key);
            String idempotency = "key-" + random.nextInt(3);
            List<Supplier<Object>> requests = new ArrayList<>(List.of(
                    () -> f.home(ann, 4),
                    () -> posted.add(postWith(ann, idempotency)),
                    () -> f.follow(ann, bob),
                    () -> f.get(() -> f.stores.follows().unfollow(ann, bob)),
                    () -> fetch(ann, "b1")));
            Collections.shuffle(requests, random);
            for (Supplier<Object> request : requests) {
                if (!succeeds(request)) {
                    refused++;
                    refusedKey = idempotency;
                }
            }
        }
        assertThat(refused).isPositive();
        move.finish();
        awaitUntil("its home is there", () -> succeeds(() -> f.home(ann, 4)));
        // Repeated, it is one post, whatever became of the first.
        long repeated = postWith(ann, refusedKey);
        assertThat(postWith(ann, refusedKey)).isEqualTo(repeated);
        posted.add(repeated);
        f.follow(ann, bob);
        assertThat(f.walkDown(ann, 4)).doesNotHaveDuplicates().containsAll(posted);
        for (Batch batch = fetch(ann, "b1"); !batch.isEmpty(); batch = fetch(ann, "b" + random.nextLong())) {
            settle(batch);
        }
    }

    private long postWith(long author, String idempotencyKey) {
        return f.get(() -> f.stores
                        .statuses()
                        .post(Post.of(author, "hello"), IdempotentRequest.of(idempotencyKey, "hello")))
                .status()
                .id();
    }

    private Batch fetch(long owner, String name) {
        return f.get(() -> queue.fetch(Id.shard(owner), name, 8, false));
    }

    private void settle(Batch batch) {
        if (!batch.isEmpty()) {
            assertThat(f.get(() ->
                            queue.settle(batch, Collections.nCopies(batch.jobs().size(), Outcome.DONE))))
                    .isEqualTo(JobQueue.Settlement.DONE);
        }
    }

    private static void assertMoves(Supplier<Object> request) {
        assertThatThrownBy(request::get).isInstanceOfSatisfying(RedisError.class, error -> assertThat(error.isOfMove())
                .isTrue());
    }

    /** Any other failure is one of the test. */
    private static boolean succeeds(Supplier<Object> request) {
        try {
            Object unused = request.get();
            return true;
        } catch (RedisError e) {
            assertThat(e.isOfMove()).as(e.getMessage()).isTrue();
            return false;
        }
    }
}

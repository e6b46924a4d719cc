package io.fanfare.core.posting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.PostOptions;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.LoopStores;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.held.Signals;
import io.fanfare.core.post.Announcer;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands that the review of a post costs. */
class PostReviewTest {
    private StoreFixture f;
    private long ann;
    private final AtomicLong commands = new AtomicLong();

    @BeforeEach
    void open() {
        f = StoreFixture.on(TestRedis.standalone());
        ann = f.users(1)[0];
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Posting posting(InstantSource clock, boolean reviewed, String... assignments) {
        Settings settings = StoreFixture.settings(assignments);
        Shards shards = new Shards(settings.redis().shards());
        LoopStores stores =
                LoopStores.of(LoopStores.Parts.uncached(new Counting(), settings, shards, clock, new Random(1)));
        PostReview review = new PostReview();
        if (reviewed) {
            byte[] key = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
            review.use(new Signals(stores, SigningKeys.of(key)), new HeldStatuses(stores));
        }
        PostGate gate = new PostGate() {
            @Override
            public void checkRoom(long author) {}

            @Override
            public Future<Void> count(Post post) {
                return Future.succeededFuture();
            }

            @Override
            public PostReview review() {
                return review;
            }
        };
        return new Posting(
                stores, new Announcer(stores.events(), new JobQueue(f.link, shards, settings.queue())), gate);
    }

    private void publish(Posting posting, String text) {
        PostWords words = new PostWords(text, "", null, PostOptions.UNCHOSEN);
        f.get(() -> posting.publish(new NewPost(ann, words, NewPost.Plain.quoting(0), null, null)));
    }

    /** The fewest commands of a post: the first one reads what is remembered from then on. */
    private long commands(Posting posting) {
        return IntStream.range(0, 8)
                .mapToLong(i -> {
                    commands.set(0);
                    publish(posting, "see https://other.example/" + i);
                    return commands.get();
                })
                .min()
                .orElseThrow();
    }

    /** Counts the commands of stores. */
    private final class Counting implements Redis {
        @Override
        public Future<Reply> send(Command command) {
            commands.incrementAndGet();
            return f.link.send(command);
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> all) {
            commands.addAndGet(all.size());
            return f.link.pipeline(all);
        }
    }

    @Test
    void aPostCostsNoCommandMoreWhileSignalsAreOffAndWhenItsAuthorIsNotYoung() {
        InstantSource later = () -> Instant.now().plus(Duration.ofDays(8));
        String[] on = {"signals.links=limit", "signals.mentions=limit", "signals.same-text=limit"};
        long without = commands(posting(later, /* reviewed= */ false));
        assertThat(commands(posting(later, /* reviewed= */ true))).isEqualTo(without);
        assertThat(commands(posting(later, /* reviewed= */ true, on)))
                .as("the account is older than signals.account-hours")
                .isEqualTo(without);
        assertThat(commands(posting(InstantSource.system(), /* reviewed= */ true, on)))
                .as("else this test counts nothing")
                .isGreaterThan(without);
    }

    @Test
    void aPostThatWaitsIsNotPublishedAndCountsOnce() {
        Posting posting = posting(InstantSource.system(), /* reviewed= */ true, "signals.links=hold");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> publish(posting, "see https://other.example/"))
                    .hasMessageContaining("waits for a moderator");
        }
        assertThat(f.account(ann).statusesCount()).isZero();
        assertThat(f.number(Keys.held(ann), "ZCARD", Keys.held(ann))).isEqualTo(1);
    }
}

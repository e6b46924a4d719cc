package io.fanfare.api.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Visibility;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** A pinned status lives, is its author's own, and there are never more than allowed. */
@ParameterizedClass
@KindsOfRedis
class PinsTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Pins pins;
    private long ann;
    private long bob;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        pins = new Pins(f.link, f.stores.statuses().archived(), f.stores.statuses());
        long[] users = f.users(2);
        ann = users[0];
        bob = users[1];
    }

    @AfterEach
    void close() {
        f.close();
    }

    private boolean pin(long author, long status) {
        try {
            f.get(() -> pins.pin(author, status));
            return true;
        } catch (Refusal refusal) {
            return false;
        }
    }

    private List<Long> pinned(long author) {
        return f.get(() -> pins.of(author));
    }

    @Test
    void onlyWhatIsOnesOwnAndLivesAndIsNoRepostIsPinned() {
        long post = f.post(bob);
        long gone = f.post(ann);
        f.delete(ann, gone);
        Post passedOn = new Post(
                ann, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, null, new Reference(post, bob), null);
        long repost =
                f.get(() -> f.stores.statuses().post(passedOn, null)).status().id();

        assertThatThrownBy(() -> f.get(() -> pins.pin(ann, post)))
                .hasMessage("Validation failed: Someone else's post cannot be pinned");
        assertThatThrownBy(() -> f.get(() -> pins.pin(ann, repost)))
                .hasMessage("Validation failed: A boost cannot be pinned");
        assertThatThrownBy(() -> f.get(() -> pins.pin(ann, gone))).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> f.get(() -> pins.pin(ann, gone + 1))).isInstanceOf(Refusal.class);
        assertThat(pinned(ann)).isEmpty();
    }

    @Test
    void oneMoreThanTheLimitIsRefusedUntilOneIsUnpinned() {
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i < Pins.MAX; i++) {
            posts.add(0, f.post(ann));
            assertThat(pin(ann, posts.get(0))).isTrue();
        }
        long more = f.post(ann);

        assertThatThrownBy(() -> f.get(() -> pins.pin(ann, more)))
                .hasMessageStartingWith("Validation failed: You have already pinned the maximum number of posts");
        assertThat(pin(ann, posts.get(2))).as("one that is pinned already").isTrue();
        assertThat(pinned(ann)).isEqualTo(posts);
        f.get(() -> pins.unpin(ann, posts.get(0)));
        assertThat(pin(ann, more)).isTrue();
    }

    @Test
    void pinsThatAnOlderProcessHasLeftBehindMakeRoom() {
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i < Pins.MAX; i++) {
            posts.add(0, f.post(ann));
            assertThat(pin(ann, posts.get(0))).isTrue();
        }
        long gone = posts.remove(1);
        String key = Keys.pins(ann);
        String edge = f.redis.askAt(key, "ZSCORE", key, "" + gone).asString();
        f.delete(ann, gone);
        f.redis.askAt(key, "ZADD", key, edge, "" + gone);
        long more = f.post(ann);

        assertThat(pin(ann, more)).isTrue();

        posts.add(0, more);
        assertThat(pinned(ann)).isEqualTo(posts);
        assertThat(pin(ann, f.post(ann))).isFalse();
    }

    @Test
    void pinsAreThoseOfASimpleListWhateverIsDone() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<Long> living = new ArrayList<>();
        List<Long> model = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            long picked = living.isEmpty() ? 0 : living.get(random.nextInt(living.size()));
            switch (random.nextInt(living.isEmpty() ? 1 : 5)) {
                case 0 -> living.add(f.post(ann));
                case 1, 2 -> {
                    boolean fits = model.contains(picked) || model.size() < Pins.MAX;
                    assertThat(pin(ann, picked)).as("seed %d", seed).isEqualTo(fits);
                    if (fits && !model.contains(picked)) {
                        model.add(0, picked);
                    }
                }
                case 3 -> {
                    f.get(() -> pins.unpin(ann, picked));
                    model.remove(picked);
                }
                default -> {
                    f.delete(ann, picked);
                    living.remove(picked);
                    model.remove(picked);
                }
            }
            assertThat(pinned(ann)).as("seed %d, step %d", seed, step).isEqualTo(model);
        }
        living.forEach(status -> f.delete(ann, status));
        assertThat(f.members(Keys.pins(ann))).as("seed %d", seed).isEmpty();
    }
}

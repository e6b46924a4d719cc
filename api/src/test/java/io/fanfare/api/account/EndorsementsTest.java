package io.fanfare.api.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.api.tag.FeaturedTags;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Only followees can be endorsed; featured tags are a short list without repeats. */
@ParameterizedClass
@KindsOfRedis
class EndorsementsTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Endorsements endorsements;
    private Blocks blocks;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        endorsements = new Endorsements(f.link);
        blocks = new Blocks(f.link, f.settings, f.stores.graph(), f.stores.follows());
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Set<Long> of(long account) {
        Set<Long> accounts = new HashSet<>();
        f.get(() -> endorsements.of(account, PageRequest.newest(Endorsements.MAX)))
                .items()
                .forEach(edge -> accounts.add(edge.accountId()));
        return accounts;
    }

    private boolean does(Supplier<Future<Void>> step) {
        try {
            f.get(step);
            return true;
        } catch (Refusal refusal) {
            return false;
        }
    }

    @Test
    void recommendationsAreThoseOfASimpleSetWhateverIsDone() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        long[] users = f.users(4);
        long ann = users[0];
        Set<Long> follows = new HashSet<>();
        Set<Long> model = new HashSet<>();
        Set<Long> blocked = new HashSet<>();
        for (int step = 0; step < 200; step++) {
            long other = users[1 + random.nextInt(3)]; // As many as one may block here.
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    if (does(() -> f.stores.follows().follow(ann, other).mapEmpty())) {
                        follows.add(other);
                    }
                }
                case 2 -> {
                    f.get(() -> f.stores.follows().unfollow(ann, other));
                    follows.remove(other);
                    model.remove(other);
                }
                case 3, 4 -> {
                    assertThat(does(() -> endorsements.endorse(ann, other)))
                            .as("seed %d", seed)
                            .isEqualTo(follows.contains(other));
                    if (follows.contains(other)) {
                        model.add(other);
                    }
                }
                default -> {
                    if (random.nextBoolean()) {
                        f.get(() -> endorsements.unendorse(ann, other));
                        model.remove(other);
                    } else if (blocked.remove(other)) {
                        f.get(() -> blocks.unblock(ann, other));
                    } else {
                        f.get(() -> blocks.block(ann, other));
                        blocked.add(other);
                        follows.remove(other);
                        model.remove(other);
                    }
                }
            }
            assertThat(of(ann)).as("seed %d, step %d", seed, step).isEqualTo(model);
            assertThat(f.members(Keys.endorsed(ann))).hasSize(model.size());
        }
    }

    @Test
    void anEndorsementLeftByAnOlderProcessDoesNotCount() {
        long[] users = f.users(2);
        f.get(() -> f.stores.follows().follow(users[0], users[1]));
        f.get(() -> endorsements.endorse(users[0], users[1]));
        String key = Keys.endorsed(users[0]);
        String edge = f.redis.askAt(key, "ZSCORE", key, "" + users[1]).asString();
        f.get(() -> f.stores.follows().unfollow(users[0], users[1]));
        f.redis.askAt(key, "ZADD", key, edge, "" + users[1]);

        assertThat(of(users[0])).isEmpty();
        f.get(() -> f.stores.follows().follow(users[0], users[1]));
        assertThat(of(users[0])).isEmpty();
        assertThat(f.members(key)).isEmpty();
    }

    @Test
    void featuredTagsAreThoseOfASimpleListWhateverIsDone() {
        FeaturedTags tags = new FeaturedTags(f.link, f.stores.statuses());
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        long ann = f.users(1)[0];
        Set<String> model = new LinkedHashSet<>();
        for (int step = 0; step < 200; step++) {
            String tag = "t" + random.nextInt(14);
            if (random.nextInt(3) > 0) {
                boolean fits = model.contains(tag) || model.size() < FeaturedTags.MAX;
                assertThat(does(() -> tags.feature(ann, tag).mapEmpty()))
                        .as("seed %d", seed)
                        .isEqualTo(fits);
                if (fits) {
                    model.add(tag);
                }
            } else if (random.nextBoolean()) {
                f.get(() -> tags.remove(ann, tag));
                model.remove(tag);
            } else {
                List<FeaturedTags.Featured> all = f.get(() -> tags.of(ann));
                if (!all.isEmpty()) {
                    FeaturedTags.Featured picked = all.get(random.nextInt(all.size()));
                    assertThat(f.get(() -> tags.remove(ann, picked.id()))).isTrue();
                    model.remove(picked.tag());
                }
            }
            assertThat(f.get(() -> tags.of(ann)).stream().map(FeaturedTags.Featured::tag))
                    .as("seed %d, step %d", seed, step)
                    .containsExactlyElementsOf(model);
        }
        assertThatThrownBy(() -> f.get(() -> tags.feature(4711, "x"))).isInstanceOf(Refusal.class);
    }
}

package io.fanfare.core.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which writes wait for replicas, on a master that has none. */
class AcknowledgedEndsTest {
    private Vertx vertx;
    private StoreFixture f;
    private RedisLink link;
    private Stores waiting;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        f = StoreFixture.on(TestRedis.standalone());
        link = f.get(
                () -> RedisLink.open(vertx, TestRedis.standalone().options().waiting(1, Duration.ofMillis(50))));
        waiting = Stores.on(link, f.settings, 1);
    }

    @AfterEach
    void close() {
        f.close();
        TestRedis.await(vertx.close());
    }

    @Test
    void deletesUnfollowsAndDeletionsOfAccountsAreDoneAndNotAcknowledged() {
        long[] users = f.users(2);
        long ann = users[0];
        long bob = users[1];
        assertThat(f.get(() -> waiting.follows().follow(ann, bob)).edge())
                .as("a follow does not wait")
                .isPositive();
        long post = f.post(bob);
        f.fanOut(bob, post);

        assertNotAcknowledged(() -> waiting.statuses().delete(bob, post));
        assertThat(f.home(ann, 5)).isEmpty();
        assertNotAcknowledged(() -> waiting.statuses().delete(bob, post));
        assertNotAcknowledged(() -> waiting.follows().unfollow(ann, bob));
        assertThat(f.account(ann).followingCount()).isZero();
        assertNotAcknowledged(() -> new AccountAccess(link).delete(bob));
        assertThat(f.get(() -> f.stores.accounts().find(bob))).isEmpty();
    }

    private void assertNotAcknowledged(Supplier<? extends Future<?>> request) {
        assertThatThrownBy(() -> f.get(() -> request.get().mapEmpty()))
                .isInstanceOfSatisfying(
                        RedisError.class, error -> assertThat(error.kind()).isEqualTo(RedisError.Kind.LOST));
    }
}

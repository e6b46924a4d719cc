package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.testing.Milliseconds;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** A job that tells of something runs again after so many others that its word has been pushed out. */
@ParameterizedClass
@KindsOfRedis
class RepeatedNotificationTest {
    private static final int KEPT = 5;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Notifications notifications;
    private long ann;
    private long bob;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        notifications = new Notifications(
                f.link,
                StoreFixture.settings("limits.notifications-max=" + KEPT),
                f.stores.statuses(),
                new ViewerRelationshipsReader(f.link, InstantSource.system()));
        long[] users = f.users(2);
        ann = users[0];
        bob = users[1];
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Status post() {
        // Ids of one millisecond are of one time.
        Milliseconds.awaitNext();
        return f.get(() -> f.stores.statuses().post(Post.of(bob, "hello"), null))
                .status();
    }

    private long mention(Status status) {
        return f.get(() -> notifications.addMention(ann, status));
    }

    @Test
    void aMentionIsNotifiedOnceEvenBehindManyOthers() {
        Status first = post();
        assertThat(mention(first)).isPositive();
        assertThat(mention(first)).as("again, while it is there").isPositive();
        for (int i = 0; i < KEPT; i++) {
            assertThat(mention(post())).isPositive();
        }
        assertThat(f.members(Keys.notifications(ann)))
                .hasSize(KEPT)
                .noneMatch(member -> member.endsWith(" " + first.id()));

        assertThat(mention(first)).as("again, behind the others").isZero();
        assertThat(f.members(Keys.notifications(ann)))
                .hasSize(KEPT)
                .noneMatch(member -> member.endsWith(" " + first.id()));
    }
}

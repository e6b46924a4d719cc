package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Directory.Order;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class DirectoryTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Directory directory;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        directory = new Directory(
                f.link, f.stores.accounts(), new ViewerRelationshipsReader(f.link, InstantSource.system()));
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void theNewestAccountComesFirst() {
        List<Long> users = newest(f.users(5));
        long last = f.get(() -> f.stores.accounts().signUp("last", "", "")).id();

        List<Long> all = page(Order.NEW, 0, 0, 10);
        assertThat(all).containsExactlyInAnyOrderElementsOf(joined(users, last));
        assertThat(all).isSortedAccordingTo(Collections.reverseOrder());
        assertThat(page(Order.NEW, 0, 2, 3)).isEqualTo(all.subList(2, 5));
        assertThat(page(Order.NEW, 0, 6, 3)).isEmpty();
        assertThat(page(Order.ACTIVE, 0, 0, 10)).isEmpty();
    }

    @Test
    void theLatestAuthorComesFirstEvenIfOlderPostsAreReportedLater() {
        long[] users = f.users(3);
        Status first = post(users[0]);
        Status second = post(users[1]);
        Status third = post(users[0]);
        for (Status status : List.of(third, second, first)) {
            f.get(() -> directory.posted(List.of(status)));
        }
        List<Status> newest = new ArrayList<>(List.of(second, third));
        newest.sort((a, b) -> Long.compare(b.id(), a.id()));
        assertThat(page(Order.ACTIVE, 0, 0, 10))
                .isEqualTo(newest.stream().map(Status::authorId).toList());
    }

    @Test
    void undiscoverableSuspendedAndHiddenAccountsLeaveNoGaps() {
        long[] users = f.users(230);
        List<Long> all = newest(users);
        for (long user : users) {
            if (user % 3 == 0) {
                f.redis.askAt(Keys.user(user), "HSET", Keys.user(user), "disc", "0");
                all.remove(user);
            }
        }
        long suspended = all.remove(3);
        f.get(() -> new AccountAccess(f.link).suspend(suspended));
        assertThat(page(Order.NEW, 0, 0, 230)).isEqualTo(all);
        assertThat(page(Order.NEW, 0, 100, 20)).isEqualTo(all.subList(100, 120));

        long viewer = all.get(0);
        long blocked = all.get(1);
        f.redis.askAt(Keys.blocks(viewer), "ZADD", Keys.blocks(viewer), "1", Long.toString(blocked));
        assertThat(page(Order.NEW, viewer, 0, 3)).containsExactly(viewer, all.get(2), all.get(3));
    }

    @Test
    void eachOrderKeepsTheNewest() {
        for (int id = 1; id <= Directory.MAX; id++) {
            f.redis.askAt(Keys.NEW_ACCOUNTS, "ZADD", Keys.NEW_ACCOUNTS, Integer.toString(id), Integer.toString(id));
        }
        long user = f.users(1)[0];
        assertThat(f.members(Keys.NEW_ACCOUNTS))
                .hasSize(Directory.MAX)
                .contains(Long.toString(user))
                .doesNotContain("1");
    }

    private Status post(long author) {
        return f.get(() -> f.stores.statuses().post(Post.of(author, "x"), null)).status();
    }

    private static List<Long> newest(long... users) {
        List<Long> ids = new ArrayList<>();
        for (long user : users) {
            ids.add(user);
        }
        ids.sort(Collections.reverseOrder());
        return ids;
    }

    private static List<Long> joined(List<Long> first, long other) {
        List<Long> all = new ArrayList<>(first);
        all.add(other);
        return all;
    }

    private List<Long> page(Order order, long viewer, int offset, int limit) {
        return f.get(() -> directory.page(order, viewer, offset, limit)).stream()
                .map(Account::id)
                .toList();
    }
}

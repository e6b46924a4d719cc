package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Post.Kind;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.RelationshipState;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.model.Visibility;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class ViewerRelationshipsReaderTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long[] users;
    private long viewer;
    private long followed;
    private long blocked;
    private long blocker;
    private long muted;
    private long mutedNotifying;
    private long stranger;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        users = f.users(8);
        viewer = users[0];
        followed = users[1];
        blocked = users[2];
        blocker = users[3];
        muted = users[4];
        mutedNotifying = users[5];
        stranger = users[6];
        put(Keys.following(viewer), followed);
        put(Keys.blocks(viewer), blocked);
        put(Keys.blockedBy(viewer), blocker);
        put(Keys.mutes(viewer), muted);
        put(Keys.mutes(viewer), mutedNotifying);
        put(Keys.notifyingMutes(viewer), mutedNotifying);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void oneReadReturnsAllRelationshipsOfTheViewer() {
        put(Keys.followers(viewer), muted);
        ViewerRelationships relationships = relationships(viewer);
        assertThat(users(relationships::blocks)).containsExactly(blocked);
        assertThat(users(relationships::isBlockedBy)).containsExactly(blocker);
        assertThat(users(relationships::mutes)).containsExactly(muted, mutedNotifying);
        assertThat(users(relationships::mutesNotifications)).containsExactly(muted);
        assertThat(users(relationships::shows)).containsExactly(viewer, followed, stranger, users[7]);
        assertThat(users(relationships::notifies))
                .containsExactly(viewer, followed, mutedNotifying, stranger, users[7]);
        assertThat(relationships.relation(followed)).isEqualTo(RelationshipState.FOLLOWING);
        assertThat(relationships.relation(muted)).isEqualTo(RelationshipState.FOLLOWER);
        assertThat(relationships.relation(stranger)).isEqualTo(RelationshipState.NONE);
    }

    @Test
    void anAccountThatWasNotReadIsNotTakenForAStranger() {
        ViewerRelationships relationships = f.get(
                () -> new ViewerRelationshipsReader(f.link, InstantSource.system()).of(viewer, List.of(stranger)));
        assertThatThrownBy(() -> relationships.shows(blocker)).isInstanceOf(IllegalStateException.class);
        assertThat(relationships.shows(viewer)).isTrue();
    }

    @Test
    void listsLeaveOutWhatIsBlockedOrMutedAndLinksOnlyWhoBlocksTheViewer() {
        List<Status> statuses = new ArrayList<>();
        for (long author : users) {
            statuses.add(status(author, Kind.POST, 0, Visibility.PUBLIC));
        }
        ViewerRelationships relationships =
                f.get(() -> new ViewerRelationshipsReader(f.link, InstantSource.system()).over(viewer, statuses));
        assertThat(authors(statuses.stream().filter(relationships::maySee).toList()))
                .containsExactly(viewer, followed, blocked, muted, mutedNotifying, stranger, users[7]);
        assertThat(authors(f.get(
                        () -> new ViewerRelationshipsReader(f.link, InstantSource.system()).shown(viewer, statuses))))
                .containsExactly(viewer, followed, stranger, users[7]);
        assertThat(f.get(() -> new ViewerRelationshipsReader(f.link, InstantSource.system()).shown(0, statuses)))
                .hasSize(8);
    }

    @Test
    void aRepostShowsAsMuchAsItsOriginalAndAQuoteAsMuchAsItself() {
        for (long hidden : new long[] {blocked, blocker, muted}) {
            Status repost = status(followed, Kind.REPOST, hidden, Visibility.PUBLIC);
            Status quote = status(followed, Kind.POST, hidden, Visibility.PUBLIC);
            assertThat(f.get(() -> new ViewerRelationshipsReader(f.link, InstantSource.system())
                            .shown(viewer, List.of(repost, quote))))
                    .containsExactly(quote);
            assertThat(f.get(() -> f.stores.timelines().maySee(viewer, repost))).isEqualTo(hidden != blocker);
        }
    }

    @Test
    void privateStatusesAreForFollowersAndTheAuthor() {
        List<Status> statuses = new ArrayList<>();
        for (long author : users) {
            statuses.add(status(author, Kind.POST, 0, Visibility.PRIVATE));
        }
        assertThat(authors(f.get(
                        () -> new ViewerRelationshipsReader(f.link, InstantSource.system()).shown(viewer, statuses))))
                .containsExactly(viewer, followed);
        assertThat(f.get(() -> new ViewerRelationshipsReader(f.link, InstantSource.system()).shown(0, statuses)))
                .isEmpty();
    }

    @Test
    void aHomeShowsNothingOfAnAuthorWhoIsMuted() {
        f.follow(viewer, muted);
        f.follow(viewer, stranger);
        f.post(muted);
        long other = f.post(stranger);
        for (int i = 0; i < 2; i++) {
            assertThat(f.home(viewer, 5)).as("read %d", i).containsExactly(other);
            assertThat(StoreFixture.ids(f.home(viewer, PageRequest.justAbove(1, 5))))
                    .containsExactly(other);
        }
    }

    @Test
    void aHomeShowsNothingOfTheMutedWhenTheyAreTooManyToHold() {
        f.follow(viewer, muted);
        f.follow(viewer, stranger);
        f.post(muted);
        long other = f.post(stranger);
        for (int i = 0; i <= ViewerRelationshipsReader.HELD_MAX; i++) {
            put(Keys.mutes(viewer), 1L << 40 | i);
        }
        for (int i = 0; i < 2; i++) {
            assertThat(f.home(viewer, 5)).as("read %d", i).containsExactly(other);
        }
    }

    @Test
    void aProfileIsEmptyForWhomItsAuthorBlocksOnly() {
        for (long author : users) {
            f.post(author);
            assertThat(f.get(() -> f.stores.timelines().profile(author, viewer, PageRequest.newest(5)))
                            .items())
                    .hasSize(author == blocker ? 0 : 1);
        }
    }

    private void put(String key, long member) {
        f.redis.askAt(key, "ZADD", key, "" + member, "" + member);
    }

    private ViewerRelationships relationships(long who) {
        List<Long> all = new ArrayList<>();
        for (long user : users) {
            all.add(user);
        }
        return f.get(() -> new ViewerRelationshipsReader(f.link, InstantSource.system()).of(who, all));
    }

    private List<Long> users(LongPredicate which) {
        return Arrays.stream(users).filter(which).boxed().toList();
    }

    private static List<Long> authors(List<Status> statuses) {
        return statuses.stream().map(Status::authorId).toList();
    }

    private static Status status(long author, Kind kind, long originalAuthor, Visibility visibility) {
        Reference original = originalAuthor == 0 ? null : new Reference(4711, originalAuthor);
        Post post = new Post(author, visibility, kind, Content.of("hello"), null, null, original, null);
        return new Status(author + 4096, post, Counters.NONE);
    }
}

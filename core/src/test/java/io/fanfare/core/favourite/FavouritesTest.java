package io.fanfare.core.favourite;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Likes, bookmarks and the notifications that go with them: both sides agree at rest, whatever was cut or came late.
 */
@ParameterizedClass
@KindsOfRedis
class FavouritesTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Favourites favourites;
    private Notifications notifications;
    private long[] users;
    private long author;
    private long ann;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        ViewerRelationshipsReader viewerRelationships = new ViewerRelationshipsReader(f.link, InstantSource.system());
        favourites = new Favourites(
                f.link,
                f.settings,
                f.stores.statuses(),
                viewerRelationships,
                new SubjectEdges(f.link, f.settings),
                (account, notification) -> Future.succeededFuture());
        notifications = new Notifications(f.link, f.settings, f.stores.statuses(), viewerRelationships);
        users = f.users(6);
        author = users[0];
        ann = users[1];
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Reference post() {
        return new Reference(f.post(author), author);
    }

    private long likes(Reference status) {
        long counter = f.get(() -> f.stores.statuses().find(status.statusId()))
                .orElseThrow()
                .counters()
                .likes();
        assertThat(f.members(Keys.likes(status.statusId()))).hasSize((int) counter);
        return counter;
    }

    private List<Notification> received() {
        return f.get(() -> notifications.page(author, PageRequest.newest(40), any -> true)).items().stream()
                .map(Notifications.Shown::notification)
                .toList();
    }

    @Test
    void aLikeCountsAndNotifiesOnceAndIsFullyUndone() {
        Reference status = post();
        f.get(() -> favourites.like(ann, status));
        f.get(() -> favourites.like(ann, status));
        assertThat(likes(status)).isEqualTo(1);
        assertThat(received()).singleElement().satisfies(each -> assertThat(each.actorId())
                .isEqualTo(ann));
        f.get(() -> favourites.unlike(ann, status.statusId()));
        f.get(() -> favourites.unlike(ann, status.statusId()));
        assertThat(likes(status)).isZero();
        assertThat(received()).isEmpty();
        assertThat(f.members(Keys.favourites(ann))).isEmpty();
    }

    /** As a failover does that loses the last writes of the account's shard. */
    @Test
    void aLikeWhoseEndItsShardHasLostIsWholeWhenTheStatusIsLikedAgain() {
        Reference status = post();
        f.get(() -> favourites.like(ann, status));
        String key = Keys.favourites(ann);
        byte[] before = f.redis.askAt(key, "DUMP", key).asBytes();
        f.get(() -> favourites.unlike(ann, status.statusId()));
        f.get(() -> f.link.send(Command.of("RESTORE", key, 0, before, "REPLACE")));

        f.get(() -> favourites.like(ann, status));

        assertThat(likes(status)).isEqualTo(1);
        assertThat(received()).hasSize(1);
        f.get(() -> favourites.unlike(ann, status.statusId()));
        assertThat(likes(status)).isZero();
    }

    @Test
    void aLikeThatItsShardHasLostCountsNoLongerWhenItIsTakenBackAgain() {
        Reference status = post();
        f.get(() -> favourites.like(ann, status));
        f.redis.askAt(Keys.favourites(ann), "DEL", Keys.favourites(ann));

        f.get(() -> favourites.unlike(ann, status.statusId()));

        assertThat(likes(status)).isZero();
        assertThat(received()).isEmpty();
    }

    @Test
    void notificationsLeaveTheIdsOfStatusesAlone() {
        Reference status = post();
        long edge = f.get(() -> favourites.begin(ann, status.statusId())).edge();
        String ids = Keys.ids(Id.shard(author));
        long before = f.number(ids, "GET", ids);
        f.get(() -> favourites.link(ann, status, edge));
        f.get(() -> notifications.add(author, Notification.of(Notification.Type.MENTION, ann, status.statusId())));
        assertThat(received()).hasSize(2);
        assertThat(f.number(ids, "GET", ids)).isEqualTo(before);
    }

    @Test
    void notificationIdsGoOnFromWhereThoseOfTheShardStood() {
        int shard = Id.shard(author);
        long ahead = Id.of(System.currentTimeMillis() + 3_600_000, shard, 3);
        f.redis.askAt(Keys.ids(shard), "SET", Keys.ids(shard), "" + ahead);
        long first = f.get(() -> notifications.add(author, Notification.of(Notification.Type.MENTION, ann, 17)));
        long second = f.get(() -> notifications.add(author, Notification.of(Notification.Type.MENTION, ann, 18)));
        assertThat(first).isGreaterThan(ahead);
        assertThat(second).isGreaterThan(first);
        assertThat(f.number(Keys.notificationIds(shard), "GET", Keys.notificationIds(shard)))
                .isEqualTo(second);
    }

    @Test
    void nobodyIsNotifiedOfTheirOwnLikes() {
        Reference status = post();
        f.get(() -> favourites.like(author, status));
        assertThat(likes(status)).isEqualTo(1);
        assertThat(received()).isEmpty();
    }

    @Test
    void theJobFinishesAnInterruptedLikeWithoutRepeatedNotifications() {
        Reference status = post();
        long edge = f.get(() -> favourites.begin(ann, status.statusId())).edge();
        assertThat(likes(status)).isZero();
        f.get(() -> favourites.finishLike(ann, status.statusId(), edge));
        assertThat(likes(status)).isEqualTo(1);
        long id = received().get(0).id();
        f.get(() -> notifications.dismiss(author, id));
        f.get(() -> favourites.finishLike(ann, status.statusId(), edge));
        assertThat(received()).isEmpty();

        long ended = f.get(() -> favourites.end(ann, status.statusId())).edge();
        f.get(() -> favourites.finishUnlike(ann, status.statusId(), ended));
        f.get(() -> favourites.finishUnlike(ann, status.statusId(), ended));
        assertThat(likes(status)).isZero();
    }

    @Test
    void aLateLinkDoesNotBringBackWhatHasEnded() {
        Reference status = post();
        long edge = f.get(() -> favourites.begin(ann, status.statusId())).edge();
        f.get(() -> favourites.unlike(ann, status.statusId()));
        f.get(() -> favourites.link(ann, status, edge));
        assertThat(likes(status)).isZero();
        assertThat(received()).isEmpty();
    }

    @Test
    void theLateEndOfOneLikeLeavesTheNext() {
        Reference status = post();
        f.get(() -> favourites.like(ann, status));
        long ended = f.get(() -> favourites.end(ann, status.statusId())).edge();
        f.get(() -> favourites.like(ann, status));
        f.get(() -> favourites.finishUnlike(ann, status.statusId(), ended));
        assertThat(likes(status)).isEqualTo(1);
        assertThat(received()).hasSize(1);
    }

    @Test
    void nothingIsLinkedToADeletedStatus() {
        Reference status = post();
        long edge = f.get(() -> favourites.begin(ann, status.statusId())).edge();
        f.delete(author, status.statusId());
        f.get(() -> favourites.finishLike(ann, status.statusId(), edge));
        f.get(() -> favourites.link(ann, status, edge));
        assertThat(f.members(Keys.likes(status.statusId()))).isEmpty();
        assertThat(received()).isEmpty();
        assertThat(f.get(() -> favourites.page(ann, PageRequest.newest(5))).items())
                .isEmpty();
    }

    @Test
    void aStormOfLikesLeavesBothSidesEqual() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Reference status = post();
        for (int round = 0; round < 20; round++) {
            f.get(() -> {
                List<Future<Void>> all = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    long user = users[1 + random.nextInt(5)];
                    all.add(step(random.nextInt(5), user, status));
                }
                return Future.join(all).<Void>mapEmpty();
            });
        }
        runJobs(status);
        Set<String> near = new HashSet<>();
        for (long user : users) {
            f.members(Keys.favourites(user)).forEach(liked -> near.add(Long.toString(user)));
        }
        assertThat(new HashSet<>(f.members(Keys.likes(status.statusId()))))
                .as("seed %d", seed)
                .isEqualTo(near);
        assertThat(likes(status)).as("seed %d", seed).isEqualTo(near.size());
        assertThat(received()).as("seed %d", seed).hasSize(near.size());
    }

    /** Whole ones, and ones that die after their first step. */
    private Future<Void> step(int what, long user, Reference status) {
        return switch (what) {
            case 0, 1 -> favourites.like(user, status);
            case 2 -> favourites.unlike(user, status.statusId());
            case 3 -> favourites.begin(user, status.statusId()).mapEmpty();
            default -> favourites.end(user, status.statusId()).mapEmpty();
        };
    }

    /** All of them, as late as can be, in any order, each twice. */
    private void runJobs(Reference status) {
        List<String> jobs = new ArrayList<>();
        LongStream.of(users).mapToInt(Id::shard).distinct().forEach(shard -> jobs.addAll(f.jobs(shard, "high")));
        jobs.addAll(List.copyOf(jobs));
        Collections.shuffle(jobs, new Random(1));
        for (String job : jobs) {
            String[] words = job.split(" ", -1);
            long user = Long.parseLong(words[1]);
            long edge = Long.parseLong(words[words.length - 1]);
            if (words[0].equals("like.1")) {
                f.get(() -> favourites.finishLike(user, status.statusId(), edge));
            } else if (words[0].equals("unlike.1")) {
                f.get(() -> favourites.finishUnlike(user, status.statusId(), edge));
            }
        }
    }

    @Test
    void listsAreWalkedWithoutGapOrRepeatWhileEntriesGo() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<Reference> posts = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Reference status = post();
            posts.add(0, status);
            f.get(() -> favourites.like(ann, status));
        }
        Set<Long> gone = new HashSet<>();
        List<Long> liked = new ArrayList<>();
        List<Long> words = new ArrayList<>();
        long likedCursor = Id.MAX;
        long wordCursor = Id.MAX;
        while (likedCursor > 0 || wordCursor > 0) {
            if (likedCursor > 0) {
                PageRequest request = PageRequest.olderThan(likedCursor, 3);
                Page<Status> page = f.get(() -> favourites.page(ann, request));
                page.items().forEach(status -> liked.add(status.id()));
                likedCursor = page.next();
            }
            if (wordCursor > 0) {
                PageRequest request = PageRequest.olderThan(wordCursor, 2);
                Page<Notifications.Shown> page = f.get(() -> notifications.page(author, request, any -> true));
                page.items().forEach(shown -> words.add(shown.status().id()));
                wordCursor = page.next();
            }
            Reference victim = posts.get(random.nextInt(posts.size()));
            if (gone.add(victim.statusId())) {
                f.delete(author, victim.statusId());
            }
            Reference fresh = post();
            f.get(() -> favourites.like(ann, fresh));
        }
        List<Long> stayed = posts.stream()
                .map(Reference::statusId)
                .filter(id -> !gone.contains(id))
                .toList();
        for (List<Long> walk : List.of(liked, words)) {
            assertThat(walk).as("seed %d", seed).doesNotHaveDuplicates().containsSubsequence(stayed);
        }
    }

    @Test
    void pagesGoUpAndDownPastWhatIsHidden() {
        Reference status = post();
        List<Edge> all = new ArrayList<>();
        for (int i = 1; i < 6; i++) {
            long user = users[i];
            f.get(() -> favourites.like(user, status));
            all.add(
                    0,
                    new Edge(
                            user,
                            f.number(
                                    Keys.likes(status.statusId()),
                                    "ZSCORE",
                                    Keys.likes(status.statusId()),
                                    "" + user)));
        }
        String mutes = Keys.mutes(author);
        f.redis.askAt(mutes, "ZADD", mutes, "1", "" + users[3]);
        // Edges of accounts in different shards, made within a millisecond, are not in the order of their making.
        all.sort(Comparator.comparingLong(Edge::edgeId).reversed());
        Edge hidden = all.stream()
                .filter(edge -> edge.accountId() == users[3])
                .findFirst()
                .orElseThrow();
        all.remove(hidden);
        Page<Edge> first = likedBy(status, PageRequest.newest(3));
        assertThat(first.items()).isEqualTo(all.subList(0, 3));
        assertThat(likedBy(status, PageRequest.olderThan(first.next(), 3)))
                .isEqualTo(new Page<>(all.subList(3, 4), 0, all.get(3).edgeId()));
        assertThat(likedBy(status, PageRequest.newest(4)))
                .isEqualTo(new Page<>(all, 0, all.get(0).edgeId()));
        Page<Edge> above = likedBy(status, PageRequest.justAbove(all.get(3).edgeId(), 2));
        assertThat(above.items()).isEqualTo(all.subList(1, 3)).doesNotContain(hidden);
        assertThat(above.prev()).isEqualTo(all.get(1).edgeId());
    }

    private Page<Edge> likedBy(Reference status, PageRequest page) {
        return f.get(() -> favourites.likedBy(status.statusId(), author, page));
    }

    @Test
    void aMentionIsNotifiedOnceEvenAfterItWasDismissed() {
        Reference status = post();
        Notification mention = Notification.of(Notification.Type.MENTION, ann, status.statusId());
        f.get(() -> notifications.add(author, mention));
        f.get(() -> notifications.add(author, mention));
        assertThat(received()).hasSize(1);
        f.get(() -> notifications.clear(author));
        f.get(() -> notifications.add(author, mention));
        assertThat(received()).isEmpty();
    }

    @Test
    void blockedAccountsCauseNoNotifications() {
        Reference status = post();
        f.redis.askAt(Keys.blocks(author), "ZADD", Keys.blocks(author), "1", "" + ann);
        f.get(() -> notifications.add(author, Notification.of(Notification.Type.MENTION, ann, status.statusId())));
        f.get(() -> favourites.like(ann, status));
        f.get(() -> favourites.like(users[2], status));
        assertThat(f.members(Keys.notifications(author)))
                .containsExactly("favourite " + users[2] + " " + status.statusId());
    }

    @Test
    void aPrivateStatusNotifiesOnlyMentionedAccountsThatMaySeeIt() {
        f.follow(ann, author);
        Post post = new Post(
                author, Visibility.PRIVATE, Post.Kind.POST, Content.of("@user1 @user2"), null, null, null, null);
        Status status = f.get(() -> f.stores.statuses().post(post, null)).status();
        f.get(() -> notifications.addMention(ann, status));
        f.get(() -> notifications.addMention(users[2], status));
        assertThat(f.members(Keys.notifications(ann))).containsExactly("mention " + author + " " + status.id());
        assertThat(f.members(Keys.notifications(users[2]))).isEmpty();
    }

    @Test
    void deletedStatusesLeaveTheListOfLikesAndCanBeUnliked() {
        Reference seen = post();
        Reference unseen = post();
        Reference living = post();
        List.of(seen, living).forEach(status -> f.get(() -> favourites.like(ann, status)));
        f.delete(author, seen.statusId());
        f.get(() -> favourites.page(ann, PageRequest.newest(5)));
        // On one connection: what comes after has been executed after.
        assertThat(f.get(() -> favourites.stillLikes(ann, living.statusId(), 0)))
                .isFalse();
        assertThat(f.members(Keys.favourites(ann))).containsExactly("" + living.statusId());

        f.get(() -> favourites.like(ann, unseen));
        f.delete(author, unseen.statusId());
        f.get(() -> favourites.unlike(ann, unseen.statusId()));
        assertThat(f.members(Keys.favourites(ann))).containsExactly("" + living.statusId());
    }

    @Test
    void onlyTheNewestNotificationsStay() {
        int max = f.settings.limits().notificationsMax();
        f.get(() -> {
            List<Future<Long>> all = new ArrayList<>();
            for (int i = 0; i < max + 5; i++) {
                all.add(notifications.add(author, Notification.of(Notification.Type.FOLLOW, 1000 + i, 0)));
            }
            return Future.join(all).<Void>mapEmpty();
        });
        assertThat(f.members(Keys.notifications(author))).hasSize(max).startsWith("follow 1005 0");
    }
}

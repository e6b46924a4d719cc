package io.fanfare.api.post;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.graph.Backlinks;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class BacklinksTest {
    private static final int LIVES = 4;
    private static final int OPERATIONS = 50;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Backlinks backlinks;
    private Threads threads;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        backlinks = new Backlinks(new SubjectEdges(f.link, f.settings));
        threads =
                new Threads(f.link, f.stores.statuses(), new ViewerRelationshipsReader(f.link, InstantSource.system()));
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void aCommentOnACommentIsListedWithBothAndNotifiesBothAuthors() {
        long[] users = f.users(3);
        Status root = post(Post.of(users[0], "root"));
        Status first = post(comment(users[1], root));
        Status second = post(comment(users[2], first));
        add(first);
        add(second);
        assertThat(f.members(Keys.comments(root.id()))).containsExactly("" + first.id(), "" + second.id());
        assertThat(f.members(Keys.comments(first.id()))).containsExactly("" + second.id());
        assertThat(f.members(Keys.notifications(users[0])))
                .containsExactly(mention(users[1], first), mention(users[2], second));
        assertThat(f.members(Keys.notifications(users[1]))).containsExactly(mention(users[2], second));
        assertThat(counters(root)).isEqualTo(new Counters(0, 0, 0, 2));
    }

    private static String mention(long actor, Status status) {
        return Notifications.member(Notification.of(Notification.Type.MENTION, actor, status.id()));
    }

    @Test
    void aDeletedStatusReceivesNoBacklinks() {
        long[] users = f.users(2);
        Status root = post(Post.of(users[0], "root"));
        Status comment = post(comment(users[1], root));
        Status repost = post(repost(users[1], root));
        add(comment);
        f.delete(users[0], root.id());
        add(comment);
        add(repost);
        assertThat(f.redis.keys())
                .doesNotContain(Keys.comments(root.id()), Keys.reposts(root.id()))
                .contains(Keys.status(comment.id()));
        assertThat(f.hash(Keys.status(root.id()))).isEqualTo(Map.of("uid", "" + users[0], "gone", "1"));
    }

    @Test
    void aPageOfCommentsPassesOverThousandsThatAreGone() {
        long author = f.users(1)[0];
        Status root = post(Post.of(author, "root"));
        Status old = post(comment(author, root));
        add(old);
        f.arrangeGone(Keys.comments(root.id()), old.id(), 3000);
        assertThat(comments(root, PageRequest.newest(20))).isEqualTo(new Page<>(List.of(old.id()), 0, old.id()));

        f.arrangeGone(Keys.comments(root.id()), old.id(), 12_000);
        Page<Long> cut = comments(root, PageRequest.newest(20));
        assertThat(cut.items()).as("more than one page reads").isEmpty();
        assertThat(comments(root, PageRequest.olderThan(cut.next(), 20)).items())
                .containsExactly(old.id());
        Page<Long> up = comments(root, PageRequest.justAbove(old.id(), 20));
        assertThat(up.items()).isEmpty();
        assertThat(up.prev()).isGreaterThan(old.id());
    }

    private Page<Long> comments(Status status, PageRequest request) {
        Page<Status> page = f.get(() -> threads.page(SubjectEdges.Kind.COMMENT, status.id(), 0, request));
        return new Page<>(StoreFixture.ids(page), page.next(), page.prev());
    }

    @Test
    void aThreadIsReadAsFarAsItIsBounded() {
        long author = f.users(1)[0]; // Ids of one shard are in the order of the posts.
        Status above = post(Post.of(author, "root"));
        List<Long> chain = new ArrayList<>(List.of(above.id()));
        for (int i = 0; i < Threads.ANCESTORS_MAX + 2; i++) {
            above = post(comment(author, above));
            add(above);
            chain.add(above.id());
        }
        Status last = above;
        Status root = f.get(() -> f.stores.statuses().find(chain.get(0))).orElseThrow();
        assertThat(ids(f.get(() -> threads.ancestors(0, last))))
                .isEqualTo(chain.subList(chain.size() - 1 - Threads.ANCESTORS_MAX, chain.size() - 1));
        assertThat(ids(f.get(() -> threads.descendants(0, root)))).isEqualTo(chain.subList(1, chain.size()));
    }

    @Test
    void moreThanAThousandDescendantsAreNotLookedAt() {
        long[] users = f.users(1);
        Status root = post(Post.of(users[0], "root"));
        List<Future<Statuses.Posted>> posts = new ArrayList<>();
        for (int batch = 0; batch < 7; batch++) {
            f.get(() -> {
                posts.clear();
                for (int i = 0; i < 150; i++) {
                    posts.add(f.stores.statuses().post(comment(users[0], root), null));
                }
                return Future.all(posts)
                        .compose(all -> Future.all(all.<Statuses.Posted>list().stream()
                                .map(posted -> backlinks.add(posted.status()))
                                .toList()))
                        .mapEmpty();
            });
            // The lane is as short as a test's should be.
            String lane = Keys.lane(Id.shard(users[0]), "high");
            f.redis.askAt(lane, "DEL", lane);
        }
        Status counted = f.get(() -> f.stores.statuses().find(root.id())).orElseThrow();
        assertThat(counted.counters().comments()).isEqualTo(1050);
        List<Long> shown = ids(f.get(() -> threads.descendants(0, counted)));
        assertThat(shown).hasSize(Threads.DESCENDANTS_MAX).doesNotHaveDuplicates();
    }

    /** Jobs come late, twice and in any order; what the API tells beside them may be lost. */
    @Test
    void bothSidesAgreeWhateverWasPostedAndTakenBackInWhateverOrder() {
        for (long seed = 1; seed <= LIVES; seed++) {
            f.redis.flush();
            try {
                new Life(seed).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** Some users who post, repost, quote, comment and delete at random; the plain model is a map of what lives. */
    private final class Life {
        private final Random random;
        private final long[] users;
        private final Map<Long, Status> living = new TreeMap<>();
        private final List<Status> deleted = new ArrayList<>();

        Life(long seed) {
            this.random = new Random(seed);
            this.users = f.users(5);
        }

        void run() {
            for (int i = 0; i < OPERATIONS; i++) {
                List<Future<?>> inFlight = new ArrayList<>();
                f.get(() -> {
                    for (int n = random.nextInt(3); n >= 0; n--) {
                        inFlight.add(operation());
                    }
                    return Future.all(inFlight).mapEmpty();
                });
            }
            List<Status> jobs = new ArrayList<>(Stream.of(living.values(), living.values(), deleted, deleted)
                    .flatMap(Collection::stream)
                    .toList());
            Collections.shuffle(jobs, random);
            f.get(() -> Future.all(jobs.stream().map(job -> runJob(job.id())).toList())
                    .mapEmpty());
            check();
        }

        private Future<?> operation() {
            long user = users[random.nextInt(users.length)];
            List<Status> all = List.copyOf(living.values());
            int choice = all.isEmpty() ? 0 : random.nextInt(10);
            Status one = all.isEmpty() ? null : all.get(random.nextInt(all.size()));
            return switch (choice) {
                case 0, 1 -> publish(Post.of(user, "hello"));
                case 2, 3 -> one.kind() == Post.Kind.REPOST ? runJob(one.id()) : publish(repost(user, one));
                case 4 -> publish(quote(user, one));
                case 5, 6 -> one.kind() == Post.Kind.REPOST ? runJob(one.id()) : publish(comment(user, one));
                case 7 -> publish(reply(user, one));
                case 8 -> takeBack(one);
                default -> runJob(one.id());
            };
        }

        private Future<?> publish(Post post) {
            return f.stores.statuses().post(post, null).compose(posted -> {
                Status status = posted.status();
                living.put(status.id(), status);
                return random.nextBoolean() ? backlinks.add(status) : Future.succeededFuture();
            });
        }

        private Future<?> takeBack(Status status) {
            return f.stores.statuses().delete(status.authorId(), status.id()).compose(was -> {
                if (was.isEmpty()) {
                    return Future.succeededFuture();
                }
                living.remove(status.id());
                deleted.add(status);
                return random.nextBoolean() ? backlinks.takeBack(was.get()) : Future.succeededFuture();
            });
        }

        /** The job of a status that may have been deleted since. */
        private Future<?> runJob(long id) {
            Statuses statuses = f.stores.statuses();
            return statuses.find(id)
                    .compose(found -> found.isPresent() ? backlinks.add(found.get()) : Future.succeededFuture())
                    .compose(done -> statuses.findDeleted(id))
                    .compose(gone -> gone.isPresent() ? backlinks.takeBack(gone.get()) : Future.succeededFuture());
        }

        private void check() {
            for (long user : users) {
                checkUser(user);
            }
            for (Status status : living.values()) {
                checkStatus(status);
            }
            List<String> keys = f.redis.keys();
            for (Status gone : deleted) {
                assertThat(keys)
                        .doesNotContain(Keys.reposts(gone.id()), Keys.quotes(gone.id()), Keys.comments(gone.id()));
            }
        }

        private void checkUser(long user) {
            Set<String> profile = new TreeSet<>();
            Map<Long, Long> reposts = new HashMap<>();
            for (Status status : living.values()) {
                if (status.authorId() == user && status.kind() != Post.Kind.COMMENT) {
                    profile.add("" + status.id());
                }
                if (status.authorId() == user && status.kind() == Post.Kind.REPOST) {
                    assertThat(reposts.put(status.subjectId(), status.id()))
                            .as("one repost of %s", status.subjectId())
                            .isNull();
                }
            }
            assertThat(f.members(Keys.profile(user))).containsExactlyElementsOf(profile);
            assertThat(f.account(user).statusesCount()).isEqualTo(profile.size());
            assertThat(f.members(Keys.reblogged(user)))
                    .containsExactlyElementsOf(reposts.entrySet().stream()
                            .sorted(Map.Entry.comparingByValue())
                            .map(entry -> "" + entry.getKey())
                            .toList());
        }

        private void checkStatus(Status status) {
            List<String> reposters = new ArrayList<>();
            List<String> quotes = new ArrayList<>();
            List<String> comments = new ArrayList<>();
            for (Status other : living.values().stream()
                    .sorted(Comparator.comparing(Status::id))
                    .toList()) {
                Post post = other.post();
                if (isTo(post.original(), status) && other.kind() == Post.Kind.REPOST) {
                    reposters.add("" + other.authorId());
                } else if (isTo(post.original(), status)) {
                    quotes.add("" + other.id());
                }
                if (isTo(post.replyTo(), status) || isTo(post.root(), status)) {
                    comments.add("" + other.id());
                }
            }
            assertThat(f.members(Keys.reposts(status.id()))).isEqualTo(reposters);
            assertThat(f.members(Keys.quotes(status.id()))).isEqualTo(quotes);
            assertThat(f.members(Keys.comments(status.id()))).isEqualTo(comments);
            assertThat(counters(status)).isEqualTo(new Counters(0, reposters.size(), quotes.size(), comments.size()));
        }

        private static boolean isTo(Reference reference, Status status) {
            return reference != null && reference.statusId() == status.id();
        }
    }

    private Status post(Post post) {
        return f.get(() -> f.stores.statuses().post(post, null)).status();
    }

    private void add(Status status) {
        f.get(() -> backlinks.add(status));
    }

    private Counters counters(Status status) {
        return f.get(() -> f.stores.statuses().find(status.id())).orElseThrow().counters();
    }

    private static List<Long> ids(List<Status> statuses) {
        return statuses.stream().map(Status::id).toList();
    }

    private static Post comment(long author, Status subject) {
        Post above = subject.post();
        Reference root =
                subject.kind() != Post.Kind.COMMENT ? null : above.root() == null ? above.replyTo() : above.root();
        return post(author, Post.Kind.COMMENT, Reference.to(subject), root, null);
    }

    private static Post repost(long author, Status original) {
        return post(author, Post.Kind.REPOST, null, null, Reference.to(original));
    }

    private static Post quote(long author, Status original) {
        return post(author, Post.Kind.POST, null, null, Reference.to(original));
    }

    private static Post reply(long author, Status subject) {
        return post(author, Post.Kind.POST, Reference.to(subject), null, null);
    }

    private static Post post(long author, Post.Kind kind, Reference replyTo, Reference root, Reference original) {
        Content content = kind == Post.Kind.REPOST ? Content.NONE : Content.of("words");
        return new Post(author, Visibility.PUBLIC, kind, content, replyTo, root, original, null);
    }
}

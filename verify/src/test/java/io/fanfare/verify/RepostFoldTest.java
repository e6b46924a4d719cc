package io.fanfare.verify;

import static io.fanfare.core.testing.StoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.AccountChange;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.testing.Milliseconds;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.core.feed.HomeMetrics;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.feed.MemoryArchive;
import io.fanfare.core.feed.NaiveFold;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.feed.PulledAuthors;
import io.fanfare.core.feed.Rules;
import io.fanfare.core.feed.Stores;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.Verifier.Scope;
import io.fanfare.verify.testing.Verification;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Homes leave out reposts of what stands close below (docs/feeds.md, section 4). */
@ParameterizedClass
@KindsOfRedis
class RepostFoldTest {
    private static final int SCHEDULES = 1;
    private static final int MANY_SCHEDULES = 20;
    private static final int ACTS = 150;
    private static final int[] WINDOWS = {1, 2, 3, 7, 40};

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
    }

    @AfterEach
    void close() {
        f.close();
    }

    /** Pure pull, between the two, pure push. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1_000_000_000})
    void everyPageOfAHomeShowsWhatANaiveModelSays(int pushMax) {
        run(pushMax, 1, SCHEDULES);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1_000_000_000})
    @Tag("faults")
    void everyPageOfAHomeShowsWhatANaiveModelSaysAfterManySchedules(int pushMax) {
        run(pushMax, SCHEDULES + 1, MANY_SCHEDULES);
    }

    private void run(int pushMax, int firstSeed, int lastSeed) {
        for (int seed = firstSeed; seed <= lastSeed; seed++) {
            f.redis.flush();
            Schedule schedule = new Schedule(pushMax, seed);
            schedule.run();
            // What jobs do has not been done here: what they explain counts for nothing.
            Feed feed = schedule.feed;
            Report report = f.get(() -> Verification.of(f.link, feed.settings, feed.archive, Scope.ALL, false));
            assertThat(report.left()).as("seed %d", seed).isEmpty();
            assertThat(report.archiveNotRead()).isEmpty();
        }
    }

    @Test
    void aRepostIsLeftOutWhileThePostOrAnotherRepostOfItIsAmongTheFortyBelow() {
        Feed feed = new Feed(StoreFixture.settings("feeds.home-max=200", "feeds.home-slack=50"), 40, 1);
        long[] users = f.users(4);
        long reader = users[0];
        for (int i = 1; i < 4; i++) {
            f.follow(reader, users[i]);
        }
        long post = feed.post(users[1]);
        List<Long> between = new ArrayList<>();
        for (int i = 0; i < 39; i++) {
            between.add(0, feed.post(users[1]));
        }
        long fortieth = feed.repost(users[2], post, users[1]);
        assertThat(feed.walk(reader, 7))
                .as("the post is the fortieth below")
                .doesNotContain(fortieth)
                .hasSize(40);
        long next = feed.post(users[1]);
        long last = feed.repost(users[3], post, users[1]);
        assertThat(feed.walk(reader, 7))
                .as("the post is far below, but the repost that is left out is not")
                .startsWith(next)
                .doesNotContain(fortieth, last);
        feed.delete(users[2], fortieth);
        assertThat(feed.walk(reader, 7))
                .as("the one before is gone, and the post is the forty-first by now")
                .startsWith(last, next)
                .hasSize(42);
        feed.delete(users[1], between.get(5));
        assertThat(feed.walk(reader, 7)).as("it is the fortieth again").startsWith(next);
        assertThat(ids(f.get(() -> feed.timelines.profile(users[3], reader, PageRequest.newest(5)))))
                .as("profiles show all")
                .containsExactly(last);
    }

    /** No answer shows what somebody has reposted who is suspended. */
    @Test
    void aRepostIsNotLeftOutForThatOfASuspendedAccount() {
        Feed feed = new Feed(StoreFixture.settings(), 40, 1);
        AccountAccess access = new AccountAccess(f.link);
        long[] users = f.users(4);
        f.follow(users[0], users[1]);
        f.follow(users[0], users[2]);
        long post = feed.post(users[3]);
        long first = feed.repost(users[1], post, users[3]);
        long second = feed.repost(users[2], post, users[3]);
        assertThat(feed.walk(users[0], 3)).containsExactly(first);
        f.get(() -> access.suspend(users[1]));
        assertThat(feed.walk(users[0], 3)).containsExactly(second);
        f.get(() -> access.unsuspend(users[1]));
        assertThat(feed.walk(users[0], 3)).containsExactly(first);
    }

    @Test
    void aReaderWithoutFoldingSeesAllReposts() {
        Feed feed = new Feed(StoreFixture.settings(), 40, 1);
        long[] users = f.users(2);
        f.follow(users[0], users[1]);
        long post = feed.post(users[1]);
        long repost = feed.repost(users[1], post, users[1]);
        assertThat(feed.walk(users[0], 3)).containsExactly(post);
        feed.fold(users[0], false);
        assertThat(feed.walk(users[0], 3)).containsExactly(repost, post);
        f.redis.askAt(Keys.home(users[0]), "DEL", Keys.home(users[0]));
        assertThat(feed.walk(users[0], 3)).as("by a rebuild").containsExactly(repost, post);
        feed.fold(users[0], true);
        assertThat(feed.walk(users[0], 3)).containsExactly(post);
    }

    @Test
    void aPageWithoutRepostsReadsNoMoreThanItShows() {
        Settings settings = StoreFixture.settings("feeds.home-max=200", "feeds.home-slack=50");
        List<Integer> sizes = new ArrayList<>();
        Redis counting = new Redis() {
            @Override
            public Future<Reply> send(Command command) {
                return f.link.send(command);
            }

            @Override
            public Future<List<Reply>> pipeline(List<Command> commands) {
                sizes.add(commands.size());
                return f.link.pipeline(commands);
            }
        };
        Feed feed = new Feed(settings, 40, 1, counting);
        long[] users = f.users(3);
        f.follow(users[0], users[1]);
        for (int i = 0; i < 100; i++) {
            feed.post(users[1]);
        }
        assertThat(feed.walk(users[0], 20)).hasSize(100);
        sizes.clear();
        f.get(() -> feed.timelines.home(users[0], PageRequest.newest(20)));
        assertThat(sizes).containsExactly(21);

        feed.repost(users[1], 7, users[0]);
        sizes.clear();
        f.get(() -> feed.timelines.home(users[0], PageRequest.newest(20)));
        assertThat(sizes).as("and forty below the repost").containsExactly(21, 1, 11, 1, 20);
        sizes.clear();
        f.get(() -> feed.timelines.home(users[0], PageRequest.newest(20)));
        assertThat(sizes)
                .as("at once where reposts are to be expected, and whether who reposts is suspended")
                .containsExactly(61, 1);
        f.follow(users[0], users[2]);
        f.get(() -> feed.timelines.home(users[0], PageRequest.newest(20))); // By a rebuild.
        sizes.clear();
        f.get(() -> feed.timelines.home(users[0], PageRequest.newest(20)));
        assertThat(sizes).as("also after a follow").contains(61).doesNotContain(21);

        for (int i = 0; i < 21; i++) {
            feed.post(users[1]);
        }
        f.get(() -> feed.timelines.home(users[0], PageRequest.newest(20)));
        sizes.clear();
        f.get(() -> feed.timelines.home(users[0], PageRequest.newest(20)));
        assertThat(sizes).as("the repost stands below the page").containsExactly(21);
    }

    @Test
    void aHomeFullOfLeftoversIsWalkedToItsEnd() {
        Feed feed = new Feed(StoreFixture.settings(), 40, 1);
        long[] users = f.users(2);
        f.follow(users[0], users[1]);
        long below = feed.post(users[1]);
        long repost = feed.repost(users[1], 7, users[0]);
        String[] home = new String[25_003];
        home[0] = "f" + (below - 1);
        home[1] = "" + below;
        home[2] = "" + repost;
        for (int i = 3; i < home.length; i++) {
            home[i] = "" + (repost + i); // Deleted, and nobody has cleaned up.
        }
        f.redis.askAt(Keys.home(users[0]), "DEL", Keys.home(users[0]));
        f.arrangeHome(users[0], home);
        assertThat(feed.walk(users[0], 2)).containsExactly(repost, below);
    }

    /** Stores whose dial turns at once and whose window is as one wants. */
    private final class Feed {
        final Settings settings;
        final Stores stores;
        final Statuses statuses;
        final Timelines timelines;
        final Accounts accounts;
        final Archive archive = new MemoryArchive();
        int window;

        Feed(Settings settings, int window, int seed) {
            this(settings, window, seed, f.link);
        }

        Feed(Settings settings, int window, int seed, Redis redis) {
            this.settings = settings;
            this.window = window;
            this.stores = Stores.on(f.link, settings, seed);
            this.statuses = Rules.ALL.statuses(redis, settings, archive);
            this.accounts = stores.accounts();
            AtomicLong clock = new AtomicLong();
            this.timelines =
                    new Timelines(
                            redis,
                            new Homes(redis, settings.feeds()),
                            statuses,
                            new ViewerRelationshipsReader(redis, InstantSource.system()),
                            new PulledAuthors(
                                    f.link,
                                    new Shards(settings.redis().shards()),
                                    () -> clock.addAndGet(2 * PulledAuthors.LEASE.toNanos())),
                            new Random(seed),
                            InstantSource.offset(InstantSource.system(), Homes.CLOCKS_APART),
                            settings.feeds(),
                            new HomeMetrics(new SimpleMeterRegistry())) {
                        @Override
                        protected int foldWindow() {
                            return Feed.this.window;
                        }
                    };
        }

        @CanIgnoreReturnValue
        long post(long author) {
            return publish(Post.of(author, "hello"));
        }

        @CanIgnoreReturnValue
        long repost(long author, long original, long originalAuthor) {
            Reference of = new Reference(original, originalAuthor);
            return publish(new Post(author, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, null, of, null));
        }

        /** Posts and delivers as a worker does, except pulled posts. The next one has a higher id, by any author. */
        long publish(Post post) {
            long id = f.get(() -> statuses.post(post, null)).status().id();
            Milliseconds.awaitNext();
            if (!f.hash(Keys.user(post.authorId())).getOrDefault("dial", "").startsWith("pull")) {
                List<Homes.Delivery> deliveries =
                        f.get(() -> stores.graph().followersAfter(post.authorId(), 0, 100)).stream()
                                .map(edge -> new Homes.Delivery(edge.accountId(), List.of(id)))
                                .toList();
                f.get(() -> stores.homes().push(deliveries));
            }
            return id;
        }

        void delete(long author, long id) {
            assertThat(f.get(() -> statuses.delete(author, id))).isPresent();
        }

        void fold(long reader, boolean folds) {
            AccountChange change = new AccountChange();
            change.foldsReposts(folds);
            f.get(() -> accounts.update(reader, change));
            assertThat(f.get(() -> accounts.preferences(reader)).foldsReposts()).isEqualTo(folds);
        }

        List<Long> walk(long reader, int limit) {
            List<Long> walk = new ArrayList<>();
            PageRequest next = PageRequest.newest(limit);
            while (next != null) {
                PageRequest request = next;
                Page<Status> page = f.get(() -> timelines.home(reader, request));
                walk.addAll(ids(page));
                next = page.next() == 0 ? null : PageRequest.olderThan(page.next(), limit);
            }
            return walk;
        }
    }

    /** A status as the model has it. */
    private record Posted(long id, long author, long original, boolean isTagged) {}

    /** Posts, reposts, deletes, follows and the rest in any order, and all kinds of pages. */
    private final class Schedule {
        private final int seed;
        private final Random random;
        private final Feed feed;
        private final FollowedTags followedTags;
        private final PublicTimelines publicTimelines;
        private final AccountAccess access = new AccountAccess(f.link);
        private final List<Long> people = new ArrayList<>();
        private final long owner;

        private final TreeMap<Long, Posted> model = new TreeMap<>(Collections.reverseOrder());
        private final Set<List<Long>> reposted = new HashSet<>();
        private final Set<Long> followed = new HashSet<>();
        private final Set<Long> withoutReposts = new HashSet<>();
        private final Set<Long> suspended = new HashSet<>();
        private boolean followsTag;
        private boolean folds = true;

        Schedule(int pushMax, int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.feed = new Feed(
                    StoreFixture.settings(
                            "feeds.push-max-followers=" + pushMax,
                            "feeds.home-max=" + (seed % 2 == 0 ? 12 : 100),
                            "archive.profile-max=" + (seed % 3 == 0 ? 4 : 0),
                            "archive.thaw-for=0ms",
                            "queue.depth-max=1000000"),
                    WINDOWS[seed % WINDOWS.length],
                    seed);
            this.followedTags = new FollowedTags(f.link, feed.settings);
            this.publicTimelines = new PublicTimelines(
                    f.link,
                    feed.statuses,
                    new ViewerRelationshipsReader(f.link, InstantSource.system()),
                    feed.settings.feeds(),
                    InstantSource.system());
            for (long user : f.users(5)) {
                people.add(user);
            }
            owner = people.get(0);
        }

        void run() {
            for (int act = 0; act < ACTS; act++) {
                act();
                if (random.nextInt(4) == 0) {
                    look();
                }
            }
            look();
        }

        private void act() {
            switch (random.nextInt(21)) {
                case 0, 1, 2, 3, 4 -> post();
                case 5, 6, 7, 8, 9, 10, 11 -> repost();
                case 12 -> delete();
                case 13, 14 -> follow();
                case 15 -> unfollow();
                case 16 -> followTag();
                case 17 -> f.redis.askAt(Keys.home(owner), "DEL", Keys.home(owner));
                case 18 -> archive();
                case 19 -> suspend();
                default -> fold();
            }
        }

        private <T> T any(List<T> all) {
            return all.get(random.nextInt(all.size()));
        }

        @CanIgnoreReturnValue
        private <T> T get(Supplier<Future<T>> call) {
            return f.get(call);
        }

        private void post() {
            boolean isTagged = random.nextInt(4) == 0;
            List<String> tags = isTagged ? List.of("cats") : List.of();
            Content content = new Content("hello", "", false, null, List.of(), tags, null);
            long author = anyActive();
            Post post = new Post(author, Visibility.PUBLIC, Post.Kind.POST, content, null, null, null, null);
            long id = feed.publish(post);
            Status status = get(() -> feed.statuses.find(id)).orElseThrow();
            get(() -> publicTimelines.add(List.of(status)));
            model.put(id, new Posted(id, author, id, isTagged));
        }

        /** Mostly of what is new, so that some are close together. */
        private void repost() {
            List<Posted> posts = model.values().stream()
                    .filter(one -> one.id() == one.original())
                    .limit(random.nextBoolean() ? 3 : 40)
                    .toList();
            if (!posts.isEmpty()) {
                Posted original = any(posts);
                long author = anyActive();
                if (reposted.add(List.of(author, original.id()))) {
                    long id = feed.repost(author, original.id(), original.author());
                    model.put(id, new Posted(id, author, original.id(), false));
                }
            }
        }

        private void delete() {
            if (!model.isEmpty()) {
                Posted gone = any(List.copyOf(model.values()));
                feed.delete(gone.author(), gone.id());
                model.remove(gone.id());
                reposted.remove(List.of(gone.author(), gone.original()));
            }
        }

        private void follow() {
            long whom = people.get(1 + random.nextInt(people.size() - 1));
            if (suspended.contains(whom)) {
                return;
            }
            boolean reposts = random.nextInt(4) > 0;
            get(() -> feed.stores.follows().follow(owner, whom, reposts));
            followed.add(whom);
            withoutReposts.remove(whom);
            if (!reposts) {
                withoutReposts.add(whom);
            }
        }

        private void unfollow() {
            long whom = people.get(1 + random.nextInt(people.size() - 1));
            get(() -> feed.stores.follows().unfollow(owner, whom));
            followed.remove(whom);
            withoutReposts.remove(whom);
        }

        private long anyActive() {
            return any(people.stream().filter(one -> !suspended.contains(one)).toList());
        }

        private void suspend() {
            long whom = people.get(1 + random.nextInt(people.size() - 1));
            if (suspended.remove(whom)) {
                get(() -> access.unsuspend(whom));
            } else {
                suspended.add(whom);
                get(() -> access.suspend(whom));
            }
        }

        private void followTag() {
            followsTag = !followsTag;
            get(() -> followsTag ? followedTags.follow(owner, "cats") : followedTags.unfollow(owner, "cats"));
        }

        private void archive() {
            ArchivePass pass = new ArchivePass(f.link, feed.settings, feed.archive);
            int shard = Id.shard(any(people));
            while (get(() -> pass.run(shard))) {
                // Goes on.
            }
        }

        private void fold() {
            folds = random.nextInt(4) > 0;
            feed.fold(owner, folds);
        }

        private boolean isInHome(Posted one) {
            boolean isRepost = one.id() != one.original();
            boolean isFollowed = one.author() == owner
                    || (followed.contains(one.author()) && !(isRepost && withoutReposts.contains(one.author())));
            // Posts of a suspended followee are left out when the answer is written.
            boolean isActive = !suspended.contains(one.author());
            return isFollowed ? isActive || !isRepost || !folds : isActive && one.isTagged() && followsTag;
        }

        private void look() {
            List<NaiveFold.Entry> all = model.values().stream()
                    .filter(this::isInHome)
                    .map(one -> new NaiveFold.Entry(one.id(), one.original()))
                    .toList();
            List<Long> expected = NaiveFold.shown(all, folds ? feed.window : 0);
            int limit = random.nextInt(5) == 0 ? 40 : 1 + random.nextInt(6);
            String as = "seed " + seed + " by " + limit;
            assertThat(feed.walk(owner, limit)).as(as).isEqualTo(expected);
            assertThat(walkUp(limit)).as(as + " upward").isEqualTo(expected);
            if (!model.isEmpty()) {
                for (int i = 0; i < 3; i++) {
                    somePage(expected, limit, any(List.copyOf(model.keySet())) + random.nextInt(3) - 1);
                }
            }
        }

        private void somePage(List<Long> expected, int limit, long at) {
            String as = "seed " + seed + " by " + limit + " at " + at;
            List<Long> below = expected.stream().filter(id -> id < at).toList();
            List<Long> above = expected.stream().filter(id -> id > at).toList();
            Page<Status> older = page(PageRequest.olderThan(at, limit));
            List<Long> shown = ids(older);
            assertThat(shown).as(as).hasSizeLessThanOrEqualTo(limit).isEqualTo(below.subList(0, shown.size()));
            assertThat(shown.isEmpty()).as(as).isEqualTo(below.isEmpty());
            // A page may end early, with the cursor to go on from.
            if (shown.size() < below.size()) {
                assertThat(older.next()).as(as).isPositive();
            }
            List<Long> just = ids(page(PageRequest.justAbove(at, limit)));
            assertThat(just)
                    .as(as + " upward")
                    .hasSizeLessThanOrEqualTo(limit)
                    .isEqualTo(above.subList(above.size() - just.size(), above.size()));
            assertThat(just.isEmpty()).as(as).isEqualTo(above.isEmpty());
            List<Long> since = ids(page(new PageRequest(Id.MAX, at, 0, limit)));
            assertThat(since)
                    .as(as + " since")
                    .hasSizeLessThanOrEqualTo(limit)
                    .isEqualTo(above.subList(0, since.size()));
            assertThat(since.isEmpty()).as(as).isEqualTo(above.isEmpty());
        }

        private Page<Status> page(PageRequest request) {
            return get(() -> feed.timelines.home(owner, request));
        }

        private List<Long> walkUp(int limit) {
            List<Long> walk = new ArrayList<>();
            long above = PageRequest.BOTTOM;
            while (above > 0) {
                Page<Status> page = page(PageRequest.justAbove(above, limit));
                walk.addAll(0, ids(page));
                above = page.prev();
            }
            return walk;
        }
    }
}

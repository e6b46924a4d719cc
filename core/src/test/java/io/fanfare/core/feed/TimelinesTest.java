package io.fanfare.core.feed;

import static io.fanfare.core.testing.StoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Steps;
import io.fanfare.common.testing.Milliseconds;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class TimelinesTest {
    private static final int NOTHING_NEW = -1;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long reader;
    private long author;
    private long stranger;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        long[] users = f.users(3);
        reader = users[0];
        author = users[1];
        stranger = users[2];
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void aHomeThatIsAwayIsBuiltByTheReadAndTheReadAnswersAtOnce() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 3);
        assertThat(f.list(reader)).isEmpty();
        assertThat(f.home(reader, 3)).isEqualTo(posts);
        assertThat(f.get(() -> f.stores.homes().raw(reader))).isEqualTo(posts);
        assertThat(f.home(reader, 3)).isEqualTo(posts);
        assertThat(rebuilds()).isEqualTo(1);
    }

    @Test
    void aPageDoesNotWaitForTheRenewalOfItsHome() {
        long post = f.post(reader);
        f.arrangeHome(reader, "f0", "" + post); // With so little time to live that a read renews it.
        Stores stores = Stores.on(new Refusing(f.link, "EXPIRE"), f.settings, 7);
        assertThat(ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(3)))))
                .containsExactly(post);
    }

    /** A Redis that refuses one command. */
    private record Refusing(Redis redis, String refused) implements Redis {
        @Override
        public Future<Reply> send(Command command) {
            return command.name().equals(refused)
                    ? Future.failedFuture(new RedisError(RedisError.Kind.OOM, "OOM by the test"))
                    : redis.send(command);
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            return redis.pipeline(commands);
        }
    }

    @Test
    void aHomeFullOfLeftoversIsWalkedInShortPages() {
        f.follow(reader, author);
        long below = f.post(author);
        long first = f.post(author);
        String[] home = new String[25_002];
        home[0] = "f" + below;
        home[1] = "" + first;
        for (int i = 2; i < home.length; i++) {
            home[i] = "" + (first + i); // Deleted, and nobody has cleaned up.
        }
        f.arrangeHome(reader, home);
        long above = first + home.length;

        Page<Status> page = f.home(reader, PageRequest.newest(2));
        assertThat(ids(page))
                .as("the first page ends before it has scanned all")
                .isEmpty();
        assertThat(page.next()).isGreaterThan(first + 2);
        assertThat(f.walkDown(reader, 2)).containsExactly(first, below);
        assertThat(f.home(reader, PageRequest.olderThan(above, 2)).next()).isLessThan(above);
    }

    @Test
    void aHomeFullOfLeftoversIsWalkedUpwardInShortPages() {
        f.follow(reader, author);
        long first = f.post(author);
        String[] home = new String[25_002];
        home[0] = "f" + (first - 2);
        home[1] = "" + first;
        for (int i = 2; i < home.length; i++) {
            home[i] = "" + (first - 1_000_000 + i); // Stays below what is posted next.
        }
        long floor = first - 1_000_001;
        home[0] = "f" + floor;
        f.arrangeHome(reader, home);

        List<Long> walk = new ArrayList<>();
        Page<Status> page = f.home(reader, PageRequest.justAbove(floor, 2));
        assertThat(ids(page)).isEmpty();
        while (page.prev() > 0) {
            walk.addAll(ids(page));
            page = f.home(reader, PageRequest.justAbove(page.prev(), 2));
        }
        assertThat(walk).containsExactly(first);
    }

    @Test
    void aPageGoesFromTheTailOfAHomeToAllOfItWhenItMust() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 4);
        f.arrangeHome(reader, "f0/4", "" + posts.get(3), "" + posts.get(2), "" + posts.get(1), "" + posts.get(0));
        for (long gone : posts.subList(0, 2)) {
            f.delete(author, gone);
        }
        assertThat(f.home(reader, 1)).containsExactly(posts.get(2));
        assertThat(f.walkDown(reader, 1)).containsExactly(posts.get(2), posts.get(3));
        assertThat(f.walkDown(reader, 3)).containsExactly(posts.get(2), posts.get(3));
    }

    @Test
    void aPageAboveAnIdReadsTheWholeHomeOnlyWhenItsTailDoesNotReachDown() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 6);
        List<String> home = new ArrayList<>(List.of("f0/6"));
        posts.forEach(post -> home.add(1, "" + post));
        f.arrangeHome(reader, home.toArray(String[]::new));
        for (long above : posts) {
            List<Long> newer = posts.stream().filter(post -> post > above).toList();
            int from = Math.max(0, newer.size() - 2);
            assertThat(ids(f.home(reader, PageRequest.justAbove(above, 2))))
                    .isEqualTo(newer.subList(from, newer.size()));
        }
        assertThat(entriesRead(PageRequest.justAbove(posts.get(0), 2))).containsExactly(NOTHING_NEW);
        assertThat(entriesRead(PageRequest.justAbove(posts.get(5), 2))).containsExactly(4, 4, 6);
        assertThat(entriesRead(new PageRequest(Id.MAX, posts.get(0), 0, 3))).containsExactly(NOTHING_NEW);
        assertThat(entriesRead(new PageRequest(Id.MAX, posts.get(5), 0, 3))).containsExactly(4, 5);
        assertThat(entriesRead(PageRequest.newest(3))).containsExactly(5);
    }

    @Test
    void aPollWithoutNewsIsAnEmptyPageThatKeepsTheHomeAlive() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 3);
        f.home(reader, 3);
        for (PageRequest poll :
                List.of(PageRequest.justAbove(posts.get(0), 2), new PageRequest(Id.MAX, posts.get(0), 0, 2))) {
            f.redis.askAt(Keys.home(reader), "EXPIRE", Keys.home(reader), "100");
            Page<Status> page = f.home(reader, poll);
            assertThat(page.items()).isEmpty();
            assertThat(page.next()).as("older ones").isEqualTo(posts.get(0) + 1);
            assertThat(page.prev()).isZero();
            TestRedis.awaitUntil(
                    "the home has its full time to live",
                    () -> f.redis
                                    .askAt(Keys.home(reader), "TTL", Keys.home(reader))
                                    .asLong()
                            > 100);
        }
        long next = f.post(author);
        f.fanOut(author, next);
        assertThat(ids(f.home(reader, PageRequest.justAbove(posts.get(0), 2)))).containsExactly(next);
    }

    /** The numbers of entries that the looks at the home bring, one after the other. */
    private List<Integer> entriesRead(PageRequest page) {
        List<Integer> entries = new ArrayList<>();
        Redis counting = watched((command, reply) -> {
            boolean isNothingNew = Homes.NothingNew.of(reply).isPresent();
            entries.add(
                    isNothingNew ? NOTHING_NEW : reply.items().get(5).items().size());
        });
        Stores stores = Stores.on(counting, f.settings, 7);
        Page<Status> unused = f.get(() -> stores.timelines().home(reader, page));
        return entries;
    }

    /** The link, with a look at each {@code home_read} and its reply. */
    private Redis watched(BiConsumer<Command, Reply> look) {
        return new Redis() {
            @Override
            public Future<Reply> send(Command command) {
                return f.link.send(command).onSuccess(reply -> {
                    if (command.toString().contains("home_read")) {
                        look.accept(command, reply);
                    }
                });
            }

            @Override
            public Future<List<Reply>> pipeline(List<Command> commands) {
                return f.link.pipeline(commands);
            }
        };
    }

    @Test
    void aReadThatKnowsTheFolloweesNamesTheirKeysOnlyAfterTheyHaveChanged() {
        List<Integer> keys = new ArrayList<>();
        Stores stores = Stores.on(watched((command, reply) -> keys.add(command.keys())), f.settings, 7);
        f.follow(reader, author);
        assertThat(idsOfHome(stores)).isEqualTo(idsOfHome(stores));
        keys.clear();
        assertThat(idsOfHome(stores)).isEmpty();
        f.follow(reader, f.users(3)[2]);
        assertThat(idsOfHome(stores)).isEmpty();
        assertThat(keys).containsExactly(8, 8, 13);
    }

    @Test
    void changesOfFollowsByAnotherProcessCountAtTheNextRead() {
        long third = f.users(3)[2];
        Stores stores = Stores.on(f.link, f.settings, 7);
        long post = f.post(author);
        long later = f.post(third);
        assertThat(idsOfHome(stores)).isEmpty();
        f.follow(reader, author);
        assertThat(idsOfHome(stores)).containsExactly(post);
        f.follow(reader, third);
        assertThat(idsOfHome(stores)).containsExactly(later, post);
        f.get(() -> f.stores.graph().unfollow(reader, author));
        assertThat(idsOfHome(stores)).containsExactly(later);
        Blocks blocks = new Blocks(f.link, f.settings, f.stores.graph(), f.stores.follows());
        f.get(() -> blocks.mute(reader, third, true));
        assertThat(idsOfHome(stores)).isEmpty();
        f.get(() -> blocks.unmute(reader, third));
        assertThat(idsOfHome(stores)).containsExactly(later);
        f.get(() -> blocks.block(reader, third));
        assertThat(idsOfHome(stores)).isEmpty();
    }

    private List<Long> idsOfHome(Stores stores) {
        return ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(3))));
    }

    @Test
    void repostsOfWhomTheReaderWantsThemNotFromAreLeftOut() {
        f.follow(reader, author);
        long post = f.post(author);
        long repost = repost(author);
        long quote = quote(author);
        assertThat(f.home(reader, 5)).as("by a rebuild").containsExactly(quote, repost, post);

        terms(false);
        assertThat(f.home(reader, 5)).as("by the home").containsExactly(quote, post);
        terms(null);
        assertThat(f.home(reader, 5)).as("as before").containsExactly(quote, post);
        long second = repost(author);
        f.fanOut(author, second);
        assertThat(f.home(reader, 5)).as("pushed").containsExactly(quote, post);
        assertThat(f.walkDown(reader, 1)).containsExactly(quote, post);
        f.redis.askAt(Keys.home(reader), "DEL", Keys.home(reader));
        assertThat(f.home(reader, 5)).as("by a rebuild").containsExactly(quote, post);
        assertThat(f.home(author, 5)).as("the author's own").containsExactly(second, quote, repost, post);

        terms(true);
        assertThat(f.home(reader, 5)).containsExactly(second, quote, repost, post);
    }

    @Test
    void theTermsOfAFollowEndWithTheFollow() {
        assertThat(terms(false).changed()).isTrue();
        long repost = repost(author);
        assertThat(f.home(reader, 5)).isEmpty();
        assertThat(f.members(Keys.noReposts(reader))).containsExactly("" + author);
        f.get(() -> f.stores.graph().unfollow(reader, author));
        assertThat(f.members(Keys.noReposts(reader))).isEmpty();

        f.follow(reader, author);
        assertThat(f.home(reader, 5)).containsExactly(repost);
    }

    @CanIgnoreReturnValue
    private Graph.Change terms(Boolean reposts) {
        return f.get(() -> f.stores.follows().follow(reader, author, reposts));
    }

    private long repost(long account) {
        return publish(account, Post.Kind.REPOST, Content.NONE);
    }

    private long quote(long account) {
        return publish(account, Post.Kind.POST, Content.of("see"));
    }

    private long publish(long account, Post.Kind as, Content content) {
        Reference original = new Reference(f.post(stranger), stranger);
        Post post = new Post(account, Visibility.PUBLIC, as, content, null, null, original, null);
        return f.get(() -> f.stores.statuses().post(post, null)).status().id();
    }

    @Test
    void aVersionOfTheFollowsIsNotUsedAgainAfterALossOfData() {
        long third = f.users(3)[2];
        f.home(reader, 1);
        String before = f.redis
                .askAt(Keys.user(reader), "HGET", Keys.user(reader), "version")
                .asString();
        f.follow(reader, author);
        String lost = f.hash(Keys.user(reader)).get("version");
        Milliseconds.awaitNext(); // No server comes back within the one of the change that it has lost.
        f.redis.askAt(Keys.following(reader), "DEL", Keys.following(reader));
        f.redis.askAt(Keys.user(reader), "HSET", Keys.user(reader), "version", before == null ? "0" : before);
        f.get(() -> f.stores.graph().follow(reader, third));
        assertThat(Long.parseLong(f.hash(Keys.user(reader)).get("version"))).isGreaterThan(Long.parseLong(lost));
    }

    @Test
    void theFirstReadOfANewReaderMakesAnEmptyHomeThatCollects() {
        f.follow(reader, author);
        assertThat(f.home(reader, PageRequest.newest(3))).isEqualTo(new Page<>(List.of(), 0, 0));
        assertThat(f.list(reader)).containsExactly("f0");
        long post = f.post(author);
        f.fanOut(author, post);
        long own = f.post(reader);
        assertThat(f.home(reader, 3)).containsExactly(Math.max(post, own), Math.min(post, own));
        assertThat(rebuilds()).isEqualTo(1);
    }

    @Test
    void aMarkLeftByACrashIsFinishedByTheNextRead() {
        f.follow(reader, author);
        long post = f.post(author);
        f.arrangeHome(reader, "b0:dead");
        assertThat(f.home(reader, 3)).containsExactly(post);
        assertThat(f.list(reader)).containsExactly("f0/1", "" + post);
    }

    @Test
    void postsBelowTheFloorAreReadFromProfiles() {
        f.follow(reader, author);
        f.home(reader, 1);
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long post = f.post(i % 3 == 0 ? reader : author);
            f.fanOut(author, post);
            all.add(post);
        }
        all.sort((a, b) -> Long.compare(b, a));
        for (int limit : new int[] {1, 2, 3, 7, 39, 40, 41}) {
            assertThat(f.walkDown(reader, limit)).as("by %d", limit).isEqualTo(all);
            assertThat(walkUp(limit)).as("upward by %d", limit).isEqualTo(all);
        }
    }

    @Test
    void aWalkBelowTheFloorAsksEveryAuthorOnlyOnce() {
        long[] authors = Arrays.copyOfRange(f.users(8), 3, 8); // As many as a reader may follow here.
        List<Long> all = new ArrayList<>();
        for (long followed : authors) {
            f.follow(reader, followed);
        }
        for (int i = 0; i < 60; i++) {
            all.add(f.post(authors[i % authors.length]));
        }
        all.sort(Comparator.reverseOrder());
        AtomicInteger profiles = new AtomicInteger();
        Stores stores = Stores.on(new CountingProfiles(f.link, profiles), f.settings, 7);
        Page<Status> page = f.get(() -> stores.timelines().home(reader, PageRequest.newest(10)));
        List<Long> walk = new ArrayList<>(ids(page));
        profiles.set(0);
        List<Integer> reads = new ArrayList<>();
        while (page.next() > 0) {
            long next = page.next();
            page = f.get(() -> stores.timelines().home(reader, PageRequest.olderThan(next, 10)));
            walk.addAll(ids(page));
            assertThat(page.next() == 0 || ids(page).size() == 10)
                    .as("full, or the last")
                    .isTrue();
            reads.add(profiles.getAndSet(0));
        }

        assertThat(walk).isEqualTo(all);
        assertThat(reads).as("profiles read for each page").hasSizeGreaterThan(3);
        // Of each author four posts, then those that are left, then that there are no more.
        assertThat(reads.stream().mapToInt(Integer::intValue).sum()).isLessThanOrEqualTo(3 * (authors.length + 1));
    }

    /** Counts how often a profile is read. */
    private record CountingProfiles(Redis redis, AtomicInteger count) implements Redis {
        @Override
        public Future<Reply> send(Command command) {
            return redis.send(command);
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            commands.stream()
                    .filter(command ->
                            command.name().equals("ZRANGE") && command.key().startsWith("profile:"))
                    .forEach(read -> count.incrementAndGet());
            return redis.pipeline(commands);
        }
    }

    @Test
    void aHomeThatItsFloorHasLeftTooShortIsRebuiltByTheReadOnce() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 8);
        f.arrangeHome(reader, "f" + posts.get(1), "" + posts.get(0));

        for (int i = 0; i < 3; i++) {
            assertThat(f.home(reader, 3)).isEqualTo(posts.subList(0, 3));
        }

        assertThat(f.list(reader))
                .as("as many as a home holds")
                .containsExactly(
                        "f" + (posts.get(3) - 1) + "/4",
                        "" + posts.get(3),
                        "" + posts.get(2),
                        "" + posts.get(1),
                        "" + posts.get(0));
        assertThat(rebuilds()).as("no more would be gained").isEqualTo(1);
        assertThat(f.stores.timelines().metrics().found())
                .as("the first of them was too short")
                .isEqualTo(1);
        assertThat(f.walkDown(reader, 3)).isEqualTo(posts);
    }

    @Test
    void aHomeThatHoldsAllThereIsIsNotTooShort() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 1);
        f.home(reader, 3);
        assertThat(f.home(reader, 3)).isEqualTo(posts);
        assertThat(rebuilds()).isEqualTo(1);
        assertThat(f.stores.timelines().metrics().found()).isZero();
    }

    @Test
    void aPageThatAHomeHoldsDownToItsEndRebuildsNothing() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 4);
        f.arrangeHome(reader, "f" + posts.get(1), "" + posts.get(0));
        assertThat(ids(f.home(reader, new PageRequest(Id.MAX, posts.get(1), 0, 3))))
                .containsExactly(posts.get(0));
        assertThat(ids(f.home(reader, PageRequest.olderThan(posts.get(0), 3)))).isEqualTo(posts.subList(1, 4));
        assertThat(rebuilds()).isZero();
    }

    @Test
    void readsAtOnceShareTheRebuildOfAHomeThatIsTooShort() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 8);
        f.arrangeHome(reader, "f" + posts.get(0));
        List<Page<Status>> pages = f.get(() -> {
            List<Future<Page<Status>>> reads = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                reads.add(f.stores.timelines().home(reader, PageRequest.newest(2)));
            }
            return Future.all(reads).map(all -> all.<Page<Status>>list());
        });
        assertThat(pages).allSatisfy(page -> assertThat(ids(page)).isEqualTo(posts.subList(0, 2)));
        assertThat(f.number(Keys.homesBuilt(Id.shard(reader)), "GET", Keys.homesBuilt(Id.shard(reader))))
                .isEqualTo(1);
    }

    @Test
    void eachPageIsCountedByWhereItWasRead() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 8);
        f.home(reader, 3);
        assertThat(reads()).as("there was no list").isEqualTo("rebuilt=1");
        f.home(reader, 3);
        assertThat(reads()).isEqualTo("home=1 rebuilt=1");
        assertThat(ids(f.home(reader, PageRequest.olderThan(posts.get(2), 3)))).isEqualTo(posts.subList(3, 6));
        assertThat(reads()).as("below the list").isEqualTo("home=2 rebuilt=1 profiles=1");
        assertThat(ids(f.home(reader, PageRequest.justAbove(posts.get(7), 2)))).isEqualTo(posts.subList(5, 7));
        assertThat(reads()).as("upward, from below the list").isEqualTo("home=3 rebuilt=1 profiles=2");
        f.redis.askAt(Keys.home(reader), "DEL", Keys.home(reader));
        f.arrangeHome(reader, "f" + posts.get(1), "" + posts.get(0));
        f.home(reader, 3);
        assertThat(reads()).as("too short").isEqualTo("home=3 rebuilt=2 profiles=2");
    }

    private String reads() {
        return DialTest.reads(f);
    }

    private double rebuilds() {
        return f.stores.timelines().metrics().rebuilds();
    }

    private List<Long> walkUp(int limit) {
        List<Long> walk = new ArrayList<>();
        Page<Status> page = f.home(reader, PageRequest.justAbove(1, limit));
        while (!page.items().isEmpty()) {
            walk.addAll(0, ids(page));
            page = f.home(reader, PageRequest.justAbove(page.prev(), limit));
        }
        return walk;
    }

    @Test
    void cursorsAreExclusiveAndLowerEndsHold() {
        List<Long> posts = posts(reader, 9);
        assertThat(ids(f.home(reader, new PageRequest(posts.get(2), 0, 0, 3)))).isEqualTo(posts.subList(3, 6));
        assertThat(ids(f.home(reader, new PageRequest(Id.MAX, posts.get(5), 0, 3))))
                .as("since: the newest")
                .isEqualTo(posts.subList(0, 3));
        assertThat(ids(f.home(reader, new PageRequest(Id.MAX, posts.get(2), 0, 9))))
                .isEqualTo(posts.subList(0, 2));
        assertThat(ids(f.home(reader, new PageRequest(Id.MAX, 0, posts.get(7), 3))))
                .as("min: just above")
                .isEqualTo(posts.subList(4, 7));
        assertThat(ids(f.home(reader, new PageRequest(posts.get(1), 0, posts.get(3), 9))))
                .isEqualTo(posts.subList(2, 3));
        assertThat(ids(f.home(reader, new PageRequest(Id.MAX, 0, posts.get(0), 3))))
                .isEmpty();
        assertThat(ids(f.home(reader, new PageRequest(1, 0, 0, 3)))).isEmpty();
    }

    @Test
    void aPageSaysExactlyWhetherSomethingOlderExists() {
        List<Long> posts = posts(reader, 6);
        assertThat(f.home(reader, PageRequest.newest(6)).next()).isZero();
        assertThat(f.home(reader, PageRequest.newest(5)).next()).isEqualTo(posts.get(4));
        assertThat(f.home(reader, PageRequest.newest(5)).prev()).isEqualTo(posts.get(0));
        assertThat(f.home(reader, PageRequest.olderThan(posts.get(2), 3)).next())
                .isZero();
        assertThat(f.home(reader, new PageRequest(Id.MAX, posts.get(3), 0, 9)).next())
                .as("below since_id")
                .isEqualTo(posts.get(2));
        assertThat(f.home(reader, new PageRequest(Id.MAX, posts.get(0), 0, 9)).next())
                .isEqualTo(posts.get(0) + 1);
        f.delete(reader, posts.get(5));
        assertThat(f.home(reader, PageRequest.newest(5)).next())
                .as("only a deleted one is older")
                .isZero();
    }

    @Test
    void aHomeFullOfLeftoversShowsTheLivingOnes() {
        f.follow(reader, author);
        f.home(reader, 1);
        List<Long> living = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            long post = f.post(author);
            f.fanOut(author, post);
            if (i % 10 == 0) {
                living.add(0, post);
            } else {
                f.delete(author, post);
            }
        }
        assertThat(f.home(reader, 2)).isEqualTo(living.subList(0, 2));
        assertThat(f.walkDown(reader, 1)).isEqualTo(living);
        assertThat(walkUp(1)).isEqualTo(living);
    }

    @Test
    void aProfilePageSkipsMissingPostsUntilItFindsOne() {
        long old = f.post(author);
        f.arrangeGone(Keys.profile(author), old, 3000);
        assertThat(ids(profile(PageRequest.newest(20)))).containsExactly(old);

        long fresh = f.post(author);
        assertThat(ids(profile(PageRequest.justAbove(old, 20)))).containsExactly(fresh);
    }

    @Test
    void aFullRedisStillAnswersHomesThatAreAway() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 2);
        f.redis.servers().forEach(server -> TestRedis.ask(server, "CONFIG", "SET", "maxmemory", "1"));
        try {
            assertThat(f.home(reader, 3)).isEqualTo(posts);
            assertThat(f.list(reader)).isEmpty();
        } finally {
            f.redis.servers().forEach(server -> TestRedis.ask(server, "CONFIG", "SET", "maxmemory", "0"));
        }
    }

    @Test
    void aRedisThatTakesNoWritesStillAnswersHomes() {
        f.follow(reader, author);
        List<Long> posts = posts(author, 2);
        configure("min-replicas-to-write", "1");
        try {
            assertThat(f.home(reader, 3)).as("away").isEqualTo(posts);
            assertThat(f.list(reader)).isEmpty();
        } finally {
            configure("min-replicas-to-write", "0");
        }
        assertThat(f.home(reader, 3)).isEqualTo(posts);
        f.redis.askAt(Keys.home(reader), "EXPIRE", Keys.home(reader), "60");
        configure("min-replicas-to-write", "1");
        try {
            assertThat(f.home(reader, 3)).as("to be renewed").isEqualTo(posts);
        } finally {
            configure("min-replicas-to-write", "0");
        }
        f.redis.askAt(Keys.home(reader), "DEL", Keys.home(reader));
        f.arrangeHome(reader, "f" + posts.get(0));
        configure("min-replicas-to-write", "1");
        try {
            assertThat(f.home(reader, 3)).as("too short").isEqualTo(posts);
        } finally {
            configure("min-replicas-to-write", "0");
        }
    }

    private void configure(String name, String value) {
        f.redis.servers().forEach(server -> TestRedis.ask(server, "CONFIG", "SET", name, value));
    }

    @Test
    void privatePostsAreForFollowersAndTheAuthor() {
        long open = post(Visibility.PUBLIC);
        long unlisted = post(Visibility.UNLISTED);
        long secret = post(Visibility.PRIVATE);
        assertThat(profile(0)).containsExactly(unlisted, open);
        assertThat(profile(reader)).containsExactly(unlisted, open);
        assertThat(profile(author)).containsExactly(secret, unlisted, open);
        assertThat(maySee(0, secret)).isFalse();
        assertThat(maySee(reader, secret)).isFalse();
        assertThat(maySee(reader, unlisted)).isTrue();
        assertThat(maySee(author, secret)).isTrue();
        f.follow(reader, author);
        assertThat(profile(reader)).containsExactly(secret, unlisted, open);
        assertThat(maySee(reader, secret)).isTrue();
        assertThat(f.home(reader, 5)).containsExactly(secret, unlisted, open);
    }

    private long post(Visibility visibility) {
        Post post = Post.of(author, visibility, Content.of("hello"));
        return f.get(() -> f.stores.statuses().post(post, null)).status().id();
    }

    private List<Long> profile(long viewer) {
        return ids(f.get(() -> f.stores.timelines().profile(author, viewer, PageRequest.newest(10))));
    }

    private boolean maySee(long viewer, long id) {
        Status status = f.get(() -> f.stores.statuses().find(id)).orElseThrow();
        return f.get(() -> f.stores.timelines().maySee(viewer, status));
    }

    @Test
    void profilesAreServedInPagesWithoutGapOrRepeat() {
        List<Long> posts = posts(author, 12);
        for (int limit : new int[] {1, 2, 5, 11, 12, 13}) {
            List<Long> down = new ArrayList<>();
            long cursor = Id.MAX;
            while (cursor > 0) {
                Page<Status> page = profile(PageRequest.olderThan(cursor, limit));
                down.addAll(ids(page));
                cursor = page.next();
            }
            assertThat(down).as("by %d", limit).isEqualTo(posts);
            List<Long> up = new ArrayList<>();
            Page<Status> page = profile(PageRequest.justAbove(1, limit));
            while (!page.items().isEmpty()) {
                up.addAll(0, ids(page));
                page = profile(PageRequest.justAbove(page.prev(), limit));
            }
            assertThat(up).as("upward by %d", limit).isEqualTo(posts);
        }
        assertThat(ids(profile(new PageRequest(Id.MAX, posts.get(4), 0, 2)))).isEqualTo(posts.subList(0, 2));
    }

    private Page<Status> profile(PageRequest page) {
        return f.get(() -> f.stores.timelines().profile(author, 0, page));
    }

    @Test
    void aRebuildOfManyAuthorsKeepsItsBoundHonest() {
        long[] users = f.users(5);
        List<Long> all = new ArrayList<>();
        for (int i = 1; i < 5; i++) {
            f.follow(reader, users[i]);
            all.addAll(posts(users[i], i * 2));
        }
        all.sort((a, b) -> Long.compare(b, a));
        for (int limit : new int[] {1, 3, 20}) {
            f.redis.askAt(Keys.home(reader), "DEL", Keys.home(reader));
            assertThat(f.walkDown(reader, limit)).as("by %d", limit).isEqualTo(all);
        }
    }

    @Test
    void aRebuildReadsMoreOnlyOfThoseWhoHaveMoreAmongTheNewest() {
        long[] users = f.users(5);
        List<Long> all = new ArrayList<>();
        for (int i = 1; i < 5; i++) {
            f.follow(reader, users[i]);
            // The last one has all that a home holds; of the one before, that is known only after a second look.
            all.addAll(posts(users[i], i == 4 ? 20 : 10));
        }
        all.sort((a, b) -> Long.compare(b, a));
        f.redis.askAt(Keys.home(reader), "DEL", Keys.home(reader));
        List<String> reads = new ArrayList<>();
        Page<Status> page = read(PageRequest.newest(3), reads);
        assertThat(ids(page)).isEqualTo(all.subList(0, 3));
        assertThat(reads)
                .containsExactlyInAnyOrder(
                        "4 of " + users[1],
                        "4 of " + users[2],
                        "4 of " + users[3],
                        "4 of " + users[4],
                        "0 of " + reader,
                        "6 of " + users[3],
                        "8 of " + users[4]);
        assertThat(f.list(reader)).hasSize(13);
    }

    /** A page of the reader's home, which may hold twelve; adds what was read of which profile. */
    private Page<Status> read(PageRequest page, List<String> reads) {
        Steps steps = new Steps(f.link, (command, reply) -> {
            if (command.toString().startsWith("ZRANGE profile")) {
                reads.add(reply.items().size() + " of " + command.toString().replaceAll(".*:", ""));
            }
        });
        Settings roomy = StoreFixture.settings("feeds.home-max=12");
        Timelines timelines = Stores.on(steps, roomy, 1).timelines();
        List<Page<Status>> pages = new ArrayList<>();
        f.get(() -> {
            timelines.home(reader, page).onComplete(read -> pages.add(read.result()));
            return Future.succeededFuture();
        });
        while (steps.canStep()) {
            f.get(steps::step);
        }
        return pages.get(0);
    }

    @Test
    void aPageBelowAHomeReadsMoreOnlyOfThoseWhoHaveMoreOnIt() {
        long[] users = f.users(5);
        List<Long> all = new ArrayList<>();
        for (int i = 1; i < 5; i++) {
            f.follow(reader, users[i]);
            all.addAll(posts(users[i], 10));
        }
        all.sort((a, b) -> Long.compare(b, a));
        f.redis.askAt(Keys.home(reader), "DEL", Keys.home(reader));
        f.arrangeHome(reader, "f" + all.get(0));
        List<String> reads = new ArrayList<>();
        List<String> few = new ArrayList<>(List.of("0 of " + reader));
        for (int i = 1; i < 5; i++) {
            few.add("4 of " + users[i]);
        }

        assertThat(ids(read(PageRequest.olderThan(all.get(3), 2), reads))).isEqualTo(all.subList(4, 6));
        assertThat(reads).containsExactlyInAnyOrderElementsOf(few);

        reads.clear();
        few.add("2 of " + users[4]);
        assertThat(ids(read(PageRequest.olderThan(all.get(3), 7), reads))).isEqualTo(all.subList(4, 11));
        assertThat(reads).as("of whom the first look did not show all").containsExactlyInAnyOrderElementsOf(few);
    }

    /** Newest first. */
    private List<Long> posts(long by, int count) {
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            posts.add(0, f.post(by));
        }
        return posts;
    }
}

package io.fanfare.core.feed;

import static io.fanfare.core.testing.StoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Steps;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** One schedule for each rule of the protocol: right with the rule, wrong without it. */
@ParameterizedClass
@KindsOfRedis
public class RulesTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture fixture;
    /** Failures of programs. A schedule that only fails shows nothing of a rule. */
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    private long seed; // Another for each process, as in production: tokens must differ.
    private long reader;
    private long author;
    private long other;

    @BeforeEach
    void open() {
        fixture = StoreFixture.on(kind.redis());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The schedule must give what is right with all rules, and something else without the one. */
    private <T> void assertNeeds(Rules rule, BiFunction<Rules, StoreFixture, Outcome<T>> schedule) {
        Outcome<T> right = fresh(Rules.ALL, schedule);
        assertThat(right.seen()).isEqualTo(right.expected());
        Outcome<T> broken = fresh(rule, schedule);
        assertThat(broken.seen()).as("without the rule").isNotEqualTo(broken.expected());
    }

    private <T> Outcome<T> fresh(Rules rules, BiFunction<Rules, StoreFixture, Outcome<T>> schedule) {
        fixture.redis.flush();
        long[] users = fixture.users(3);
        reader = users[0];
        author = users[1];
        other = users[2];
        Outcome<T> outcome = schedule.apply(rules, fixture);
        assertThat(failures).as("what failed with " + rules).isEmpty();
        return outcome;
    }

    private record Outcome<T>(T seen, T expected) {}

    /** A process that goes step by step. */
    private final class Running {
        final Steps steps = new Steps(fixture.link, (command, reply) -> {});
        final Stores stores;

        Running(Rules rules) {
            stores = Stores.on(steps, fixture.settings, ++seed, rules);
        }

        void start(Function<Stores, io.vertx.core.Future<?>> program) {
            fixture.get(() -> {
                program.apply(stores).onFailure(failures::add);
                return io.vertx.core.Future.succeededFuture();
            });
        }

        void runUntil(String command) {
            while (!steps.next().startsWith(command + " ")) {
                fixture.get(steps::step);
            }
        }

        void runToEnd() {
            while (steps.canStep()) {
                fixture.get(steps::step);
            }
        }
    }

    private void expire(long user) {
        fixture.redis.askAt(Keys.home(user), "DEL", Keys.home(user));
    }

    @Test
    void aLateRebuildDoesNotCompleteTheHomeOfAnother() {
        assertNeeds(Rules.NO_TOKEN, (rules, f) -> {
            f.follow(reader, author);
            Running first = new Running(rules);
            first.start(stores -> stores.timelines().home(reader, PageRequest.newest(3)));
            first.runUntil("home_merge");
            expire(reader);
            long post = f.post(author);
            f.fanOut(author, post); // To nobody: there is no home.
            Running second = new Running(rules);
            second.start(stores -> stores.timelines().home(reader, PageRequest.newest(3)));
            second.runUntil("home_create");
            f.get(second.steps::stepAndDie);
            first.runToEnd();
            return new Outcome<>(f.home(reader, 3), List.of(post));
        });
    }

    @Test
    void aRebuildRemembersHowFarDownItHasRead() {
        assertNeeds(Rules.NO_FLOOR_AT_REBUILD, (rules, f) -> {
            List<Long> posts = List.of(f.post(reader), f.post(reader), f.post(reader), f.post(reader), f.post(reader));
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.get(() -> stores.timelines().home(reader, PageRequest.newest(1)));
            return new Outcome<>(
                    f.walkDown(reader, 10),
                    posts.stream().sorted((a, b) -> Long.compare(b, a)).toList());
        });
    }

    @Test
    void aTrimRemembersWhatItHasDropped() {
        assertNeeds(Rules.NO_FLOOR_AT_TRIM, (rules, f) -> {
            f.follow(reader, author);
            f.home(reader, 1);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            List<Long> posts = new java.util.ArrayList<>();
            for (int i = 0; i < 8; i++) {
                long post = f.post(author);
                posts.add(0, post);
                f.get(() -> stores.homes().push(List.of(new Homes.Delivery(reader, List.of(post)))));
            }
            return new Outcome<>(f.walkDown(reader, 10), posts);
        });
    }

    @Test
    void aTrimCountsOnlyWhatStaysSorted() {
        assertNeeds(Rules.NO_COUNT_AT_TRIM, (rules, f) -> {
            f.follow(reader, author);
            String[] p = posts(f, 8);
            f.arrangeHome(reader, "f0/4", p[0], p[1], p[2], p[3]);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            push(f, stores, p[7], p[4]);
            push(f, stores, p[5], p[6]);
            return new Outcome<>(newest(f, stores), List.of(Long.parseLong(p[7])));
        });
    }

    @Test
    void removedEntriesAreNoLongerCounted() {
        assertNeeds(Rules.NO_COUNT_AT_TAKE_OUT, (rules, f) -> {
            f.follow(reader, author);
            String[] p = posts(f, 6);
            f.arrangeHome(reader, "f0/3", p[0], p[1], p[2], p[5], p[3], p[4]);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            for (int i = 0; i < 3; i++) {
                long gone = Long.parseLong(p[i]);
                f.get(() -> stores.homes().takeOut(List.of(new Homes.Removal(reader, gone))));
            }
            return new Outcome<>(newest(f, stores), List.of(Long.parseLong(p[5])));
        });
    }

    @Test
    void theTailOfAHomeIsReadFromWhereItIsSorted() {
        assertNeeds(Rules.TAIL_WITHOUT_COUNT, (rules, f) -> {
            f.follow(reader, author);
            String[] p = posts(f, 4);
            f.arrangeHome(reader, "f0/1", p[0], p[3], p[1], p[2]);
            return new Outcome<>(newest(f, Stores.on(f.link, f.settings, 7, rules)), List.of(Long.parseLong(p[3])));
        });
    }

    @Test
    void everyReadChecksWhetherTheKnownFollowsAreCurrent() {
        assertNeeds(Rules.NO_VERSION, (rules, f) -> {
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.follow(reader, author);
            f.post(author);
            f.get(() -> stores.timelines().home(reader, PageRequest.newest(1)));
            f.get(() -> stores.timelines().home(reader, PageRequest.newest(1)));
            f.follow(reader, other);
            long newer = f.post(other);
            f.fanOut(other, newer);
            f.get(() -> f.stores.graph().unfollow(reader, author));
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(3)))), List.of(newer));
        });
    }

    @Test
    void aPageBelowTheHomeGoesOnOnlyWithTheFollowsOfNow() {
        assertNeeds(Rules.WALK_OF_OTHER_FOLLOWS, (rules, f) -> {
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            long older = f.post(other);
            f.follow(reader, author);
            posts(f, 12);
            expire(reader);
            Page<Status> page = f.get(() -> stores.timelines().home(reader, PageRequest.newest(6)));
            for (int i = 0; i < 2; i++) {
                long next = page.next();
                page = f.get(() -> stores.timelines().home(reader, PageRequest.olderThan(next, 2)));
            }
            f.follow(reader, other);
            long next = page.next();
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.olderThan(next, 9))))
                            .contains(older),
                    true);
        });
    }

    @Test
    void aPageBelowTheHomeIsTheSameWhereverTheOneBeforeHasBeen() {
        assertNeeds(Rules.WALK_FROM_ANYWHERE, (rules, f) -> {
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.follow(reader, author);
            posts(f, 12);
            expire(reader);
            long top = f.get(() -> stores.timelines().home(reader, PageRequest.newest(6)))
                    .next();
            List<Long> first = ids(f.get(() -> stores.timelines().home(reader, PageRequest.olderThan(top, 2))));
            long next = first.get(1);
            f.get(() -> stores.timelines().home(reader, PageRequest.olderThan(next, 2)));
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.olderThan(top, 2)))), first);
        });
    }

    @CanIgnoreReturnValue
    private String[] posts(StoreFixture f, int count) {
        String[] posts = new String[count];
        for (int i = 0; i < count; i++) {
            posts[i] = "" + f.post(author);
        }
        return posts;
    }

    private void push(StoreFixture f, Stores stores, String... ids) {
        List<Long> pushed = java.util.stream.Stream.of(ids).map(Long::parseLong).toList();
        f.get(() -> stores.homes().push(List.of(new Homes.Delivery(reader, pushed))));
    }

    private List<Long> newest(StoreFixture f, Stores stores) {
        return ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(1))));
    }

    @Test
    void aBackfillRemembersThatItHasMergedOnlyTheNewest() {
        assertNeeds(Rules.NO_FLOOR_AT_BACKFILL, (rules, f) -> {
            List<Long> posts = new java.util.ArrayList<>();
            for (int i = 0; i < 6; i++) {
                posts.add(0, f.post(author));
            }
            f.home(reader, 1);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.get(() -> stores.follows().follow(reader, author));
            return new Outcome<>(f.walkDown(reader, 10), posts);
        });
    }

    @Test
    void aBackfillDoesNotCompleteAHomeThatIsBeingBuilt() {
        assertNeeds(Rules.BACKFILL_CLEARS_MARK, (rules, f) -> {
            f.follow(reader, other);
            long old = f.post(other);
            expire(reader);
            Running reading = new Running(rules);
            reading.start(stores -> stores.timelines().home(reader, PageRequest.newest(3)));
            reading.runUntil("home_create");
            f.get(reading.steps::stepAndDie);
            long recent = f.post(author);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.get(() -> stores.follows().follow(reader, author));
            return new Outcome<>(f.home(reader, 3), List.of(recent, old));
        });
    }

    @Test
    void aFollowThatHasEndedMeanwhileIsTakenBack() {
        assertNeeds(Rules.NO_RECHECK, (rules, f) -> {
            Running following = new Running(rules);
            following.start(stores -> stores.follows().follow(reader, author));
            following.runUntil("link");
            long edge = f.get(() -> f.stores.graph().unfollow(reader, author)).edge();
            f.get(() -> f.stores.follows().finishUnfollow(reader, author, edge));
            f.redis.askAt(Keys.unlinked(author), "DEL", Keys.unlinked(author)); // A day goes by.
            following.runToEnd();
            return new Outcome<>(f.get(() -> f.stores.graph().followersAfter(author, 0, 10)), List.<Edge>of());
        });
    }

    /**
     * The worker has linked for the one that stands still; nobody would take back what that one links in its last
     * moment.
     */
    @Test
    void aFollowThatHasEndedIsNotLinkedByOneWhoDies() {
        assertNeeds(Rules.NO_FENCE, (rules, f) -> {
            Running following = new Running(rules);
            following.start(stores -> stores.follows().follow(reader, author));
            following.runUntil("link");
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            long edge = f.get(() -> stores.graph().unfollow(reader, author)).edge();
            f.get(() -> stores.follows().finishFollow(reader, author, edge));
            f.get(() -> stores.follows().finishUnfollow(reader, author, edge));
            f.get(following.steps::stepAndDie);
            return new Outcome<>(f.get(() -> f.stores.graph().followersAfter(author, 0, 10)), List.<Edge>of());
        });
    }

    @Test
    void aFormerFollowerCanFollowAgain() {
        long[] users = fixture.users(2);
        long first = fixture.follow(users[0], users[1]);
        fixture.get(() -> fixture.stores.follows().unfollow(users[0], users[1]));
        fixture.get(() -> fixture.stores.graph().unlink(users[0], users[1], first));
        long second = fixture.follow(users[0], users[1]);
        assertThat(fixture.get(() -> fixture.stores.graph().followersAfter(users[1], 0, 10)))
                .containsExactly(new Edge(users[0], second));
        assertThat(fixture.members(Keys.unlinked(users[1]))).containsExactly("" + users[0]);
        assertThat(fixture.number(Keys.unlinked(users[1]), "TTL", Keys.unlinked(users[1])))
                .isBetween(86_000L, 86_400L);
    }

    @Test
    void aLateUnfollowSparesTheNextFollow() {
        assertNeeds(Rules.UNLINK_ANY_EDGE, (rules, f) -> {
            long first = f.follow(reader, author);
            f.get(() -> f.stores.graph().unfollow(reader, author));
            long second = f.follow(reader, author);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.get(() -> stores.follows().finishUnfollow(reader, author, first));
            return new Outcome<>(
                    f.get(() -> f.stores.graph().followersAfter(author, 0, 10)), List.of(new Edge(reader, second)));
        });
    }

    @Test
    void aLateCleanUpSparesThePostsOfTheNextFollow() {
        assertNeeds(Rules.CLEAN_WITHOUT_CHECK, (rules, f) -> {
            long first = f.follow(reader, author);
            f.home(reader, 1);
            f.get(() -> f.stores.graph().unfollow(reader, author));
            f.follow(reader, author);
            long post = f.post(author);
            f.fanOut(author, post);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.get(() -> stores.follows().finishUnfollow(reader, author, first));
            return new Outcome<>(f.home(reader, 3), List.of(post));
        });
    }

    @Test
    void fanOutsKnowTheFollowerBeforeTheProfileIsRead() {
        assertNeeds(Rules.BACKFILL_FIRST, (rules, f) -> {
            f.home(reader, 1);
            Running following = new Running(rules);
            following.start(stores -> stores.follows().follow(reader, author));
            following.runUntil("home_backfill");
            long post = f.post(author);
            f.fanOut(author, post);
            following.runToEnd();
            return new Outcome<>(f.home(reader, 3), List.of(post));
        });
    }

    @Test
    void aNewFollowerGetsWhatWasPostedBefore() {
        assertNeeds(Rules.NO_BACKFILL, (rules, f) -> {
            long post = f.post(author);
            f.home(reader, 1);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.get(() -> stores.follows().follow(reader, author));
            return new Outcome<>(f.home(reader, 3), List.of(post));
        });
    }

    @Test
    void aDeletedStatusIsNotShownBeforeItIsCleanedUp() {
        assertNeeds(Rules.NO_FILTER_OF_DELETED, (rules, f) -> {
            f.follow(reader, author);
            f.home(reader, 1);
            long post = f.post(author);
            f.fanOut(author, post);
            f.delete(author, post);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(3)))), List.<Long>of());
        });
    }

    @Test
    void theStatusOfSomebodyNoLongerFollowedIsNotShownBeforeItIsCleanedUp() {
        assertNeeds(Rules.NO_FILTER_OF_UNFOLLOWED, (rules, f) -> {
            f.follow(reader, author);
            f.home(reader, 1);
            f.fanOut(author, f.post(author));
            f.get(() -> f.stores.graph().unfollow(reader, author));
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(3)))), List.<Long>of());
        });
    }

    @Test
    void theRepostOfSomebodyFollowedWithoutThemIsNotShownThoughItIsPushed() {
        assertNeeds(Rules.NO_FILTER_OF_REPOSTS, (rules, f) -> {
            f.get(() -> f.stores.follows().follow(reader, author, /* reposts= */ false));
            f.home(reader, 1);
            Reference original = new Reference(f.post(other), other);
            Post post = new Post(author, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, null, original, null);
            f.fanOut(
                    author,
                    f.get(() -> f.stores.statuses().post(post, null)).status().id());
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(3)))), List.<Long>of());
        });
    }

    @Test
    void postsOfAMutedAuthorAreHiddenThoughTheHomeHoldsThem() {
        assertNeeds(Rules.NO_FILTER_OF_HIDDEN, (rules, f) -> {
            f.follow(reader, author);
            f.home(reader, 1);
            f.fanOut(author, f.post(author));
            Blocks blocks = new Blocks(f.link, f.settings, f.stores.graph(), f.stores.follows());
            f.get(() -> blocks.mute(reader, author, true));
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(3)))), List.<Long>of());
        });
    }

    @Test
    void leftoversInAHomeDoNotEndThePagingEarly() {
        assertNeeds(Rules.SHORT_PAGE_ENDS, (rules, f) -> {
            f.follow(reader, author);
            f.home(reader, 1);
            long kept = f.post(author);
            f.fanOut(author, kept);
            for (int i = 0; i < 3; i++) {
                long gone = f.post(author);
                f.fanOut(author, gone);
                f.delete(author, gone);
            }
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(2)))), List.of(kept));
        });
    }

    /**
     * Fixed case "head" of the model: a home whose posts are taken out one by one, while an old one arrives late, keeps
     * its floor.
     */
    @Test
    void takingOutWhatHasTheFloorsIdLeavesTheFloor() {
        long[] users = fixture.users(2);
        reader = users[0];
        author = users[1];
        fixture.follow(reader, author);
        long[] posts = new long[5];
        for (int i = 0; i < posts.length; i++) {
            posts[i] = fixture.get(() -> fixture.stores.statuses().post(Post.of(author, "hello"), null))
                    .status()
                    .id();
        }
        fixture.arrangeHome(reader, "f" + posts[2], "" + posts[3], "" + posts[4]);
        kill(posts[3]);
        kill(posts[4]);
        fixture.fanOut(author, posts[0]);
        kill(posts[2]);
        assertThat(fixture.list(reader)).startsWith("f" + posts[2]);
        assertThat(fixture.home(reader, 4)).containsExactly(posts[1], posts[0]);
    }

    @Test
    void pulledPostsAreDeliveredBeforePullingEnds() {
        assertNeeds(Rules.NO_CATCH_UP, (rules, f) -> {
            List<Long> posts = turnedDown(rules, f, 1);
            catchUp(Stores.on(f.link, f.settings, 7, rules));
            return new Outcome<>(f.walkDown(reader, 10), posts);
        });
    }

    @Test
    void aCatchUpRemembersThatItHasDeliveredOnlyTheNewest() {
        assertNeeds(Rules.NO_FLOOR_AT_CATCH_UP, (rules, f) -> {
            List<Long> posts = turnedDown(rules, f, 2);
            catchUp(Stores.on(f.link, f.settings, 7, rules));
            return new Outcome<>(f.walkDown(reader, 10), posts);
        });
    }

    @Test
    void theEndOfACatchUpSparesThePullingThatHasBegunAgain() {
        assertNeeds(Rules.ANY_CATCH_UP_ENDS_PULLING, (rules, f) -> {
            turnedDown(rules, f, 1);
            long pulled = post(dialed(rules, f, 0));
            catchUp(Stores.on(f.link, f.settings, 7, rules));
            return new Outcome<>(f.home(reader, 1), List.of(pulled));
        });
    }

    @Test
    void aHomeThatTakesWhatWasPulledRemembersHowFarDownThatReaches() {
        assertNeeds(Rules.NO_FLOOR_AT_PULL, (rules, f) -> {
            List<Long> posts = pulled(rules, f, 6);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.get(() -> stores.timelines().home(reader, PageRequest.newest(1)));
            awaitPulled(f);
            return new Outcome<>(f.walkDown(reader, 10), posts);
        });
    }

    /** A failover has lost what was put into it last. */
    @Test
    void aHomeThatHoldsLessThanTheReadWentByTakesNothing() {
        assertNeeds(Rules.PULL_INTO_ANY_HOME, (rules, f) -> {
            List<Long> posts = new ArrayList<>(pulled(rules, f, 1));
            f.home(reader, 1);
            awaitPulled(f);
            for (int i = 0; i < 2; i++) {
                posts.add(0, post(dialed(rules, f, 0)));
            }
            Running reading = new Running(rules);
            reading.start(stores -> stores.homes()
                    .pull(
                            reader,
                            posts.get(1),
                            System.currentTimeMillis(),
                            new IdRange(posts.subList(0, 1), 0),
                            Set.of()));
            expire(reader);
            f.arrangeHome(reader, "f0~" + posts.get(3), "" + posts.get(3));
            reading.runToEnd();
            return new Outcome<>(f.walkDown(reader, 10), posts);
        });
    }

    @Test
    void postsAfterAHomeTookPulledOnesArePulledToo() {
        assertNeeds(Rules.NO_MARGIN_AT_PULL, (rules, f) -> {
            pulled(rules, f, 1);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.get(() -> stores.timelines().home(reader, PageRequest.newest(1)));
            awaitPulled(f);
            long next = post(dialed(rules, f, 0));
            return new Outcome<>(f.home(reader, 1), List.of(next));
        });
    }

    @Test
    void postsAfterTheCreationOfAHomeArePulledToo() {
        assertNeeds(Rules.NO_MARGIN_AT_CREATE, (rules, f) -> {
            pulled(rules, f, 1);
            expire(reader);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            f.get(() -> stores.timelines().home(reader, PageRequest.newest(1)));
            long next = post(dialed(rules, f, 0));
            return new Outcome<>(f.home(reader, 1), List.of(next));
        });
    }

    @Test
    void aCutRangeOfAPulledAuthorIsReadFurther() {
        assertNeeds(Rules.CUT_PULL_IS_WHOLE, (rules, f) -> {
            f.get(() -> f.stores.follows().follow(reader, author, false));
            List<Long> posts = pulled(rules, f, 1);
            for (long original = 1; original <= 2; original++) {
                Reference other = new Reference(original, author);
                Post repost =
                        new Post(author, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, null, other, null);
                f.get(() -> dialed(rules, f, 0).statuses().post(repost, null));
            }
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.newest(1)))), posts.subList(0, 1));
        });
    }

    @Test
    void pagesUpwardPullAsWell() {
        assertNeeds(Rules.NO_PULL_UPWARD, (rules, f) -> {
            List<Long> posts = pulled(rules, f, 3);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.justAbove(posts.get(3), 2)))),
                    posts.subList(1, 3));
        });
    }

    @Test
    void aPollBelowTheFloorOfAHomeReadsProfiles() {
        assertNeeds(Rules.POLL_ABOVE_THE_HOME, (rules, f) -> {
            f.follow(reader, author);
            long seen = f.post(author);
            long next = f.post(author);
            f.arrangeHome(reader, "f" + next);
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.justAbove(seen, 2)))), List.of(next));
        });
    }

    @Test
    void aPollReadsFollowedHashtags() {
        assertNeeds(Rules.POLL_WITHOUT_TAGS, (rules, f) -> {
            f.get(() -> new FollowedTags(f.link, f.settings).follow(reader, "java"));
            long seen = f.post(reader);
            f.home(reader, 1);
            f.post(author); // Later than the first one.
            Content content = new Content("x", "", false, null, List.of(), List.of("java"), null);
            Post tagged = Post.of(author, Visibility.PUBLIC, content);
            Status next = f.get(() -> f.stores.statuses().post(tagged, null)).status();
            f.get(() -> publicTimelines(f).add(List.of(next)));
            Stores stores = Stores.on(f.link, f.settings, 7, rules);
            return new Outcome<>(
                    ids(f.get(() -> stores.timelines().home(reader, PageRequest.justAbove(seen, 2)))),
                    List.of(next.id()));
        });
    }

    private static PublicTimelines publicTimelines(StoreFixture f) {
        InstantSource clock = InstantSource.system();
        return new PublicTimelines(
                f.link, f.stores.statuses(), new ViewerRelationshipsReader(f.link, clock), f.settings.feeds(), clock);
    }

    private static Stores dialed(Rules rules, StoreFixture f, int most) {
        return Stores.on(f.link, StoreFixture.settings("feeds.push-max-followers=" + most), 7, rules);
    }

    private long post(Stores stores) {
        return fixture.get(() -> stores.statuses().post(Post.of(author, "hello"), null))
                .status()
                .id();
    }

    /** The posts of an author, newest first, of which all but the oldest are left to the reader, who has a home. */
    @CanIgnoreReturnValue
    private List<Long> pulled(Rules rules, StoreFixture f, int count) {
        f.follow(reader, author);
        f.home(reader, 1);
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i <= count; i++) {
            posts.add(0, post(dialed(rules, f, 0)));
        }
        f.fanOut(author, posts.get(count));
        long last = posts.get(0);
        await("the next millisecond", () -> System.currentTimeMillis() > Id.epochMillis(last));
        return posts;
    }

    /** The same with one more, which is pushed again. */
    @CanIgnoreReturnValue
    private List<Long> turnedDown(Rules rules, StoreFixture f, int count) {
        List<Long> posts = new ArrayList<>(pulled(rules, f, count));
        posts.add(0, f.post(author));
        f.fanOut(author, posts.get(0));
        return posts;
    }

    /** Runs the job as a worker does. */
    private void catchUp(Stores stores) {
        List<String> jobs = fixture.jobs(Id.shard(author), "low");
        Job.CatchUp job = (Job.CatchUp)
                JobCodec.decode("0 0 1 " + jobs.get(jobs.size() - 1)).job();
        fixture.get(() -> stores.statuses()
                .pulled(author, job.from(), job.to())
                .compose(pulled -> stores.homes().catchUp(List.of(reader), pulled))
                .compose(done -> stores.statuses().endPull(author, job.from(), job.to())));
    }

    /** Until the home has taken what was pulled, which happens beside the answer. */
    private void awaitPulled(StoreFixture f) {
        await("the home to take what was pulled", () -> f.list(reader).get(0).contains("~"));
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 5_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting for " + what).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private void kill(long post) {
        fixture.delete(author, post);
        fixture.get(() -> fixture.stores.homes().takeOut(List.of(new Homes.Removal(reader, post))));
    }
}

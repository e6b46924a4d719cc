package io.fanfare.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventKey;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.RelationshipState;
import io.fanfare.common.model.UserList;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.UserLists;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.feed.RulesTest;
import io.fanfare.core.feed.Stores;
import io.fanfare.core.graph.Follows;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.Verification;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Follows as users see them, with their events; the order of the steps is tried in {@link RulesTest} and
 * {@link SimulationTest}.
 */
@ParameterizedClass
@KindsOfRedis
class FollowsTest {
    private static final Graph.Terms NOTIFIED = new Graph.Terms(null, true);

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Follows follows;
    private EventLog events;
    private long ann;
    private long bob;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        events = new EventLog(f.link, new Random(1), f.settings.stream());
        follows = new Follows(
                f.stores.graph(),
                f.stores.homes(),
                f.stores.statuses(),
                events,
                (account, notification) -> Future.succeededFuture());
        long[] users = f.users(2);
        ann = users[0];
        bob = users[1];
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void aFollowIsCompleteWhenItIsAnswered() {
        long post = f.post(bob);
        f.home(ann, 1);
        Graph.Change change = f.get(() -> follows.follow(ann, bob));
        assertThat(change.changed()).isTrue();
        assertThat(f.home(ann, 1)).containsExactly(post);
        assertThat(f.account(bob).followersCount()).isEqualTo(1);
        assertThat(f.get(() -> new ViewerRelationshipsReader(f.link, InstantSource.system()).of(bob, List.of(ann)))
                        .relation(ann))
                .isEqualTo(RelationshipState.FOLLOWER);
        TestRedis.awaitUntil("the event is there", () -> missing(Event.Kind.FOLLOW, change.edge())
                .isEmpty());
    }

    @Test
    void postSubscribersAreLimited() {
        String listeners = Keys.listeners(bob);
        for (int i = 0; i < Graph.LISTENERS_MAX; i++) {
            long other = 4711L + i;
            f.redis.askAt(listeners, "ZADD", listeners, "1", "" + other);
            f.redis.askAt(Keys.bells(other), "ZADD", Keys.bells(other), "1", "" + bob);
            f.redis.askAt(Keys.following(other), "ZADD", Keys.following(other), "1", "" + bob);
        }
        assertThatThrownBy(() -> f.get(() -> follows.follow(ann, bob, NOTIFIED)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("without notify");
        assertThat(f.get(() -> follows.follow(ann, bob)).changed()).isTrue();

        f.redis.askAt(Keys.bells(4711), "DEL", Keys.bells(4711));
        assertThat(f.get(() -> follows.follow(ann, bob, NOTIFIED)).terms())
                .as("who wants it no more makes room")
                .isPositive();
        assertThat(f.members(listeners)).doesNotContain("4711");
    }

    /** As a failover does that loses the last writes of the followee's shard, or a worker of an older version. */
    @Test
    void aRepeatedFollowRestoresALostPostSubscription() {
        f.get(() -> follows.follow(ann, bob, NOTIFIED));
        awaitListener();
        f.redis.askAt(Keys.listeners(bob), "DEL", Keys.listeners(bob));

        assertThat(f.get(() -> follows.follow(ann, bob, NOTIFIED)).terms())
                .as("nothing has changed here")
                .isZero();

        awaitListener();
        assertThat(f.get(() -> f.stores.graph().listeners(bob, Id.MAX, null)).accounts())
                .containsExactly(ann);
    }

    private void awaitListener() {
        TestRedis.awaitUntil(
                "the other side follows", () -> f.members(Keys.listeners(bob)).contains(Long.toString(ann)));
    }

    @Test
    void aPostInAnotherLanguageSkipsTheSubscriberAndKeepsTheSubscription() {
        f.get(() -> follows.follow(ann, bob, new Graph.Terms(null, true, List.of("en", "pt"))));
        awaitListener();
        Graph graph = f.stores.graph();
        assertThat(f.get(() -> graph.listeners(bob, Id.MAX, "de")).accounts()).isEmpty();
        for (String language : Arrays.asList("en", "pt-BR", "pt_BR", null)) {
            assertThat(f.get(() -> graph.listeners(bob, Id.MAX, language)).accounts())
                    .as("in %s", language)
                    .containsExactly(ann);
        }
    }

    @Test
    void changedTermsAreLoggedWhileTheOtherSideCannotBeReached() {
        Watched watched = new Watched(f.link);
        long change = f.get(() -> f.stores.graph().follow(ann, bob, Lane.HIGH, NOTIFIED))
                .terms();
        watched.before("ZADD", () -> Future.failedFuture(new IllegalStateException("for the test")));

        assertThatThrownBy(() -> f.get(() -> through(watched).finishTerms(ann, bob, change)))
                .hasMessageContaining("for the test");

        assertThat(missing(Event.Kind.TERMS, change)).isEmpty();
        assertThat(f.members(Keys.listeners(bob))).isEmpty();
        f.get(() -> follows.finishTerms(ann, bob, change));
        assertThat(f.members(Keys.listeners(bob))).containsExactly(Long.toString(ann));
    }

    /** As an unfollow and a follow by processes of a version that knows no languages leave them. */
    @Test
    void languagesThatOutlivedTheirFollowAreNoneOfTheNext() {
        f.get(() -> follows.follow(ann, bob));
        UserLists lists = new UserLists(f.link, f.settings);
        long list = f.get(() -> lists.create(ann, "friends", UserList.Replies.LIST, false))
                .id();
        f.get(() -> lists.add(ann, list, List.of(bob)));
        String languages = Keys.languages(ann);
        f.redis.askAt(languages, "HSET", languages, "" + bob, "5 en");
        String version =
                f.redis.askAt(Keys.user(ann), "HGET", Keys.user(ann), "version").asString();

        assertThat(f.get(() -> new ViewerRelationshipsReader(f.link, InstantSource.system()).details(ann, List.of(bob)))
                        .languages())
                .isEmpty();
        assertThat(f.get(() -> f.stores.graph().follows(ann, bob)).languages().get(bob))
                .isEmpty();
        assertThat(f.get(() -> f.stores.graph().followingOf(ann)).languages()).isEmpty();
        assertThat(f.get(() -> lists.standing(ann, list, bob)).languages()).isEmpty();
        assertThat(f.get(() -> lists.contents(ann, list)).orElseThrow().languages())
                .isEmpty();
        UserLists.Reading reading = UserLists.Reading.of(list, f.get(() -> f.link.send(UserLists.read(ann, list, ""))));
        assertThat(reading.languages()).isEmpty();

        assertThat(f.get(() -> follows.follow(ann, bob, new Graph.Terms(null, null, List.of())))
                        .terms())
                .as("it was so already")
                .isZero();
        assertThat(f.redis.askAt(languages, "HLEN", languages).asLong()).isZero();
        assertThat(f.redis
                        .askAt(Keys.user(ann), "HGET", Keys.user(ann), "version")
                        .asString())
                .isNotEqualTo(version);
        f.get(() -> follows.follow(ann, bob, new Graph.Terms(null, null, List.of("de"))));
        assertThat(f.get(() -> f.stores.graph().followingOf(ann)).languages()).isEqualTo(Map.of(bob, List.of("de")));
    }

    /** As an unfollow or a block by a process of a version that knows no bells does. */
    @Test
    void aBellThatOutlivedItsFollowIsNoneOfTheNext() {
        f.get(() -> follows.follow(ann, bob, NOTIFIED));
        awaitListener();
        String bells = Keys.bells(ann);
        String edge = f.redis.askAt(bells, "ZSCORE", bells, "" + bob).asString();
        f.get(() -> follows.unfollow(ann, bob));
        f.redis.askAt(bells, "ZADD", bells, edge, "" + bob);
        assertThat(subscribers()).as("nobody follows").isEmpty();

        f.redis.askAt(Keys.following(ann), "ZADD", Keys.following(ann), edge + "1", "" + bob);
        ViewerRelationshipsReader reader = new ViewerRelationshipsReader(f.link, InstantSource.system());
        assertThat(subscribers()).as("followed again by an older process").isEmpty();
        assertThat(f.get(() -> reader.details(ann, List.of(bob))).notifying()).isEmpty();
        f.redis.askAt(Keys.following(ann), "DEL", Keys.following(ann));

        f.get(() -> follows.follow(ann, bob));
        assertThat(f.members(bells)).as("followed again by this one").isEmpty();
        f.get(() -> follows.follow(ann, bob, NOTIFIED));
        awaitListener();
        assertThat(subscribers()).containsExactly(ann);
        assertThat(f.get(() -> reader.details(ann, List.of(bob))).notifying()).containsExactly(bob);
    }

    private List<Long> subscribers() {
        return f.get(() -> f.stores.graph().listeners(bob, Id.MAX, null)).accounts();
    }

    @Test
    void afterAnyStormThePostSubscribersAreTheFollowersWhoWantIt() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Set<String> done = new HashSet<>();
        for (int round = 0; round < 20; round++) {
            f.get(() -> {
                List<Future<?>> storm = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    storm.add(
                            switch (random.nextInt(4)) {
                                case 0, 1 -> follows.follow(ann, bob, new Graph.Terms(null, random.nextBoolean()));
                                case 2 -> follows.follow(ann, bob, new Graph.Terms(random.nextBoolean(), null));
                                default -> follows.unfollow(ann, bob);
                            });
                }
                return Future.join(storm).<Void>mapEmpty();
            });
            for (String job : f.jobs(Id.shard(ann), "high")) {
                if (job.startsWith("terms.1 ") && done.add(job)) {
                    long change = Long.parseLong(job.substring(job.lastIndexOf(' ') + 1));
                    f.get(() -> follows.finishTerms(ann, bob, change));
                }
            }
            boolean wants = !f.members(Keys.bells(ann)).isEmpty();
            assertThat(wants && f.members(Keys.following(ann)).isEmpty())
                    .as("seed %d", seed)
                    .isFalse();
            TestRedis.awaitUntil("both sides agree, seed " + seed, () -> f.get(
                            () -> f.stores.graph().listeners(bob, Id.MAX, null))
                    .accounts()
                    .equals(wants ? List.of(ann) : List.of()));
        }
    }

    @Test
    void anUnfollowIsInForceWhenItIsAnsweredAndFinishesByItself() {
        f.home(ann, 1);
        f.post(bob);
        f.get(() -> follows.follow(ann, bob));
        Graph.Change change = f.get(() -> follows.unfollow(ann, bob));
        assertThat(f.home(ann, 1)).isEmpty();
        TestRedis.awaitUntil("the other side follows", () -> f.account(bob).followersCount() == 0);
        TestRedis.awaitUntil("the home is cleaned", () -> f.list(ann).size() == 1);
        TestRedis.awaitUntil("the event is there", () -> missing(Event.Kind.UNFOLLOW, change.edge())
                .isEmpty());
        assertThat(f.get(() -> follows.unfollow(ann, bob)).changed()).isFalse();
    }

    /** As a failover does that loses the last writes of the follower's shard. */
    @Test
    void anUnfollowThatItsShardHasLostIsOverWhenTheAccountIsFollowedAgain() {
        f.home(ann, 1);
        long before = f.get(() -> follows.follow(ann, bob)).edge();
        Map<String, byte[]> state = saved(Keys.user(ann), Keys.following(ann));
        f.get(() -> follows.unfollow(ann, bob));
        TestRedis.awaitUntil("the other side follows", () -> f.account(bob).followersCount() == 0);
        TestRedis.awaitUntil(
                "the event is there", () -> missing(Event.Kind.UNFOLLOW, before).isEmpty());
        state.forEach(this::bringBack);
        long missed = f.post(bob);

        Graph.Change again = f.get(() -> follows.follow(ann, bob));

        assertThat(f.members(Keys.followers(bob))).containsExactly(Long.toString(ann));
        assertThat(f.account(bob).followersCount()).isEqualTo(1);
        assertThat(f.account(ann).followingCount()).isEqualTo(1);
        assertThat(f.home(ann, 1)).containsExactly(missed);
        String edge = f.redis
                .askAt(Keys.following(ann), "ZSCORE", Keys.following(ann), Long.toString(bob))
                .asString();
        assertThat(again.edge()).isEqualTo(before);
        assertThat(Long.parseLong(edge)).isGreaterThan(before);
        TestRedis.awaitUntil("streams learn of it", () -> missing(Event.Kind.FOLLOW, Long.parseLong(edge))
                .isEmpty());
        assertClean();

        f.get(() -> follows.unfollow(ann, bob));
        TestRedis.awaitUntil("the other side follows", () -> f.account(bob).followersCount() == 0);
    }

    @Test
    void aFollowThatItsShardHasLostIsOverWhenTheAccountIsUnfollowedAgain() {
        f.home(ann, 1);
        Map<String, byte[]> state = saved(Keys.user(ann));
        long edge = f.get(() -> follows.follow(ann, bob)).edge();
        f.post(bob);
        state.forEach(this::bringBack);
        f.redis.askAt(Keys.following(ann), "DEL", Keys.following(ann));

        assertThat(f.get(() -> follows.unfollow(ann, bob)).changed()).isFalse();

        assertThat(f.members(Keys.followers(bob))).isEmpty();
        assertThat(f.account(bob).followersCount()).isZero();
        assertThat(missing(Event.Kind.UNFOLLOW, edge)).isEmpty();
        assertClean();
    }

    @Test
    void anUnfollowDoesNotEndAFollowThatBeginsMeanwhile() {
        f.home(ann, 1);
        long edge = f.get(() -> follows.follow(ann, bob)).edge();
        assertThat(f.get(() -> f.stores.graph().oneSidedEdge(ann, bob))).isZero();
        assertThat(f.get(() -> f.stores.graph().renew(ann, bob, edge - 1)).changed())
                .isFalse();
        assertThat(f.members(Keys.followers(bob))).containsExactly(Long.toString(ann));
    }

    private Map<String, byte[]> saved(String... keys) {
        Map<String, byte[]> state = new LinkedHashMap<>();
        for (String key : keys) {
            state.put(key, f.redis.askAt(key, "DUMP", key).asBytes());
        }
        return state;
    }

    private void bringBack(String key, byte[] value) {
        f.get(() -> f.link.send(Command.of("RESTORE", key, 0, value, "REPLACE")));
    }

    private void assertClean() {
        Verification.assertClean(f.get(() -> Verification.of(f.link, f.settings)));
    }

    private List<EventKey> missing(Event.Kind kind, long edge) {
        return f.get(() -> events.missing(List.of(new EventKey(kind, edge))));
    }

    @Test
    void theRepairJobFinishesAFollowThatDiedAfterItsFirstStep() {
        long post = f.post(bob);
        f.home(ann, 1);
        long edge = f.get(() -> f.stores.graph().follow(ann, bob)).edge();
        f.get(() -> follows.finishFollow(ann, bob, edge));
        f.get(() -> follows.finishFollow(ann, bob, edge));
        assertThat(f.list(ann)).containsExactly("f0/1", "" + post);
        assertThat(f.account(bob).followersCount()).isEqualTo(1);
        assertThat(missing(Event.Kind.FOLLOW, edge)).isEmpty();
    }

    @Test
    void aRepairJobOfAFollowThatHasEndedLogsNothingAndLeavesNothing() {
        long edge = f.get(() -> f.stores.graph().follow(ann, bob)).edge();
        f.get(() -> f.stores.graph().unfollow(ann, bob));
        f.get(() -> follows.finishFollow(ann, bob, edge));
        assertThat(f.members(Keys.followers(bob))).isEmpty();
        assertThat(missing(Event.Kind.FOLLOW, edge)).containsExactly(new EventKey(Event.Kind.FOLLOW, edge));
    }

    @Test
    void impossibleFollowsAreRefused() {
        assertRefused(ann, ann, Reason.INVALID);
        assertRefused(ann, 4711, Reason.NOT_FOUND);
        f.redis.askAt(Keys.user(bob), "HSET", Keys.user(bob), "state", "pending");
        assertRefused(ann, bob, Reason.NOT_FOUND);
        assertThat(f.account(ann).followingCount()).isZero();
    }

    private void assertRefused(long follower, long followee, Reason reason) {
        assertThatThrownBy(() -> f.get(() -> follows.follow(follower, followee)))
                .asInstanceOf(InstanceOfAssertFactories.type(Refusal.class))
                .extracting(Refusal::reason)
                .isEqualTo(reason);
    }

    /** The edges of follows that have only begun. */
    private List<Edge> begun(long follower, long... followees) {
        return Arrays.stream(followees)
                .mapToObj(followee -> new Edge(
                        followee,
                        f.get(() -> f.stores.graph().follow(follower, followee)).edge()))
                .toList();
    }

    /** A graph of accounts that may follow more than those of the fixture. */
    private Follows through(Redis redis) {
        Stores stores = Stores.on(redis, StoreFixture.settings("limits.following-max=100"), 1);
        return new Follows(
                stores.graph(),
                stores.homes(),
                stores.statuses(),
                new EventLog(redis, new Random(1), f.settings.stream()),
                (account, notification) -> Future.succeededFuture());
    }

    @Test
    void manyChangesOfOneReaderRewriteTheHomeOnce() {
        long[] others = f.users(3);
        f.home(ann, 1);
        List<Long> posts = new ArrayList<>();
        for (long other : others) {
            posts.add(f.post(other));
        }
        Watched watched = new Watched(f.link);
        Follows many = through(watched);
        List<Edge> follows = begun(ann, others);
        for (int i = 1; i <= 2; i++) {
            f.get(() -> Future.join(many.finishFollows(ann, follows)).mapEmpty());
            assertThat(watched.count("home_backfill")).isEqualTo(i);
            assertThat(f.home(ann, 4)).containsExactlyInAnyOrderElementsOf(posts);
        }
        List<Edge> ended = Arrays.stream(others)
                .mapToObj(other -> new Edge(
                        other,
                        f.get(() -> f.stores.graph().unfollow(ann, other)).edge()))
                .toList();
        f.get(() -> Future.join(many.finishUnfollows(ann, ended)).mapEmpty());
        assertThat(watched.count("home_clean")).isEqualTo(1);
        assertThat(f.list(ann)).hasSize(1);
        for (long other : others) {
            assertThat(f.account(other).followersCount()).isZero();
        }
        assertThat(f.get(() -> Verification.of(f.link, f.settings)).left()).isEmpty();
    }

    @Test
    void hundredFollowsAreOneScriptOneJobAndOneRewrite() {
        long[] hundred = others(100);
        Set<Long> others = Arrays.stream(hundred).boxed().collect(Collectors.toCollection(LinkedHashSet::new));
        List<Long> posts = new ArrayList<>();
        for (long other : hundred) {
            posts.add(f.post(other));
        }
        f.home(ann, 1);
        Watched watched = new Watched(f.link);
        Follows many = through(watched);

        assertThat(f.get(() -> many.followAll(ann, others))).isEmpty();
        Job.Changes follows = onlyJob("normal");
        assertThat(f.account(ann).followingCount()).isEqualTo(100);
        assertThat(watched.count("follow_some")).isEqualTo(1);
        assertThat(watched.count("follow")).isZero();
        for (int i = 1; i <= 2; i++) {
            f.get(() -> many.finishChanges(follows));
            assertThat(watched.count("home_backfill")).isEqualTo(i);
        }
        posts.sort(Comparator.naturalOrder());
        List<String> newest = new ArrayList<>(List.of("f" + posts.get(95) + "/4"));
        posts.subList(96, 100).forEach(post -> newest.add(post.toString()));
        assertThat(f.list(ann)).isEqualTo(newest);

        assertThat(f.get(() -> many.unfollowAll(ann, others))).isEmpty();
        Job.Changes ends = onlyJob("normal");
        assertThat(watched.count("unfollow_some")).isEqualTo(1);
        f.get(() -> many.finishChanges(ends));
        assertThat(watched.count("home_clean")).isEqualTo(1);
        assertThat(f.list(ann)).hasSize(1);
        assertClean();
    }

    @Test
    void tenFollowsAreCompleteWhenTheyAreAnsweredAndHaveOneJob() {
        Set<Long> others = Arrays.stream(others(10)).boxed().collect(Collectors.toSet());
        List<Long> posts = new ArrayList<>();
        others.forEach(other -> posts.add(f.post(other)));
        f.home(ann, 1);
        Watched watched = new Watched(f.link);
        Set<Long> requested = new LinkedHashSet<>(others);
        requested.addAll(List.of(ann, 4711L));

        Map<Long, Refusal> refused = f.get(() -> through(watched).followAll(ann, others));
        assertThat(refused).isEmpty();
        assertThat(onlyJob("high").changes()).hasSize(10);
        assertThat(f.home(ann, 11)).containsExactlyInAnyOrderElementsOf(posts);
        assertThat(watched.count("home_backfill")).isEqualTo(1);
        assertThat(f.get(() -> follows.followAll(ann, requested))).containsOnlyKeys(ann, 4711L);

        assertThat(f.get(() -> through(watched).unfollowAll(ann, others))).isEmpty();
        TestRedis.awaitUntil("the home is cleaned", () -> f.list(ann).size() == 1);
        assertThat(watched.count("home_clean")).isEqualTo(1);
        TestRedis.awaitUntil("the other sides follow", () -> others.stream()
                .allMatch(other -> f.account(other).followersCount() == 0));
        assertClean();
    }

    /** Takes all jobs out of a lane, which holds one of this type. */
    private Job.Changes onlyJob(String lane) {
        String key = Keys.lane(Id.shard(ann), lane);
        List<Job.Changes> changes = f.redis.askAt(key, "LRANGE", key, "0", "-1").items().stream()
                .map(line -> JobCodec.decode(line.asString()).job())
                .filter(Job.Changes.class::isInstance)
                .map(Job.Changes.class::cast)
                .toList();
        f.redis.askAt(key, "DEL", key);
        assertThat(changes).hasSize(1);
        return changes.get(0);
    }

    /** Beside ann and bob. */
    private long[] others(int count) {
        return Arrays.copyOfRange(f.users(count + 2), 2, count + 2);
    }

    @Test
    void aRepeatedRepairJobWritesNothing() {
        long[] others = others(3);
        f.home(ann, 1);
        for (long other : others) {
            f.post(other);
        }
        f.get(() -> follows.follow(ann, others[0]));
        f.get(() -> follows.follow(ann, others[1]));
        String home = Keys.home(ann);
        f.redis.askAt(home, "RPUSH", home, "1");

        f.get(() -> follows.finishFollows(ann, List.of(edgeOf(others[0]))).get(0));
        assertThat(f.list(ann)).as("not rewritten").hasSize(4).endsWith("1");
        f.get(() -> follows.finishUnfollow(ann, others[2], 1));
        assertThat(f.list(ann)).as("not rewritten").hasSize(4).endsWith("1");
    }

    private Edge edgeOf(long followee) {
        String following = Keys.following(ann);
        return new Edge(
                followee,
                f.redis.askAt(following, "ZSCORE", following, "" + followee).asLong());
    }

    @Test
    void aFollowThatEndsDuringTheRewriteLeavesTheOthersAlone() {
        long[] others = f.users(3);
        f.home(ann, 1);
        List<Long> posts = new ArrayList<>();
        for (long other : others) {
            posts.add(f.post(other));
        }
        Watched watched = new Watched(f.link);
        List<Edge> follows = begun(ann, others);
        watched.before("home_backfill", () -> f.stores.graph().unfollow(ann, others[1]));
        f.get(() -> Future.join(through(watched).finishFollows(ann, follows)).mapEmpty());
        assertThat(f.list(ann))
                .contains(posts.get(0).toString(), posts.get(2).toString())
                .doesNotContain(posts.get(1).toString());
        assertThat(f.home(ann, 4)).containsExactlyInAnyOrder(posts.get(0), posts.get(2));
    }

    @Test
    void aFollowWhoseOtherSideFailsFailsAlone() {
        long[] others = f.users(3);
        f.home(ann, 1);
        long post = f.post(others[0]);
        Watched watched = new Watched(f.link);
        List<Edge> follows = begun(ann, others);
        watched.before("link", () -> Future.failedFuture(new IllegalStateException("for the test")));
        List<Future<Void>> done = new ArrayList<>();
        f.get(() -> {
            done.addAll(through(watched).finishFollows(ann, follows));
            return Future.join(done).otherwiseEmpty().mapEmpty();
        });
        assertThat(done).extracting(Future::failed).containsExactly(true, false, false);
        f.get(() -> Future.join(this.follows.finishFollows(ann, follows)).mapEmpty());
        assertThat(f.home(ann, 4)).containsExactly(post);
    }

    /** Counts the scripts that pass, and can do something before the first of a kind. */
    private static final class Watched implements Redis {
        private final Redis redis;
        private final List<String> passed = new ArrayList<>();
        private String awaited = "-";
        private Supplier<Future<?>> act;

        Watched(Redis redis) {
            this.redis = redis;
        }

        void before(String script, Supplier<Future<?>> step) {
            awaited = script;
            act = step;
        }

        long count(String script) {
            return passed.stream().filter(name -> name.startsWith(script + " ")).count();
        }

        @Override
        public Future<Reply> send(Command command) {
            String name = command.toString();
            passed.add(name);
            if (name.startsWith(awaited + " ")) {
                awaited = "-";
                return act.get().compose(done -> redis.send(command));
            }
            return redis.send(command);
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            return redis.pipeline(commands);
        }
    }
}

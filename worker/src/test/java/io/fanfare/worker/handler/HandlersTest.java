package io.fanfare.worker.handler;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Post.Kind;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.Graph;
import io.fanfare.common.view.RenderContext;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.queue.Outcome;
import io.fanfare.core.queue.Outcome.Continued;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.worker.graph.ChangesHandler;
import io.fanfare.worker.graph.EdgesHandler;
import io.fanfare.worker.graph.RequestsHandler;
import io.fanfare.worker.handler.Lease.LeaseLost;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The effects of each type of job, with real stores. */
@ParameterizedClass
@KindsOfRedis
class HandlersTest {
    private final TestRedis.Kind kind;
    private Feeds feeds;

    HandlersTest(TestRedis.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        feeds = Feeds.on(kind.redis());
    }

    @AfterEach
    void close() {
        feeds.close();
    }

    @Test
    void aStatusReachesEveryFollowerOncePageByPage() {
        long[] u = feeds.users(8);
        followedBy(u[0], u, 1, 8);
        long status = feeds.post(u[0]);

        List<Job.FanOut> jobs = walk(new Job.FanOut(u[0], status, 0));

        assertThat(jobs).as("3 + 3 + 1 followers").hasSize(3);
        for (int i = 1; i < 8; i++) {
            assertThat(feeds.home(u[i])).containsExactly(status);
        }
    }

    @Test
    void aPulledStatusIsAnnouncedAndGoesIntoNoHome() {
        long[] u = feeds.users(2);
        followedBy(u[0], u, 1, 2);
        long status = feeds.post(u[0]);

        assertThat(feeds.run(feeds.fanOut.announcing(), new Job.Announce(u[0], status)))
                .containsExactly(Outcome.DONE);
        assertThat(feeds.run(feeds.fanOut.announcing(), new Job.Announce(u[0], status)))
                .as("twice")
                .containsExactly(Outcome.DONE);
        assertThat(feeds.home(u[1])).isEmpty();
        assertThat(feeds.homeWrites).isEmpty();
        assertThat(feeds.get(() -> feeds.events.read(0, 100)).events())
                .filteredOn(logged -> logged.event().kind() == Event.Kind.STATUS)
                .singleElement()
                .satisfies(logged -> assertThat(logged.event().id()).isEqualTo("s" + status));
        assertThat(feeds.members(Keys.PUBLIC)).containsExactly(Long.toString(status));
    }

    @Test
    void aCatchUpReachesEveryFollowerAndThenEndsThePulling() {
        long[] u = feeds.users(8);
        followedBy(u[0], u, 1, 8);
        long before = feeds.post(u[0]);
        long first = feeds.post(u[0]);
        long second = feeds.post(u[0]);
        long after = feeds.post(u[0]);
        dial(u[0], first, after);
        feeds.away.add(Keys.home(followers(u[0]).get(1)));

        Job.CatchUp job = new Job.CatchUp(u[0], first, after, 0);
        assertThat(feeds.run(feeds.catchUp, job))
                .as("put off until all can be reached")
                .singleElement()
                .isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(retry.countsAttempt())
                        .isFalse());
        feeds.away.clear();
        int pages = 0;
        while (job != null) {
            pages++;
            Outcome outcome = feeds.run(feeds.catchUp, job).get(0);
            assertThat(feeds.members(Keys.pulledAuthors(Id.shard(u[0]))).isEmpty())
                    .as("page %d", pages)
                    .isEqualTo(outcome == Outcome.DONE);
            job = outcome instanceof Continued more
                    ? (Job.CatchUp) more.rest().get(0).job()
                    : null;
        }
        assertThat(pages).as("3 + 3 + 1 followers").isEqualTo(3);
        for (int i = 1; i < 8; i++) {
            assertThat(feeds.home(u[i])).contains(first, second).doesNotContain(before, after);
        }
    }

    private void dial(long author, long from, long to) {
        String user = Keys.user(author);
        feeds.redis.askAt(user, "HSET", user, "dial", "down " + from + " " + to);
        String pulled = Keys.pulledAuthors(Id.shard(author));
        feeds.redis.askAt(pulled, "ZADD", pulled, "" + to, "" + author);
    }

    @Test
    void aLastPageThatIsFullIsFollowedByAnEmptyOne() {
        long[] u = feeds.users(4);
        followedBy(u[0], u, 1, 4);
        long status = feeds.post(u[0]);

        assertThat(walk(new Job.FanOut(u[0], status, 0))).hasSize(2);
        assertThat(feeds.home(u[3])).containsExactly(status);
    }

    @Test
    void homesThatNobodyReadsStayAway() {
        long[] u = feeds.users(2);
        followedBy(u[0], u, 1, 2);
        feeds.redis.askAt(Keys.home(u[1]), "DEL", Keys.home(u[1]));
        long status = feeds.post(u[0]);

        assertThat(feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 0))).containsExactly(Outcome.DONE);
        assertThat(feeds.redis.keys()).doesNotContain(Keys.home(u[1]));
    }

    @Test
    void theJobsOfABatchMakeOnePushPerReader() {
        long[] u = feeds.users(4);
        followedBy(u[0], u, 2, 4);
        followedBy(u[1], u, 2, 3);
        long a = feeds.post(u[0]);
        long b = feeds.post(u[1]);
        long c = feeds.post(u[0]);

        List<Outcome> outcomes = feeds.run(
                feeds.fanOut, new Job.FanOut(u[0], a, 0), new Job.FanOut(u[1], b, 0), new Job.FanOut(u[0], c, 0));

        assertThat(outcomes).containsExactly(Outcome.DONE, Outcome.DONE, Outcome.DONE);
        assertThat(feeds.home(u[2])).containsExactlyInAnyOrder(a, b, c);
        assertThat(feeds.home(u[3])).containsExactlyInAnyOrder(a, c);
        assertThat(feeds.homeWrites)
                .containsExactlyInAnyOrder("RPUSHX " + Keys.home(u[2]), "RPUSHX " + Keys.home(u[3]));
    }

    @Test
    void firstPagesMakeSureOfTheEventOnce() {
        long[] u = feeds.users(2);
        long known = feeds.post(u[0]);
        long unknown = feeds.post(u[1]);
        Status status = feeds.get(() -> feeds.statuses.find(known)).orElseThrow();
        feeds.get(() -> feeds.events.append(new EventBodies(feeds.views)
                .posted(status, RenderContext.of(new Account(u[0], "user0", "", "", 0, 0, 1, 0)))));

        for (int i = 0; i < 2; i++) {
            feeds.run(feeds.fanOut, new Job.FanOut(u[0], known, 0), new Job.FanOut(u[1], unknown, 0));
        }

        assertThat(feeds.log()).containsExactly("s" + known, "s" + unknown);
    }

    @Test
    void anEventThatShowsAStatusDeletedMeanwhileIsRenderedAgain() {
        long[] u = feeds.users(3);
        long original = feeds.post(Post.of(u[1], "secret"));
        long quote = quoteThatMentions(u[2], u[0], new Reference(original, u[1]));

        feeds.beforeAppend = () -> deleteElsewhere(u[1], original);
        feeds.run(feeds.fanOut, new Job.FanOut(u[0], quote, 0));

        assertThat(feeds.log()).startsWith("d" + original, "s" + quote);
        assertThat(feeds.get(() -> feeds.events.read(0, 100)).events())
                .hasSizeGreaterThan(2)
                .noneMatch(logged -> (logged.event().match() + logged.event().body()).contains("secret"))
                .filteredOn(logged -> logged.event().kind() != Event.Kind.DELETE)
                .allMatch(logged -> logged.event().body().contains("{\"state\":\"deleted\",\"quoted_status\":null}"));
    }

    private long quoteThatMentions(long user2, long author, Reference original) {
        Content content =
                new Content("look @user2", "", false, null, List.of(new Mention(user2, "user2")), List.of(), null);
        return feeds.post(new Post(author, Visibility.PUBLIC, Kind.POST, content, null, null, original, null));
    }

    private void deleteElsewhere(long author, long status) {
        Status deleted = feeds.get(() -> feeds.statuses.delete(author, status)).orElseThrow();
        feeds.get(() -> feeds.eventsElsewhere.append(EventBodies.deleted(deleted)));
    }

    @Test
    void aNotificationThatShowsAStatusDeletedMeanwhileIsRenderedAgain() {
        long[] u = feeds.users(3);
        long original = feeds.post(Post.of(u[1], "secret"));
        long quote = quoteThatMentions(u[2], u[0], new Reference(original, u[1]));
        // Then its job has only the notification left.
        feeds.get(() -> feeds.events.append(new Event(Event.Kind.STATUS, quote, u[0], 0, Visibility.PUBLIC, "{}")));

        feeds.beforeAppend = () -> deleteElsewhere(u[1], original);
        feeds.run(feeds.fanOut, new Job.FanOut(u[0], quote, 0));

        assertThat(feeds.get(() -> feeds.events.read(2, 100)).events())
                .isNotEmpty()
                .allMatch(logged -> logged.event().kind() == Event.Kind.NOTIFICATION)
                .allMatch(logged -> logged.event().body().contains("{\"state\":\"deleted\",\"quoted_status\":null}"))
                .noneMatch(logged -> logged.event().body().contains("secret"));
    }

    @Test
    void aListThatCannotBeWrittenHoldsUpNeitherHomesNorOtherLists() {
        long[] u = feeds.users(2);
        followedBy(u[0], u, 1, 2);
        Content content = new Content("#cats", "", false, null, List.of(), List.of("cats"), null);
        long status = feeds.post(new Post(u[0], Visibility.PUBLIC, Kind.POST, content, null, null, null, null));
        feeds.redis.askAt(Keys.PUBLIC, "SET", Keys.PUBLIC, "not a list");

        Job.Deliver rest = deliver(feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 0)), 0);

        assertThat(rest.shards()).isEmpty();
        assertThat(feeds.home(u[1])).containsExactly(status);
        assertThat(feeds.redis.keys()).anyMatch(key -> key.startsWith("tag:"));
        assertThat(feeds.run(feeds.deliver, TestLease.held(), List.of(rest)))
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.failed())
                        .as("so that it is tried again")
                        .isTrue());
        feeds.redis.askAt(Keys.PUBLIC, "DEL", Keys.PUBLIC);
        assertThat(feeds.run(feeds.deliver, rest)).containsExactly(Outcome.DONE);
        assertThat(feeds.home(u[1])).as("pushed once").containsExactly(status);
        assertThat(feeds.members(Keys.PUBLIC)).containsExactly(Long.toString(status));
    }

    @Test
    void homesThatCannotBeReachedHoldUpNeitherOthersNorTheNextPage() {
        long[] u = feeds.users(5);
        followedBy(u[0], u, 1, 5);
        long status = feeds.post(u[0]);
        long unlucky = followers(u[0]).get(1);
        feeds.away.add(Keys.home(unlucky));

        List<Outcome> first = feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 0));
        Job.FanOut next = (Job.FanOut) ((Continued) first.get(0)).rest().get(0).job();
        Job.Deliver rest = deliver(first, 1);
        assertThat(rest.shards()).containsExactly(Id.shard(unlucky));
        assertThat(feeds.home(unlucky)).isEmpty();
        assertThat(feeds.run(feeds.fanOut, next)).containsExactly(Outcome.DONE);
        assertThat(feeds.run(feeds.deliver, rest))
                .as("put off, which is no attempt")
                .singleElement()
                .isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(retry.countsAttempt())
                        .isFalse());
        feeds.away.clear();
        assertThat(feeds.run(feeds.deliver, rest, rest)).containsOnly(Outcome.DONE);

        for (long reader : followers(u[0])) {
            // Only homes of that shard are pushed to again, as often as its job runs.
            int most = Id.shard(reader) == Id.shard(unlucky) ? 4 : 1;
            assertThat(feeds.home(reader)).hasSizeBetween(1, most).containsOnly(status);
        }
    }

    @Test
    void nothingIsDeliveredAfterAnUnfollowOrADelete() {
        long[] u = feeds.users(4);
        followedBy(u[0], u, 1, 4);
        long status = feeds.post(u[0]);
        feeds.away.addAll(List.of(Keys.home(u[1]), Keys.home(u[2])));
        Job.Deliver rest = deliver(feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 0)), 1);
        feeds.away.clear();
        feeds.get(() -> feeds.follows.unfollow(u[1], u[0]));

        feeds.afterPush = () -> deleteElsewhere(u[0], status);
        assertThat(feeds.run(feeds.deliver, rest)).containsExactly(Outcome.DONE);

        assertThat(feeds.home(u[1])).isEmpty();
        assertThat(feeds.home(u[2])).as("taken back").isEmpty();
        assertThat(feeds.run(feeds.deliver, rest)).containsExactly(Outcome.DONE);
        assertThat(feeds.home(u[2])).isEmpty();
    }

    @Test
    void aHomeThatIsNoListIsDroppedAndTheOthersAreServed() {
        long[] u = feeds.users(3);
        followedBy(u[0], u, 1, 3);
        long status = feeds.post(u[0]);
        feeds.redis.askAt(Keys.home(u[1]), "SET", Keys.home(u[1]), "no list");

        assertThat(feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 0))).containsExactly(Outcome.DONE);

        assertThat(feeds.home(u[2])).containsExactly(status);
        assertThat(feeds.redis.keys()).as("to be built anew").doesNotContain(Keys.home(u[1]));
    }

    @Test
    void aFanOutThatReachesNobodyIsHeld() {
        long[] u = feeds.users(3);
        followedBy(u[0], u, 1, 3);
        long status = feeds.post(u[0]);
        feeds.away.addAll(List.of(Keys.home(u[1]), Keys.home(u[2])));

        assertThat(feeds.run(feeds.fanOut, TestLease.held(), List.of(new Job.FanOut(u[0], status, 0))))
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.cause()).hasMessageContaining("not connected"));
    }

    /** The job for what was left out, in its place among the further jobs. */
    private static Job.Deliver deliver(List<Outcome> outcomes, int place) {
        return (Job.Deliver) ((Continued) outcomes.get(0)).rest().get(place).job();
    }

    @Test
    void furtherPagesLeaveTheEventAlone() {
        long[] u = feeds.users(1);
        long status = feeds.post(u[0]);

        feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 7));

        assertThat(feeds.log()).isEmpty();
    }

    @Test
    void runningTwiceShowsNothingTwice() {
        long[] u = feeds.users(2);
        followedBy(u[0], u, 1, 2);
        long status = feeds.post(u[0]);

        feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 0));
        feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 0), new Job.FanOut(u[0], status, 0));

        assertThat(feeds.get(() -> feeds.homes.raw(u[1]))).containsExactly(status);
    }

    @Test
    void aDeletedStatusIsDoneWithoutAPush() {
        long[] u = feeds.users(8);
        followedBy(u[0], u, 1, 8);
        long gone = feeds.post(u[0]);
        long alive = feeds.post(u[0]);
        feeds.get(() -> feeds.statuses.delete(u[0], gone));

        List<Outcome> outcomes = feeds.run(feeds.fanOut, new Job.FanOut(u[0], gone, 0), new Job.FanOut(u[0], alive, 0));

        assertThat(outcomes.get(0)).isEqualTo(Outcome.DONE);
        assertThat(outcomes.get(1)).isInstanceOf(Continued.class);
        assertThat(feeds.home(u[1])).containsExactly(alive);
        assertThat(feeds.log()).containsExactly("s" + alive);
    }

    @Test
    void aStatusDeletedDuringThePushIsTakenBack() {
        long[] u = feeds.users(3);
        followedBy(u[0], u, 1, 3);
        long gone = feeds.post(u[0]);
        long alive = feeds.post(u[0]);
        feeds.afterPush = () -> feeds.get(() -> feeds.statuses.delete(u[0], gone));

        feeds.run(feeds.fanOut, new Job.FanOut(u[0], gone, 0), new Job.FanOut(u[0], alive, 0));

        assertThat(feeds.home(u[1])).containsExactly(alive);
        assertThat(feeds.home(u[2])).containsExactly(alive);
    }

    @Test
    void aReplyIsCountedAndNotifiesItsMentionsOnceHoweverOftenItsJobRuns() {
        long[] u = feeds.users(4);
        long root = feeds.post(u[0]);
        long reply = feeds.post(reply(u[1], root, u[0], Kind.POST, u[0], u[2], u[1]));

        for (int i = 0; i < 3; i++) {
            feeds.run(feeds.fanOut, new Job.FanOut(u[1], reply, 0), new Job.FanOut(u[1], reply, 0));
        }

        String notification = "mention " + u[1] + " " + reply;
        assertThat(feeds.members(Keys.notifications(u[0]))).containsExactly(notification);
        assertThat(feeds.members(Keys.notifications(u[2]))).containsExactly(notification);
        assertThat(feeds.members(Keys.notifications(u[1]))).isEmpty();
        assertThat(feeds.get(() -> feeds.statuses.find(root))
                        .orElseThrow()
                        .counters()
                        .comments())
                .isEqualTo(1);
        assertThat(feeds.members(Keys.PUBLIC)).isEmpty();
    }

    @Test
    void aPostNotifiesItsAuthorsSubscribersOnceHoweverOftenItsJobRuns() {
        long[] u = feeds.users(5);
        long before = feeds.post(u[0]);
        TestRedis.awaitUntil("time passes", () -> System.currentTimeMillis() > Id.epochMillis(before) + 1);
        Graph.Terms wanted = new Graph.Terms(null, true);
        for (int i : new int[] {1, 2, 3}) {
            feeds.get(() -> feeds.follows.follow(u[i], u[0], wanted));
        }
        feeds.get(() -> feeds.follows.follow(u[4], u[0]));
        feeds.get(() -> feeds.follows.follow(u[2], u[0], new Graph.Terms(null, false)));
        feeds.get(() -> feeds.follows.unfollow(u[3], u[0]));
        Set<String> near = Set.of("" + u[1], "" + u[3]);
        TestRedis.awaitUntil("the author's side follows", () -> Set.copyOf(feeds.members(Keys.listeners(u[0])))
                .equals(near));
        long post = feeds.post(Post.of(u[0], Visibility.PRIVATE, Content.of("for followers")));
        long toOther = feeds.post(reply(u[0], feeds.post(u[4]), u[4], Kind.POST));
        long thread = feeds.post(reply(u[0], post, u[0], Kind.POST));

        for (int i = 0; i < 2; i++) {
            for (long status : new long[] {before, post, toOther, thread}) {
                feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 0));
                feeds.run(feeds.fanOut.announcing(), new Job.Announce(u[0], status));
            }
        }

        assertThat(feeds.members(Keys.notifications(u[1])))
                .containsExactly("status " + u[0] + " " + post, "status " + u[0] + " " + thread);
        for (int i : new int[] {2, 3, 4}) {
            assertThat(feeds.members(Keys.notifications(u[i])))
                    .as("user %d", i)
                    .noneMatch(notification -> notification.startsWith("st"));
        }
        assertThat(feeds.members(Keys.listeners(u[0])))
                .as("who has unfollowed is gone")
                .containsExactly("" + u[1]);
        assertThat(feeds.get(() -> feeds.notifications.page(u[1], PageRequest.newest(5), any -> true))
                        .items())
                .extracting(shown -> shown.status().id())
                .containsExactly(thread, post);
    }

    @Test
    void anUnreachableSubscriberDelaysNoOtherAndNotificationsOfADeletedPostAreRemoved() {
        long[] u = feeds.users(4);
        for (int i : new int[] {1, 2, 3}) {
            feeds.get(() -> feeds.follows.follow(u[i], u[0], new Graph.Terms(null, true)));
        }
        TestRedis.awaitUntil(
                "the author's side follows",
                () -> feeds.members(Keys.listeners(u[0])).size() == 3);
        long post = feeds.post(u[0]);
        Set<String> notification = Set.of("status " + u[0] + " " + post);

        feeds.away.add(Keys.bells(u[2]));
        assertThat(feeds.run(feeds.fanOut, new Job.FanOut(u[0], post, 0))).doesNotContain(Outcome.DONE);
        assertThat(notificationsOf(u[1])).isEqualTo(notification);
        assertThat(notificationsOf(u[2])).isEmpty();
        assertThat(notificationsOf(u[3])).isEqualTo(notification);

        feeds.away.clear();
        feeds.run(feeds.fanOut, new Job.FanOut(u[0], post, 0));
        assertThat(notificationsOf(u[2])).isEqualTo(notification);

        feeds.get(() -> feeds.statuses.delete(u[0], post));
        feeds.run(feeds.retract, new Job.Retract(u[0], post, 0));
        for (int i : new int[] {1, 2, 3}) {
            assertThat(notificationsOf(u[i])).as("user %d", i).isEmpty();
        }
    }

    private Set<String> notificationsOf(long account) {
        return Set.copyOf(feeds.members(Keys.notifications(account)));
    }

    @Test
    void firstPagesListWhatIsPublicOnceForTheWholeBatch() {
        long[] u = feeds.users(2);
        long plain = feeds.post(u[0]);
        long tagged = feeds.post(
                Post.of(u[1], Visibility.PUBLIC, new Content("#a", "", false, null, List.of(), List.of("a"), null)));
        long hidden = feeds.post(Post.of(u[1], Visibility.UNLISTED, Content.of("x")));
        Job.FanOut first = new Job.FanOut(u[0], plain, 0);

        feeds.run(feeds.fanOut, first, new Job.FanOut(u[1], tagged, 0), new Job.FanOut(u[1], hidden, 0), first);
        feeds.run(feeds.fanOut, new Job.FanOut(u[1], hidden, 7));

        assertThat(feeds.members(Keys.PUBLIC)).containsExactlyInAnyOrder(Long.toString(plain), Long.toString(tagged));
        assertThat(tagLists()).hasSize(1);
        assertThat(feeds.members(tagLists().get(0))).containsExactly(Long.toString(tagged));
    }

    @Test
    void aCommentNotifiesButIsDeliveredToNoHome() {
        long[] u = feeds.users(3);
        followedBy(u[1], u, 2, 3);
        long root = feeds.post(u[0]);
        long comment = feeds.post(reply(u[1], root, u[0], Kind.COMMENT));
        long post = feeds.post(u[1]);

        List<Outcome> outcomes =
                feeds.run(feeds.fanOut, new Job.FanOut(u[1], comment, 0), new Job.FanOut(u[1], post, 0));

        assertThat(outcomes).containsExactly(Outcome.DONE, Outcome.DONE);
        assertThat(feeds.home(u[2])).containsExactly(post);
        assertThat(feeds.log()).hasSize(3).contains("s" + comment, "s" + post).anyMatch(id -> id.startsWith("n"));
        assertThat(feeds.members(Keys.notifications(u[0]))).containsExactly("mention " + u[1] + " " + comment);
        assertThat(feeds.members(Keys.comments(root))).containsExactly(Long.toString(comment));
    }

    @Test
    void theFollowersOfACommentsAuthorAreNotRead() {
        long[] u = feeds.users(3);
        followedBy(u[1], u, 2, 3);
        long root = feeds.post(u[0]);
        long comment = feeds.post(reply(u[1], root, u[0], Kind.COMMENT));
        feeds.readKeys.clear();

        assertThat(feeds.run(feeds.fanOut.announcing(), new Job.Announce(u[1], comment)))
                .containsExactly(Outcome.DONE);
        assertThat(feeds.readKeys).isNotEmpty().doesNotContain(Keys.followers(u[1]));

        long post = feeds.post(u[1]);
        assertThat(feeds.run(feeds.fanOut, new Job.FanOut(u[1], post, 0))).containsExactly(Outcome.DONE);
        assertThat(feeds.readKeys).containsOnlyOnce(Keys.followers(u[1]));
    }

    @Test
    void aStatusDeletedWhileItsJobRunsIsListedAndCountedNowhere() {
        long[] u = feeds.users(3);
        followedBy(u[1], u, 2, 3);
        long root = feeds.post(u[0]);
        long reply = feeds.post(reply(u[1], root, u[0], Kind.POST, u[2]));
        Content content = new Content("#a", "", false, null, List.of(), List.of("a"), null);
        long open = feeds.post(Post.of(u[1], Visibility.PUBLIC, content));
        feeds.afterPush = () -> {
            feeds.get(() -> feeds.statuses.delete(u[1], reply));
            feeds.get(() -> feeds.statuses.delete(u[1], open));
            feeds.run(feeds.retract, new Job.Retract(u[1], reply, 0), new Job.Retract(u[1], open, 0));
        };

        feeds.run(feeds.fanOut, new Job.FanOut(u[1], reply, 0), new Job.FanOut(u[1], open, 0));

        assertThat(feeds.members(Keys.PUBLIC)).isEmpty();
        assertThat(tagLists()).isEmpty();
        assertThat(feeds.members(Keys.comments(root))).isEmpty();
        assertThat(feeds.get(() -> feeds.statuses.find(root))
                        .orElseThrow()
                        .counters()
                        .comments())
                .isZero();
        assertThat(feeds.members(Keys.notifications(u[0]))).isEmpty();
        assertThat(feeds.members(Keys.notifications(u[2]))).isEmpty();
    }

    @Test
    void anArticleIsRankedByItsFirstPageAndLeavesRankingsWithItsRetraction() {
        long[] u = feeds.users(2);
        followedBy(u[0], u, 1, 2);
        Content content = Content.of("Title").with(new Article("Title", null, List.of("java")));
        long article = feeds.post(Post.of(u[0], Visibility.PUBLIC, content));
        feeds.run(feeds.fanOut, new Job.FanOut(u[0], article, 0));
        assertThat(feeds.members(Keys.ARTICLES_BY_SCORE)).containsExactly(Long.toString(article));
        assertThat(feeds.members(Keys.articlesByTime("java"))).containsExactly(Long.toString(article));
        assertThat(feeds.home(u[1])).containsExactly(article);

        // The API is gone before it has done more than that: the tombstone says that it was an article.
        feeds.get(() -> feeds.statuses.delete(u[0], article));
        for (int i = 0; i < 2; i++) {
            feeds.run(feeds.retract, new Job.Retract(u[0], article, 0));
            feeds.run(feeds.fanOut, new Job.FanOut(u[0], article, 0));
            assertThat(feeds.members(Keys.ARTICLES_BY_SCORE)).isEmpty();
            assertThat(feeds.members(Keys.articlesByTime("java"))).isEmpty();
        }
    }

    @Test
    void anArticleThatIsDeletedWhileItsJobRunsIsNotRanked() {
        long[] u = feeds.users(2);
        followedBy(u[0], u, 1, 2);
        Content content = Content.of("Title").with(new Article("Title", null, List.of("java")));
        long article = feeds.post(Post.of(u[0], Visibility.PUBLIC, content));
        feeds.afterPush = () -> {
            feeds.get(() -> feeds.statuses.delete(u[0], article));
            feeds.run(feeds.retract, new Job.Retract(u[0], article, 0));
        };

        feeds.run(feeds.fanOut, new Job.FanOut(u[0], article, 0));

        assertThat(feeds.members(Keys.ARTICLES_BY_SCORE)).isEmpty();
        assertThat(feeds.members(Keys.ARTICLE_GROUPS)).isEmpty();
    }

    @Test
    void aRetractionTakesBackWhatItsStatusDidAndALateFanOutDoesNotRedoIt() {
        long[] u = feeds.users(2);
        long root = feeds.post(u[0]);
        long comment = feeds.post(reply(u[1], root, u[0], Kind.COMMENT));
        feeds.run(feeds.fanOut, new Job.FanOut(u[1], comment, 0));
        feeds.get(() -> feeds.statuses.delete(u[1], comment));

        for (int i = 0; i < 2; i++) {
            assertThat(feeds.run(feeds.retract, new Job.Retract(u[1], comment, 0)))
                    .containsExactly(Outcome.DONE);
            feeds.run(feeds.fanOut, new Job.FanOut(u[1], comment, 0));
        }

        assertThat(feeds.members(Keys.comments(root))).isEmpty();
        assertThat(feeds.members(Keys.notifications(u[0]))).isEmpty();
        assertThat(feeds.get(() -> feeds.statuses.find(root))
                        .orElseThrow()
                        .counters()
                        .comments())
                .isZero();
    }

    private List<String> tagLists() {
        return feeds.redis.keys().stream().filter(key -> key.startsWith("tag:")).toList();
    }

    private static Post reply(long author, long to, long toAuthor, Kind kind, long... named) {
        List<Mention> mentions = Arrays.stream(named)
                .mapToObj(account -> new Mention(account, "user" + account))
                .toList();
        Content content = new Content("re", "", false, null, mentions, List.of(), null);
        return new Post(author, Visibility.PUBLIC, kind, content, new Reference(to, toAuthor), null, null, null);
    }

    @Test
    void aLostLeaseEndsTheWorkBeforeTheNextSideEffect() {
        long[] u = feeds.users(3);
        followedBy(u[0], u, 1, 3);
        long status = feeds.post(u[0]);
        for (int held = 0; held < 2; held++) {
            AtomicInteger left = new AtomicInteger(held);
            TestLease lease = new TestLease(() ->
                    left.getAndDecrement() > 0 ? Future.succeededFuture() : Future.failedFuture(new LeaseLost("w.1")));

            Future<Outcome> outcome = feeds.run(feeds.fanOut, lease, List.of(new Job.FanOut(u[0], status, 0)))
                    .get(0);

            assertThat(outcome.cause()).isInstanceOf(LeaseLost.class);
            assertThat(feeds.log()).as("held for %d checks", held).hasSize(held);
            assertThat(feeds.homeWrites).isEmpty();
        }
    }

    @Test
    void pagesOfLargeAuthorsWaitInTheLowLane() {
        long[] u = feeds.users(5);
        followedBy(u[0], u, 1, 5);
        long status = feeds.post(u[0]);
        Job.FanOut first = new Job.FanOut(u[0], status, 0);

        assertThat(lane(feeds.run(feeds.fanOut, first))).isEqualTo(Lane.NORMAL);
        feeds.redis.askAt(Keys.user(u[0]), "HSET", Keys.user(u[0]), "followers", "10001");
        assertThat(lane(feeds.run(feeds.fanOut, first))).isEqualTo(Lane.LOW);
    }

    @Test
    void theNextPagesOfALargeAuthorAreHandedOutSideBySide() {
        long[] u = feeds.users(14);
        followedBy(u[0], u, 1, 14);
        feeds.redis.askAt(Keys.user(u[0]), "HSET", Keys.user(u[0]), "followers", "10001");
        long status = feeds.post(u[0]);

        Outcome outcome =
                feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 0)).get(0);
        List<Job> jobs = ((Continued) outcome)
                .rest().stream().map(Outcome.Continuation::job).toList();
        assertThat(jobs).as("the last follower, and three whole pages").hasSize(4);
        assertThat(feeds.run(feeds.fanOut, (Job.FanOut) jobs.get(0))).containsExactly(Outcome.DONE);
        // In any order, as they run beside each other.
        for (int page = 3; page >= 1; page--) {
            assertThat(feeds.run(feeds.deliver, (Job.Deliver) jobs.get(page))).containsExactly(Outcome.DONE);
        }
        for (int i = 1; i < 14; i++) {
            assertThat(feeds.home(u[i])).as("user %d", i).containsExactly(status);
        }
    }

    @Test
    void aPageThatWasHandedOutDeliversNothingThatWasDeleted() {
        long[] u = feeds.users(8);
        followedBy(u[0], u, 1, 8);
        feeds.redis.askAt(Keys.user(u[0]), "HSET", Keys.user(u[0]), "followers", "10001");
        long status = feeds.post(u[0]);
        Outcome outcome =
                feeds.run(feeds.fanOut, new Job.FanOut(u[0], status, 0)).get(0);
        Job.Deliver page = (Job.Deliver) ((Continued) outcome).rest().get(1).job();
        feeds.get(() -> feeds.statuses.delete(u[0], status));
        List<List<Long>> before = homes(u);

        assertThat(feeds.run(feeds.deliver, page)).containsExactly(Outcome.DONE);
        assertThat(before).as("those behind the first page").contains(List.of());
        assertThat(homes(u)).isEqualTo(before);
    }

    @Test
    void aRetractionTakesTheIdOutOfEveryHomeAndSaysSo() {
        long[] u = feeds.users(6);
        followedBy(u[0], u, 1, 6);
        long gone = feeds.post(u[0]);
        long alive = feeds.post(u[0]);
        walk(new Job.FanOut(u[0], gone, 0));
        walk(new Job.FanOut(u[0], alive, 0));
        feeds.get(() -> feeds.statuses.delete(u[0], gone));
        feeds.redis.askAt(Keys.home(u[0]), "RPUSH", Keys.home(u[0]), Long.toString(gone));

        Outcome outcome =
                feeds.run(feeds.retract, new Job.Retract(u[0], gone, 0)).get(0);
        assertThat(outcome).isInstanceOf(Continued.class);
        Job.Retract rest = (Job.Retract) ((Continued) outcome).rest().get(0).job();
        assertThat(feeds.run(feeds.retract, rest, rest)).containsExactly(Outcome.DONE, Outcome.DONE);

        for (long user : u) {
            assertThat(feeds.home(user)).containsExactly(alive);
        }
        // The log has taken the deleted status out again.
        assertThat(feeds.log()).containsExactly("s" + alive, "d" + gone);
    }

    @Test
    void aRetractionOfALivingStatusDoesNothing() {
        long[] u = feeds.users(2);
        followedBy(u[0], u, 1, 2);
        long status = feeds.post(u[0]);
        walk(new Job.FanOut(u[0], status, 0));

        assertThat(feeds.run(feeds.retract, new Job.Retract(u[0], status, 0))).containsExactly(Outcome.DONE);
        assertThat(feeds.home(u[1])).containsExactly(status);
        assertThat(feeds.log()).containsExactly("s" + status);
    }

    @Test
    void linkJobsFinishFollows() {
        long[] u = feeds.users(2);
        long status = feeds.post(u[1]);
        long edge = feeds.get(() -> feeds.graph.follow(u[0], u[1])).edge();
        assertThat(followers(u[1])).isEmpty();

        for (int i = 0; i < 2; i++) {
            assertThat(feeds.run(
                            new EdgesHandler(feeds.follows::finishFollows),
                            new Job.Repair(JobType.LINK, u[0], u[1], edge)))
                    .containsExactly(Outcome.DONE);
        }

        assertThat(followers(u[1])).containsExactly(u[0]);
        assertThat(feeds.home(u[0])).containsExactly(status);
        assertThat(feeds.log()).hasSize(2).startsWith("f" + edge);
        Event notification =
                feeds.get(() -> feeds.events.read(1, 1)).events().get(0).event();
        assertThat(notification.kind()).isEqualTo(Event.Kind.NOTIFICATION);
        assertThat(notification.target()).isEqualTo(u[1]);
        assertThat(notification.visibility()).isEqualTo(Visibility.PRIVATE);
        assertThat(notification.body())
                .contains("\"type\":\"follow\"", "\"id\":\"" + notification.subject() + "\"", "\"" + u[0] + "\"");
    }

    @Test
    void linkJobsOfSeveralReadersGetTheirOutcomesInOrder() {
        long[] u = feeds.users(4);
        long status = feeds.post(u[3]);
        long one = feeds.get(() -> feeds.graph.follow(u[2], u[3])).edge();
        long other = feeds.get(() -> feeds.graph.follow(u[0], u[3])).edge();
        Job.Repair[] jobs = {
            new Job.Repair(JobType.LINK, u[2], u[3], one),
            new Job.Repair(JobType.LINK, u[0], u[3], other),
            new Job.Repair(JobType.LINK, u[2], u[3], one)
        };

        assertThat(feeds.run(new EdgesHandler(feeds.follows::finishFollows), jobs))
                .containsExactly(Outcome.DONE, Outcome.DONE, Outcome.DONE);

        assertThat(followers(u[3])).containsExactlyInAnyOrder(u[0], u[2]);
        assertThat(feeds.home(u[0])).containsExactly(status);
        assertThat(feeds.home(u[2])).containsExactly(status);
    }

    @Test
    void fewJobsOfManyChangesRunAtOnceAndAllAreAnsweredInOrder() {
        List<Promise<Void>> running = new ArrayList<>();
        ChangesHandler handler = new ChangesHandler(job -> {
            Promise<Void> step = Promise.promise();
            running.add(step);
            return step.future();
        });
        List<Job.Changes> jobs = LongStream.range(0, 10)
                .mapToObj(actor -> new Job.Changes(actor, List.of(new Job.Repair(JobType.LINK, actor, 20, 30))))
                .toList();
        List<Future<Outcome>> answers = handler.run(jobs, TestLease.held());
        assertThat(running).hasSize(ChangesHandler.AT_ONCE);
        for (int i = 0; i < jobs.size(); i++) {
            assertThat(running.size() - i).isLessThanOrEqualTo(ChangesHandler.AT_ONCE);
            running.get(i).complete(null, i == 5 ? new IllegalStateException("for the test") : null);
        }
        for (int i = 0; i < jobs.size(); i++) {
            assertThat(answers.get(i).succeeded()).as("job %d", i).isEqualTo(i != 5);
        }
    }

    @Test
    void changesThatWereMadeTogetherAreFinishedTogetherAndMayRunTwice() {
        long[] u = feeds.users(4);
        long status = feeds.post(u[1]);
        long none = feeds.post(u[2]);
        assertThat(feeds.home(u[0])).isEmpty();
        long ended = feeds.get(() -> feeds.follows.follow(u[0], u[2])).edge();
        feeds.get(() -> feeds.graph.unfollow(u[0], u[2]));
        long edge = feeds.get(() -> feeds.graph.follow(u[0], u[1])).edge();
        Job.Changes changes = new Job.Changes(
                u[0],
                List.of(
                        new Job.Repair(JobType.LINK, u[0], u[1], edge),
                        new Job.Repair(JobType.UNLINK, u[0], u[2], ended)));
        for (int i = 0; i < 2; i++) {
            assertThat(feeds.run(new ChangesHandler(feeds.follows::finishChanges), changes))
                    .containsExactly(Outcome.DONE);
            assertThat(followers(u[1])).containsExactly(u[0]);
            assertThat(followers(u[2])).isEmpty();
            assertThat(feeds.home(u[0])).containsExactly(status).doesNotContain(none);
        }
    }

    @Test
    void streamsReceiveNothingFromMutedAccounts() {
        long[] u = feeds.users(2);
        long root = feeds.post(u[0]);
        feeds.get(() -> feeds.blocks.mute(u[0], u[1], true));
        long comment = feeds.post(reply(u[1], root, u[0], Kind.COMMENT));

        feeds.run(feeds.fanOut, new Job.FanOut(u[1], comment, 0));

        assertThat(feeds.log()).hasSize(2).endsWith("s" + comment);
    }

    @Test
    void unlinkJobsFinishUnfollows() {
        long[] u = feeds.users(2);
        long status = feeds.post(u[1]);
        long edge = feeds.get(() -> feeds.follows.follow(u[0], u[1])).edge();
        assertThat(feeds.home(u[0])).containsExactly(status);
        feeds.get(() -> feeds.graph.unfollow(u[0], u[1]));

        assertThat(feeds.run(
                        new EdgesHandler(feeds.follows::finishUnfollows),
                        new Job.Repair(JobType.UNLINK, u[0], u[1], edge)))
                .containsExactly(Outcome.DONE);

        assertThat(followers(u[1])).isEmpty();
        assertThat(feeds.home(u[0])).isEmpty();
        assertThat(feeds.log()).contains("u" + edge);
    }

    @Test
    void jobsOfMutesAppendAMissingEventOnce() {
        long[] u = feeds.users(2);
        long edge = feeds.post(u[0]);
        for (int i = 0; i < 2; i++) {
            feeds.run(new RepairHandler(feeds.blocks::finishMute), new Job.Repair(JobType.MUTE, u[0], u[1], edge));
        }
        for (int i = 0; i < 2; i++) {
            feeds.run(new RepairHandler(feeds.blocks::finishUnmute), new Job.Repair(JobType.UNMUTE, u[0], u[1], edge));
        }
        feeds.run(new RepairHandler(feeds.blocks::finishMute), new Job.Repair(JobType.MUTE, u[0], u[1], edge));

        assertThat(feeds.log()).containsExactly("m" + edge, "o" + edge);
    }

    @Test
    void jobsOfChangedTermsAppendAMissingEventOnce() {
        long[] u = feeds.users(2);
        feeds.get(() -> feeds.graph.follow(u[0], u[1]));
        long change = feeds.get(() -> feeds.graph.follow(u[0], u[1], /* reposts= */ false))
                .terms();
        for (int i = 0; i < 2; i++) {
            assertThat(feeds.run(
                            new RepairHandler(feeds.follows::finishTerms),
                            new Job.Repair(JobType.TERMS, u[0], u[1], change)))
                    .containsExactly(Outcome.DONE);
        }

        assertThat(feeds.log()).containsExactly("t" + change);
        Event event = feeds.get(() -> feeds.events.read(0, 1)).events().get(0).event();
        assertThat(event.actor()).isEqualTo(u[0]);
        assertThat(event.target()).isEqualTo(u[1]);
        assertThat(event.visibility()).isEqualTo(Visibility.PRIVATE);
    }

    @Test
    void jobsOfRequestsFinishThemOnce() {
        long[] u = feeds.users(2);
        feeds.redis.askAt(Keys.user(u[1]), "HSET", Keys.user(u[1]), "locked", "1");
        long edge = feeds.get(() -> feeds.graph.request(u[0], u[1], Lane.HIGH, Graph.Terms.AS_BEFORE))
                .request();
        for (int i = 0; i < 2; i++) {
            assertThat(feeds.run(
                            new RepairHandler(feeds.follows::finishRequest),
                            new Job.Repair(JobType.REQUEST, u[0], u[1], edge)))
                    .containsExactly(Outcome.DONE);
        }
        assertThat(feeds.get(() -> feeds.graph.requestCount(u[1]))).isEqualTo(1);
        assertThat(feeds.log()).hasSize(1);
        assertThat(feeds.get(() -> feeds.events.read(0, 1))
                        .events()
                        .get(0)
                        .event()
                        .body())
                .contains("\"type\":\"follow_request\"");

        feeds.get(() -> feeds.graph.withdraw(u[0], u[1]));
        for (int i = 0; i < 2; i++) {
            assertThat(feeds.run(
                            new RepairHandler(feeds.follows::finishUnrequest),
                            new Job.Repair(JobType.UNREQUEST, u[0], u[1], edge)))
                    .containsExactly(Outcome.DONE);
        }
        assertThat(feeds.get(() -> feeds.graph.requestCount(u[1]))).isZero();
        assertThat(followers(u[1])).isEmpty();
    }

    @Test
    void theJobOfAnAccountThatIsLockedNoMoreMakesFollowsOfItsRequestsPageByPage() {
        long[] u = feeds.users(61);
        feeds.redis.askAt(Keys.user(u[0]), "HSET", Keys.user(u[0]), "locked", "1");
        for (int i = 1; i < u.length; i++) {
            long asking = u[i];
            feeds.get(() -> feeds.follows.follow(asking, u[0]));
        }
        RequestsHandler handler = new RequestsHandler(feeds.follows::finishRequests);
        Job.Repair job = new Job.Repair(JobType.REQUESTS, u[0], u[0], 0);
        assertThat(feeds.run(handler, job)).as("locked again").containsExactly(Outcome.DONE);
        assertThat(followers(u[0])).isEmpty();

        feeds.redis.askAt(Keys.user(u[0]), "HDEL", Keys.user(u[0]), "locked");
        Outcome first = feeds.run(handler, job).get(0);
        Job rest = ((Outcome.Continued) first).rest().get(0).job();
        assertThat(feeds.get(() -> feeds.graph.followersAfter(u[0], 0, 100))).hasSize(50);
        for (int i = 0; i < 2; i++) {
            assertThat(feeds.run(handler, (Job.Repair) rest)).containsExactly(Outcome.DONE);
        }
        assertThat(feeds.get(() -> feeds.graph.followersAfter(u[0], 0, 100))).hasSize(60);
        assertThat(feeds.get(() -> feeds.graph.requestCount(u[0]))).isZero();
    }

    @Test
    void aLostLeaseStopsTheOtherHandlersToo() {
        long[] u = feeds.users(2);
        long edge = feeds.get(() -> feeds.graph.follow(u[0], u[1])).edge();
        TestLease lost = new TestLease(() -> Future.failedFuture(new LeaseLost("w.1")));
        long status = feeds.post(u[1]);
        feeds.get(() -> feeds.statuses.delete(u[1], status));

        List<Future<Outcome>> outcomes = new ArrayList<>();
        outcomes.addAll(feeds.run(
                new EdgesHandler(feeds.follows::finishFollows),
                lost,
                List.of(new Job.Repair(JobType.LINK, u[0], u[1], edge))));
        outcomes.addAll(feeds.run(
                new EdgesHandler(feeds.follows::finishUnfollows),
                lost,
                List.of(new Job.Repair(JobType.UNLINK, u[0], u[1], edge))));
        outcomes.addAll(feeds.run(feeds.retract, lost, List.of(new Job.Retract(u[1], status, 0))));

        assertThat(outcomes).allMatch(outcome -> outcome.cause() instanceof LeaseLost);
        assertThat(feeds.log()).isEmpty();
        assertThat(followers(u[1])).isEmpty();
    }

    /** Runs a job and all that continue it; answers them. */
    @CanIgnoreReturnValue
    private List<Job.FanOut> walk(Job.FanOut first) {
        List<Job.FanOut> jobs = new ArrayList<>(List.of(first));
        Outcome outcome = feeds.run(feeds.fanOut, first).get(0);
        while (outcome instanceof Continued continued) {
            Job.FanOut next = (Job.FanOut) continued.rest().get(0).job();
            jobs.add(next);
            assertThat(jobs).as("comes to an end").hasSizeLessThan(10);
            outcome = feeds.run(feeds.fanOut, next).get(0);
        }
        return jobs;
    }

    private void followedBy(long author, long[] users, int from, int to) {
        for (int i = from; i < to; i++) {
            feeds.follow(users[i], author);
        }
    }

    private List<List<Long>> homes(long[] users) {
        return Arrays.stream(users).mapToObj(feeds::home).toList();
    }

    private List<Long> followers(long account) {
        return feeds.get(() -> feeds.graph.followersAfter(account, 0, 10)).stream()
                .map(edge -> edge.accountId())
                .toList();
    }

    private static Lane lane(List<Outcome> outcomes) {
        return ((Continued) outcomes.get(0)).rest().get(0).lane();
    }
}

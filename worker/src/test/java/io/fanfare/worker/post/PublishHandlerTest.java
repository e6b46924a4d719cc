package io.fanfare.worker.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.PostOptions;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.model.Warning;
import io.fanfare.core.LoopStores;
import io.fanfare.core.posting.ScheduledPublisher;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.worker.handler.Feeds;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The effects of a job on a scheduled status, however often the job runs. */
@ParameterizedClass
@KindsOfRedis
class PublishHandlerTest {
    private final TestRedis.Kind kind;
    private Feeds feeds;
    private ScheduledStatuses scheduled;
    private PublishHandler handler;
    private long ann;
    private long bob;

    PublishHandlerTest(TestRedis.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        feeds = Feeds.on(kind.redis(), "queue.depth-max=200");
        scheduled = new ScheduledStatuses(feeds.stores.redis());
        handler = new PublishHandler(new ScheduledPublisher(feeds.stores));
        long[] users = feeds.users(2);
        ann = users[0];
        bob = users[1];
    }

    @AfterEach
    void close() {
        feeds.close();
    }

    private ScheduledStatus schedule(String text, long inReplyTo, long quoted) {
        return schedule(text, PostOptions.UNCHOSEN, inReplyTo, quoted);
    }

    private ScheduledStatus schedule(String text, PostOptions options, long inReplyTo, long quoted) {
        long due = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        PostWords words = new PostWords(text, "", null, options);
        ScheduledStatus status = new ScheduledStatus(
                0, due, words, 0, inReplyTo, quoted, List.of(), null, new Application("an app", null));
        return feeds.get(() -> scheduled.schedule(ann, status, null));
    }

    private static Job.Publish job(long author, ScheduledStatus status) {
        return new Job.Publish(author, status.id(), status.dueMillis());
    }

    private List<Status> posts() {
        return feeds.get(() -> feeds.timelines.profile(ann, ann, PageRequest.newest(20)))
                .items();
    }

    @Test
    void itBecomesOneStatusHoweverOftenItsJobRuns() {
        ScheduledStatus status = schedule("hello @user1 #now", 0, 0);
        Job.Publish job = job(ann, status);

        assertThat(feeds.run(handler, job, job)).containsExactly(Outcome.DONE, Outcome.DONE);
        assertThat(feeds.run(handler, job)).containsExactly(Outcome.DONE);

        assertThat(posts()).singleElement().satisfies(post -> {
            assertThat(post.visibility()).isEqualTo(Visibility.PUBLIC);
            assertThat(post.post().application().name()).isEqualTo("an app");
            assertThat(post.post().content().tags()).containsExactly("now");
            assertThat(post.post().content().mentions())
                    .singleElement()
                    .satisfies(mention -> assertThat(mention.accountId()).isEqualTo(bob));
        });
        assertThat(feeds.members(Keys.scheduled(ann))).isEmpty();
        // The fan-out waits, which does all else.
        String lane = Keys.lane(Id.shard(ann), "high");
        assertThat(feeds.redis.askAt(lane, "LLEN", lane).asLong()).isEqualTo(1);
    }

    @Test
    void aJobOfAnotherTimeDoesNothing() {
        ScheduledStatus status = schedule("later", 0, 0);

        assertThat(feeds.run(handler, new Job.Publish(ann, status.id(), status.dueMillis() - 1)))
                .containsExactly(Outcome.DONE);
        assertThat(posts()).isEmpty();
        assertThat(feeds.members(Keys.scheduled(ann))).hasSize(1);
    }

    @Test
    void aScheduledReplyOrQuoteOfADeletedStatusIsNotPublishedAndItsAuthorReadsWhyOnce() {
        long gone = feeds.post(bob);
        ScheduledStatus reply = schedule("an answer", gone, 0);
        ScheduledStatus quote = schedule("a quote", 0, gone);
        feeds.get(() -> feeds.statuses.delete(bob, gone));

        Job.Publish job = job(ann, reply);
        assertThat(feeds.run(handler, job, job, job(ann, quote))).containsOnly(Outcome.DONE);
        assertThat(feeds.run(handler, job)).containsOnly(Outcome.DONE);
        assertThat(posts()).isEmpty();
        assertThat(feeds.members(Keys.scheduled(ann))).isEmpty();
        assertThat(warnings())
                .containsExactlyInAnyOrder(
                        "Your post \"an answer\" was not published: the post to which it refers is deleted, or you may"
                                + " not see it any more.",
                        "Your post \"a quote\" was not published: the post to which it refers is deleted, or you may"
                                + " not see it any more.");
    }

    private List<String> warnings() {
        return feeds.get(() -> feeds.stores.notifications().warnings().all(ann)).stream()
                .map(Warning::text)
                .toList();
    }

    @Test
    void aPostWhoseNoticeCannotBeSentStaysScheduledUntilItIs() {
        long gone = feeds.post(bob);
        ScheduledStatus reply = schedule("an answer " + "x".repeat(600), gone, 0);
        feeds.get(() -> feeds.statuses.delete(bob, gone));
        String warnings = Keys.warnings(ann);
        feeds.redis.askAt(warnings, "SET", warnings, "of another type");

        assertThatThrownBy(() -> feeds.run(handler, job(ann, reply))).hasMessageContaining("WRONGTYPE");
        assertThat(feeds.members(Keys.scheduled(ann))).hasSize(1);

        feeds.redis.askAt(warnings, "DEL", warnings);
        assertThat(feeds.run(handler, job(ann, reply))).containsOnly(Outcome.DONE);
        assertThat(feeds.members(Keys.scheduled(ann))).isEmpty();
        assertThat(warnings()).singleElement().satisfies(text -> assertThat(text)
                .contains("an answer " + "x".repeat(490) + "...\" was not published"));
    }

    @Test
    void aPostThatItsAuthorReschedulesWhileItIsRefusedStaysScheduledWithoutANotice() {
        long gone = feeds.post(bob);
        ScheduledStatus reply = schedule("an answer", gone, 0);
        feeds.get(() -> feeds.statuses.delete(bob, gone));
        long later = reply.dueMillis() + Duration.ofHours(1).toMillis();
        Redis redis = new BetweenReads(() -> scheduled.move(ann, reply.id(), later));
        LoopStores stores = LoopStores.of(LoopStores.Parts.uncached(
                redis, feeds.stores.settings(), new Shards(16), InstantSource.system(), new Random(1)));

        assertThat(feeds.run(new PublishHandler(new ScheduledPublisher(stores)), job(ann, reply)))
                .containsOnly(Outcome.DONE);
        assertThat(warnings()).isEmpty();
        assertThat(feeds.get(() -> scheduled.find(ann, reply.id()))
                        .orElseThrow()
                        .dueMillis())
                .isEqualTo(later);
    }

    /** Takes a step before the entry is read the second time. */
    private final class BetweenReads implements Redis {
        private final Supplier<Future<?>> step;
        private int reads;

        BetweenReads(Supplier<Future<?>> step) {
            this.step = step;
        }

        @Override
        public Future<Reply> send(Command command) {
            return feeds.stores.redis().send(command);
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            boolean second = commands.get(0).key().equals(Keys.scheduled(ann)) && ++reads == 2;
            return (second ? step.get() : Future.succeededFuture())
                    .compose(stepped -> feeds.stores.redis().pipeline(commands));
        }
    }

    @Test
    void eachTimeForWhichAPostWasScheduledHasItsOwnNotice() {
        long gone = feeds.post(bob);
        ScheduledStatus reply = schedule("an answer", gone, 0);
        feeds.get(() -> feeds.statuses.delete(bob, gone));
        // The author rescheduled the post between the notice and the end of the entry.
        feeds.get(() -> feeds.stores
                .notifications()
                .warnings()
                .addUnpublished(ann, "of the former time", reply.id(), reply.dueMillis() - 1));

        assertThat(feeds.run(handler, job(ann, reply))).containsOnly(Outcome.DONE);
        assertThat(warnings()).hasSize(2);
    }

    @Test
    void anAnswerBelongsToTheConversation() {
        long question = feeds.post(bob);
        ScheduledStatus reply = schedule("an answer", question, 0);

        assertThat(feeds.run(handler, job(ann, reply))).containsOnly(Outcome.DONE);
        assertThat(posts()).singleElement().satisfies(post -> {
            assertThat(post.post().replyTo().statusId()).isEqualTo(question);
            assertThat(post.conversationId()).isEqualTo(question);
        });
    }

    private long directMessage(long from, long to) {
        Content content = new Content(
                "@user0 a secret", "", false, null, List.of(new Content.Mention(to, "user0")), List.of(), null);
        Post message = new Post(from, Visibility.DIRECT, Post.Kind.DIRECT, content, null, null, null, null);
        return feeds.get(() -> feeds.statuses.post(message.to(List.of(to)), null))
                .status()
                .id();
    }

    @Test
    void aPublicReplyToADirectMessageDoesNotNameIt() {
        long message = directMessage(bob, ann);
        PostOptions open = new PostOptions(Visibility.PUBLIC, null, null, null);
        ScheduledStatus reply = schedule("in public", open, message, 0);

        assertThat(feeds.run(handler, job(ann, reply))).containsOnly(Outcome.DONE);

        assertThat(posts()).singleElement().satisfies(post -> {
            assertThat(post.visibility()).isEqualTo(Visibility.PUBLIC);
            assertThat(post.post().replyTo()).isNull();
            assertThat(post.conversationId()).isEqualTo(post.id());
        });
    }

    @Test
    void aReplyToADirectMessageIsDirectUnlessItsVisibilityWasChosen() {
        long message = directMessage(bob, ann);
        ScheduledStatus reply = schedule("@user1 another secret", message, 0);

        assertThat(feeds.run(handler, job(ann, reply))).containsOnly(Outcome.DONE);

        assertThat(posts()).isEmpty();
        assertThat(feeds.members(Keys.commentsBy(ann))).singleElement().satisfies(id -> {
            Post direct = feeds.get(() -> feeds.statuses.find(Long.parseLong(id)))
                    .orElseThrow()
                    .post();
            assertThat(direct.visibility()).isEqualTo(Visibility.DIRECT);
            assertThat(direct.recipients()).containsExactly(bob);
            assertThat(direct.replyTo().statusId()).isEqualTo(message);
        });
    }

    @Test
    void aPollBeginsWhenItIsPublished() {
        long before = System.currentTimeMillis();
        ScheduledStatus asking = new ScheduledStatus(
                0,
                before + Duration.ofHours(1).toMillis(),
                new PostWords("which", "", null, PostOptions.UNCHOSEN),
                0,
                0,
                0,
                List.of(),
                new Poll(List.of("a", "b"), 600_000, true, false),
                null);
        ScheduledStatus status = feeds.get(() -> scheduled.schedule(ann, asking, null));

        assertThat(feeds.run(handler, job(ann, status))).containsExactly(Outcome.DONE);
        assertThat(posts()).singleElement().satisfies(post -> {
            Poll poll = post.post().content().poll();
            assertThat(poll.options()).containsExactly("a", "b");
            assertThat(poll.endsMillis()).isBetween(before + 600_000, System.currentTimeMillis() + 600_000);
        });
    }

    @Test
    void aSuspendedAccountPublishesNothing() {
        ScheduledStatus status = schedule("spam", 0, 0);
        feeds.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "state", "suspended");

        assertThat(feeds.run(handler, job(ann, status))).containsExactly(Outcome.DONE);
        assertThat(feeds.members(Keys.scheduled(ann))).isEmpty();
        assertThat(feeds.members(Keys.profile(ann))).isEmpty();
        assertThat(warnings()).singleElement().satisfies(text -> assertThat(text)
                .contains("spam", "cannot post"));
    }

    @Test
    void aFullLaneIsWaitedFor() {
        ScheduledStatus status = schedule("patience", 0, 0);
        String lane = Keys.lane(Id.shard(ann), "high");
        int full = feeds.stores.settings().queue().depthMax();
        feeds.redis.askAt(lane, "EVAL", "for i = 1, " + full + " do redis.call('LPUSH', KEYS[1], i) end", "1", lane);

        assertThat(feeds.run(handler, job(ann, status)))
                .singleElement()
                .isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(retry.countsAttempt())
                        .isFalse());
        feeds.redis.askAt(lane, "DEL", lane);
        assertThat(feeds.run(handler, job(ann, status))).containsExactly(Outcome.DONE);
        assertThat(posts()).hasSize(1);
    }
}

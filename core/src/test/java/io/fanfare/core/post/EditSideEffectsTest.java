package io.fanfare.core.post;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Directory;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.PushSubscriptions;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Steps;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.Views;
import io.fanfare.core.conversation.ConversationEvents;
import io.fanfare.core.conversation.Conversations;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.graph.Backlinks;
import io.fanfare.core.notification.NotificationEvents;
import io.fanfare.core.notification.NotificationPublisher;
import io.fanfare.core.poll.Polls;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.core.view.Hydrator;
import io.fanfare.redis.Redis;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * The process of an edit is killed between any two commands, and within any; its job, or a repeated request, leaves
 * what an edit leaves that nothing has disturbed.
 */
@ParameterizedClass
@KindsOfRedis
class EditSideEffectsTest {
    /** More than an edit sends commands. */
    private static final int COMMANDS = 40;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long author;
    private long named;
    private long reposter;

    /** The parts of a process. */
    private record Sender(Edits edits, EditSideEffects sideEffects) {
        static Sender on(Redis redis, StoreFixture f) {
            Statuses statuses = new Statuses(redis, f.settings);
            Accounts accounts =
                    new Accounts(redis, new Shards(f.settings.redis().shards()), new Random(1));
            ViewerRelationshipsReader relationships = new ViewerRelationshipsReader(redis, InstantSource.system());
            Articles articles = new Articles(redis, f.settings, InstantSource.system());
            Views views = new Views("https://social.example");
            Polls polls = new Polls(redis, InstantSource.system());
            Hydrator hydrator = new Hydrator(
                    redis,
                    statuses,
                    accounts,
                    relationships,
                    articles,
                    polls,
                    new UserFilters(redis, f.settings),
                    InstantSource.system());
            EventLog events = new EventLog(redis, new Random(1), f.settings.stream());
            Notifications notifications = new Notifications(redis, f.settings, statuses, relationships);
            NotificationPublisher publisher = new NotificationEvents(
                    events, notifications, accounts, hydrator, views, new PushSubscriptions(redis));
            PublicTimelines timelines =
                    new PublicTimelines(redis, statuses, relationships, f.settings.feeds(), InstantSource.system());
            SubjectEdges subjectEdges = new SubjectEdges(redis, f.settings);
            Conversations conversations = new Conversations(redis, statuses, relationships);
            PostSideEffects post = new PostSideEffects(
                    new Graph(redis, f.settings),
                    new Backlinks(subjectEdges),
                    notifications,
                    conversations,
                    new ConversationEvents(events, conversations, accounts, hydrator, views),
                    timelines,
                    articles,
                    publisher,
                    new Directory(redis, accounts, relationships));
            Edits edits = new Edits(redis, f.settings);
            return new Sender(
                    edits,
                    new EditSideEffects(
                            edits,
                            statuses,
                            new StatusEvents(hydrator, views),
                            events,
                            timelines,
                            notifications,
                            publisher,
                            post,
                            subjectEdges));
        }

        /** As the API does it. */
        Future<Void> request(long author, long id, Content content) {
            return edits.edit(author, id, content).compose(edited -> {
                Status status = edited.orElseThrow().status();
                return edited.orElseThrow().changed()
                        ? Future.join(sideEffects.announce(status), sideEffects.list(status))
                                .mapEmpty()
                        : Future.succeededFuture();
            });
        }

        /** As the worker does it. */
        Future<Void> job(Job.Edit job) {
            return sideEffects
                    .settle(job.status(), job.edit())
                    .compose(done -> sideEffects.notifySharers(job.status(), job.edit(), 0, 50))
                    .mapEmpty();
        }
    }

    @CanIgnoreReturnValue
    private long arrange() {
        f = StoreFixture.on(kind.redis());
        long[] users = f.users(3);
        author = users[0];
        named = users[1];
        reposter = users[2];
        Content content = new Content("old #a", "", false, null, List.of(), List.of("a"), null);
        long id = f.get(() -> f.stores.statuses().post(Post.of(author, Visibility.PUBLIC, content), null))
                .status()
                .id();
        f.redis.askAt(PublicTimelines.key("a"), "ZADD", PublicTimelines.key("a"), "" + id, "" + id);
        SubjectEdges edges = new SubjectEdges(f.link, f.settings);
        f.get(() -> edges.link(SubjectEdges.Kind.REPOST, id, author, reposter, id + 1, null));
        return id;
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Content edited() {
        return new Content("new #b @user1", "", false, null, List.of(new Mention(named, "user1")), List.of("b"), null);
    }

    /** The records that are left, without the ids that differ each time. */
    private Map<String, Object> left(long id) {
        Status now = f.get(() -> f.stores.statuses().find(id)).orElseThrow();
        EventLog log = new EventLog(f.link, new Random(1), f.settings.stream());
        Map<String, Object> left = new TreeMap<>();
        left.put("text", now.text());
        left.put("versions", f.members(Keys.edits(id)));
        left.put("a", f.members(PublicTimelines.key("a")).size());
        left.put("b", f.members(PublicTimelines.key("b")).size());
        left.put(
                "named",
                f.members(Keys.notifications(named)).stream()
                        .map(EditSideEffectsTest::type)
                        .toList());
        left.put(
                "reposter",
                f.members(Keys.notifications(reposter)).stream()
                        .map(EditSideEffectsTest::type)
                        .toList());
        List<Event> events = f.get(() -> log.read(0, 100)).events().stream()
                .map(LoggedEvent::event)
                .toList();
        left.put(
                "events",
                events.stream().map(event -> event.kind().letter()).sorted().toList());
        left.put(
                "words",
                events.stream()
                        .filter(event -> event.status() != 0)
                        .map(event -> EventBodies.rendered(event).body().contains("new "))
                        .toList());
        return left;
    }

    private static String type(String member) {
        return member.substring(0, member.indexOf(' '));
    }

    private void runJobs() {
        Sender worker = Sender.on(f.link, f);
        for (String line : f.jobs(Id.shard(author), "high")) {
            if (JobCodec.decode("0 0 5 " + line).job() instanceof Job.Edit job) {
                f.get(() -> worker.job(job));
                f.get(() -> worker.job(job));
            }
        }
    }

    @Test
    void whereverTheProcessDiesItsJobAndTheRepeatedRequestLeaveTheSame() {
        Map<String, Object> expected = null;
        int commands = COMMANDS;
        for (int dies = commands; dies >= 0; dies--) {
            for (boolean within : new boolean[] {false, true}) {
                long id = arrange();
                int sent = request(id, dies, within);
                if (expected == null) {
                    commands = sent;
                    dies = sent;
                }
                runJobs();
                Sender another = Sender.on(f.link, f);
                f.get(() -> another.request(author, id, edited()));
                runJobs();
                if (expected == null) {
                    expected = left(id);
                    assertThat(expected.toString())
                            .contains("a=0", "b=1", "named=[mention]", "reposter=[update]", "text=new #b @user1")
                            .contains("events=[e, n, n, s]", "words=[true, true]");
                }
                assertThat(left(id))
                        .as("dies after %d commands, within=%s", dies, within)
                        .isEqualTo(expected);
                f.close();
            }
        }
        assertThat(commands).as("the process was killed at many places").isBetween(5, COMMANDS - 1);
        arrange();
    }

    /** Lets so many commands of the request go; answers how many there were. */
    private int request(long id, int commands, boolean within) {
        Steps steps = new Steps(f.link, (command, reply) -> {});
        Sender api = Sender.on(steps, f);
        f.get(() -> {
            var unused = api.request(author, id, edited());
            return Future.succeededFuture();
        });
        int sent = 0;
        while (sent < commands && f.get(() -> Future.succeededFuture(steps.canStep()))) {
            sent++;
            boolean last = within && sent == commands;
            f.get(() -> last ? steps.stepAndDie() : steps.step());
        }
        f.get(() -> {
            steps.kill();
            return Future.succeededFuture();
        });
        return sent;
    }
}

package io.fanfare.worker.post;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Notifications.Shown;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.view.RenderContext;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.core.queue.Outcome.Continued;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.worker.handler.Feeds;
import io.fanfare.worker.handler.Lease.LeaseLost;
import io.fanfare.worker.handler.TestLease;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The job of an edit, with real stores. It repeats nothing that the API had done before it was killed. */
@ParameterizedClass
@KindsOfRedis
class EditHandlerTest {
    private final TestRedis.Kind kind;
    private Feeds feeds;
    private long[] u;

    EditHandlerTest(TestRedis.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        feeds = Feeds.on(kind.redis());
        u = feeds.users(4);
    }

    @AfterEach
    void close() {
        feeds.close();
    }

    private Content words(String text, List<String> tags, long... named) {
        List<Mention> mentions = Arrays.stream(named)
                .mapToObj(id -> new Mention(id, "user" + id))
                .toList();
        return new Content(text, "", false, null, mentions, tags, null);
    }

    private long post(Content content) {
        return feeds.post(Post.of(u[0], Visibility.PUBLIC, content));
    }

    private long edit(long id, Content content) {
        return feeds.get(() -> feeds.edits.edit(u[0], id, content))
                .orElseThrow()
                .status()
                .post()
                .edit();
    }

    private Status find(long id) {
        return feeds.get(() -> feeds.statuses.find(id)).orElseThrow();
    }

    @CanIgnoreReturnValue
    private Outcome run(long id, long edit) {
        return feeds.run(feeds.edit, new Job.Edit(u[0], id, edit, 0)).get(0);
    }

    private List<Event> events() {
        return feeds.get(() -> feeds.events.read(0, 100)).events().stream()
                .map(LoggedEvent::event)
                .toList();
    }

    private List<String> tag(String tag) {
        return feeds.members(PublicTimelines.key(tag));
    }

    private List<Shown> notificationsOf(long account) {
        return feeds.get(() -> feeds.notifications.page(account, PageRequest.newest(20), any -> true))
                .items();
    }

    private void repost(long account, long original) {
        long repost = feeds.get(() -> feeds.statuses.post(
                        new Post(
                                account,
                                Visibility.PUBLIC,
                                Post.Kind.REPOST,
                                Content.NONE,
                                null,
                                null,
                                new Reference(original, u[0]),
                                null),
                        null))
                .status()
                .id();
        feeds.get(() -> feeds.subjectEdges.link(SubjectEdges.Kind.REPOST, original, u[0], account, repost, null));
    }

    private long quote(long account, long original) {
        long quote = feeds.get(() -> feeds.statuses.post(
                        new Post(
                                account,
                                Visibility.PUBLIC,
                                Post.Kind.POST,
                                Content.of("look"),
                                null,
                                null,
                                new Reference(original, u[0]),
                                null),
                        null))
                .status()
                .id();
        feeds.get(() -> feeds.subjectEdges.link(SubjectEdges.Kind.QUOTE, original, u[0], quote, quote, null));
        return quote;
    }

    private void unquote(long quote, long quoted) {
        Reference reference = Reference.to(find(quote));
        assertThat(feeds.get(() -> feeds.edits.unquote(reference, quoted))).isPresent();
    }

    @Test
    void aQuoterIsNotifiedOfAnEditUnlessTheQuoteNoLongerShowsTheStatus() {
        long id = post(words("one", List.of()));
        long quote = quote(u[1], id);
        long own = quote(u[0], id);
        long revoked = quote(u[2], id);
        repost(u[3], id);
        long edit = edit(id, words("two", List.of()));
        unquote(revoked, id);

        for (int i = 0; i < 2; i++) {
            assertThat(run(id, edit)).isEqualTo(Outcome.DONE);
        }

        assertThat(notificationsOf(u[1])).singleElement().satisfies(shown -> {
            assertThat(shown.notification().type()).isEqualTo(Notification.Type.QUOTED_UPDATE);
            assertThat(shown.notification().actorId()).isEqualTo(u[0]);
            assertThat(shown.status().id()).isEqualTo(quote);
        });
        assertThat(notificationsOf(u[0])).as("of one's own " + own).isEmpty();
        assertThat(notificationsOf(u[2])).isEmpty();
        assertThat(notificationsOf(u[3]))
                .singleElement()
                .satisfies(shown -> assertThat(shown.notification().type()).isEqualTo(Notification.Type.UPDATE));
        awaitNextMilli(notificationsOf(u[1]).get(0).notification().id());
        long again = edit(id, words("three", List.of()));
        run(id, again);
        assertThat(notificationsOf(u[1])).hasSize(1);
        unquote(quote, id);
        assertThat(notificationsOf(u[1])).as("taken out since").isEmpty();
    }

    @Test
    void everythingIsMadeSureOfOnceHoweverOftenItRuns() {
        long id = post(words("#a #b hi", List.of("a", "b"), u[1]));
        feeds.run(feeds.fanOut, new Job.FanOut(u[0], id, 0));
        repost(u[3], id);
        long edit = edit(id, words("#b #c hi", List.of("b", "c"), u[1], u[2]));

        for (int i = 0; i < 3; i++) {
            assertThat(run(id, edit)).isEqualTo(Outcome.DONE);
        }

        assertThat(tag("a")).isEmpty();
        assertThat(tag("b")).containsExactly("" + id);
        assertThat(tag("c")).containsExactly("" + id);
        assertThat(feeds.members(Keys.PUBLIC)).containsExactly("" + id);
        assertThat(notificationsOf(u[1])).as("named before").hasSize(1);
        assertThat(notificationsOf(u[2]))
                .singleElement()
                .satisfies(shown -> assertThat(shown.notification().type()).isEqualTo(Notification.Type.MENTION));
        assertThat(notificationsOf(u[3])).singleElement().satisfies(shown -> {
            assertThat(shown.notification().type()).isEqualTo(Notification.Type.UPDATE);
            assertThat(shown.notification().actorId()).isEqualTo(u[0]);
            assertThat(shown.status().text()).isEqualTo("#b #c hi");
        });
        assertThat(events()).extracting(event -> event.kind().letter()).containsExactly('s', 'n', 'e', 'n', 'n');
        Event edited = events().get(2);
        assertThat(edited.id()).isEqualTo("e" + edit);
        assertThat(edited.target()).isEqualTo(id);
        assertThat(EventBodies.rendered(edited).body())
                .contains("\"id\":\"" + id + "\"", "\"edited_at\":\"2", "hi</p>");
        assertThat(feeds.home(u[1])).as("no delivery").isEmpty();
    }

    @Test
    void anUnannouncedStatusIsAnnouncedBeforeItsEdit() {
        long id = post(words("old", List.of()));
        long edit = edit(id, words("new", List.of()));

        run(id, edit);

        assertThat(feeds.log()).containsExactly("s" + id, "e" + edit);
        Event late = new EventBodies(feeds.views)
                .posted(
                        new Status(id, Post.of(u[0], "old"), find(id).counters()),
                        RenderContext.of(new Account(u[0], "user0", "", "", 0, 0, 0, 0)));
        assertThat(feeds.get(() -> feeds.events.append(late)))
                .as("of a process that has slept")
                .isZero();
        assertThat(events()).noneMatch(event -> event.match().contains("old"));
    }

    @Test
    void ofTwoEditsTheJobsMayRunInAnyOrder() {
        long id = post(words("#a", List.of("a")));
        feeds.run(feeds.fanOut, new Job.FanOut(u[0], id, 0));
        repost(u[3], id);
        long first = edit(id, words("#b", List.of("b"), u[1]));
        long second = edit(id, words("#a #c", List.of("a", "c"), u[1], u[2]));

        run(id, second);
        run(id, first);
        run(id, second);

        assertThat(tag("a")).containsExactly("" + id);
        assertThat(tag("b")).isEmpty();
        assertThat(tag("c")).containsExactly("" + id);
        assertThat(notificationsOf(u[1])).hasSize(1);
        assertThat(notificationsOf(u[2])).hasSize(1);
        assertThat(notificationsOf(u[3])).hasSize(1);
        assertThat(events())
                .filteredOn(event -> event.kind() == Event.Kind.EDIT)
                .extracting(Event::subject)
                .containsExactly(second);
    }

    @Test
    void wordOfALaterEditTakesThePlaceOfTheEarlierAndADismissedOneStaysAway() {
        long id = post(words("one", List.of()));
        repost(u[3], id);
        long first = edit(id, words("two", List.of()));
        run(id, first);
        long before = notificationsOf(u[3]).get(0).notification().id();
        feeds.get(() -> feeds.notifications.dismiss(u[3], before));
        run(id, first);
        assertThat(notificationsOf(u[3])).as("dismissed").isEmpty();

        awaitNextMilli(first);
        long second = edit(id, words("three", List.of()));
        run(id, second);
        run(id, second);

        assertThat(notificationsOf(u[3]))
                .singleElement()
                .satisfies(shown -> assertThat(shown.notification().id()).isGreaterThan(before));
        awaitNextMilli(notificationsOf(u[3]).get(0).notification().id());
        long third = edit(id, words("four", List.of()));
        run(id, third);
        assertThat(notificationsOf(u[3])).hasSize(1);
        assertThat(events())
                .filteredOn(event -> event.kind() == Event.Kind.NOTIFICATION)
                .hasSize(3);
    }

    private static void awaitNextMilli(long id) {
        TestRedis.awaitUntil("another millisecond", () -> System.currentTimeMillis() > Id.epochMillis(id) + 1);
    }

    @Test
    void manyRepostersAndQuotersAreNotifiedPageByPage() {
        long id = post(words("one", List.of()));
        int many = 120;
        for (int i = 0; i < many; i++) {
            long account = 4L * 4096 + i * 4L;
            long edge = id + 1 + i;
            feeds.get(() -> feeds.subjectEdges.link(SubjectEdges.Kind.REPOST, id, u[0], account, edge, null));
        }
        long early = quote(u[1], id);
        long late = quote(u[2], id);
        assertThat(early).isLessThan(late);
        long edit = edit(id, words("two", List.of()));

        int pages = 0;
        Job.Edit job = new Job.Edit(u[0], id, edit, 0);
        while (job != null) {
            pages++;
            Outcome outcome = feeds.run(feeds.edit, job).get(0);
            job = outcome instanceof Continued more
                    ? (Job.Edit) more.rest().get(0).job()
                    : null;
        }

        assertThat(pages).isEqualTo(3);
        Set<String> keys = Set.copyOf(feeds.redis.keys());
        assertThat(Stream.iterate(0, i -> i + 1).limit(many))
                .allMatch(i -> keys.contains(Keys.notifications(4L * 4096 + i * 4L)));
        assertThat(notificationsOf(u[1])).hasSize(1);
        assertThat(notificationsOf(u[2])).hasSize(1);
    }

    @Test
    void anEditOfAStatusDeletedMeanwhileIsTakenBack() {
        long id = post(words("old", List.of()));
        feeds.run(feeds.fanOut, new Job.FanOut(u[0], id, 0));
        long edit = edit(id, words("#c", List.of("c"), u[2]));
        feeds.beforeAppend = () -> {
            Status deleted = feeds.get(() -> feeds.statuses.delete(u[0], id)).orElseThrow();
            feeds.get(() -> feeds.eventsElsewhere.append(EventBodies.deleted(deleted)));
        };

        assertThat(run(id, edit)).isEqualTo(Outcome.DONE);

        assertThat(tag("c")).isEmpty();
        assertThat(notificationsOf(u[2])).isEmpty();
        assertThat(events()).extracting(event -> event.kind().letter()).containsExactly('d');
        assertThat(run(id, edit)).isEqualTo(Outcome.DONE);
        assertThat(feeds.redis.keys()).doesNotContain(Keys.edits(id));
    }

    @Test
    void aStatusDeletedWhileAPartFailsIsTakenBackAllTheSame() {
        long id = post(words("old", List.of()));
        feeds.run(feeds.fanOut, new Job.FanOut(u[0], id, 0));
        long edit = edit(id, words("#c", List.of("c"), u[2]));
        feeds.redis.askAt(Keys.PUBLIC, "DEL", Keys.PUBLIC);
        feeds.redis.askAt(Keys.PUBLIC, "SET", Keys.PUBLIC, "not a list");
        feeds.beforeAppend = () -> feeds.get(() -> feeds.statuses.delete(u[0], id));

        List<Future<Outcome>> outcomes =
                feeds.run(feeds.edit, TestLease.held(), List.of(new Job.Edit(u[0], id, edit, 0)));

        assertThat(outcomes.get(0).failed()).as("so that it is tried again").isTrue();
        assertThat(tag("c")).isEmpty();
        assertThat(notificationsOf(u[2])).isEmpty();
        feeds.redis.askAt(Keys.PUBLIC, "DEL", Keys.PUBLIC);
        assertThat(run(id, edit)).isEqualTo(Outcome.DONE);
    }

    @Test
    void nothingIsDoneUnderALeaseThatIsLost() {
        long id = post(words("one", List.of()));
        long edit = edit(id, words("two", List.of()));

        TestLease lost = new TestLease(() -> Future.failedFuture(new LeaseLost("gone")));
        List<Future<Outcome>> outcomes = feeds.run(feeds.edit, lost, List.of(new Job.Edit(u[0], id, edit, 0)));

        assertThat(outcomes.get(0).cause()).isInstanceOf(LeaseLost.class);
        assertThat(feeds.log()).isEmpty();
    }
}

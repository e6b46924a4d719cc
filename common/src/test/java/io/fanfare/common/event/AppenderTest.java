package io.fanfare.common.event;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Many events that share calls of the script. */
@ParameterizedClass
@KindsOfRedis
class AppenderTest {
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private static Vertx vertx;

    @Parameter
    TestRedis.Kind kind;

    private TestRedis redis;
    private RedisLink link;
    private Counted counted;
    private long now;

    /** The fate of one call. */
    private enum Fate {
        ANSWERED,
        /** The connection ends before the script runs. */
        NOT_EXECUTED,
        /** The script runs, and the connection ends before its answer comes. */
        UNANSWERED,
        /** Neither an answer nor the end of the connection has come yet. */
        ON_THE_WAY
    }

    /** The link, with every call counted, and some of them cut. */
    private final class Counted implements Redis {
        private final IntFunction<Fate> fates;
        private int calls;

        Counted(IntFunction<Fate> fates) {
            this.fates = fates;
        }

        @Override
        public Future<Reply> send(Command command) {
            Future<Reply> lost = Future.failedFuture(new RedisError(RedisError.Kind.LOST, "cut"));
            return switch (fates.apply(calls++)) {
                case ANSWERED -> link.send(command);
                case NOT_EXECUTED -> lost;
                case UNANSWERED -> link.send(command).compose(reply -> lost);
                case ON_THE_WAY -> Promise.<Reply>promise().future();
            };
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            return link.pipeline(commands);
        }

        @Override
        public void afterTurn(Runnable task) {
            link.afterTurn(task);
        }
    }

    @BeforeAll
    static void startVertx() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stopVertx() {
        await(vertx.close());
    }

    @BeforeEach
    void emptyLog() {
        redis = kind.redis();
        redis.flush();
        link = redis.link(vertx);
        counted = new Counted(call -> Fate.ANSWERED);
        now = redis.askAt(Keys.BUS_SEQ, "TIME").items().get(0).asLong() * 1000;
    }

    @AfterEach
    void closeLink() {
        await(link.close());
    }

    @Test
    void eventsOfOneTurnShareCallsAndKeepTheirOrder() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            // Of several hours, so that the call names several keys that remember events.
            events.add(status(Id.of(now - i % 7 * HOUR, 3, i % 4) + i / 4 * 4096L));
        }

        List<Long> seqs = appendInOneTurn(log(), events);

        assertThat(counted.calls).isEqualTo(4);
        assertThat(seqs).containsExactlyElementsOf(upTo(200));
        assertThat(inTheLog())
                .containsExactlyElementsOf(events.stream().map(Event::id).toList());
    }

    @Test
    void aFullCallDoesNotWaitForTheAnswersToOthersButTheRestDoes() {
        counted = new Counted(call -> Fate.ON_THE_WAY);

        List<Future<Long>> appended = appendAll(log(), statuses(200));

        assertThat(callsAfterTheTurn()).isEqualTo(3);
        assertThat(appended).noneMatch(Future::isComplete);
    }

    @Test
    void eventsOnTheWayCountAmongThoseThatWait() {
        counted = new Counted(call -> Fate.ON_THE_WAY);

        List<Future<Long>> appended = appendAll(log(), statuses(5000));

        assertThat(callsAfterTheTurn()).isEqualTo(4096 / 64);
        assertThat(appended).filteredOn(Future::failed).hasSize(5000 - 4096);
    }

    @Test
    void inOneCallADeleteTakesItsStatusOutAndNoStatusComesAfterIt() {
        long first = Id.of(now, 3, 0);
        long second = Id.of(now - HOUR, 3, 1);
        String match = "{\"t\":\"Hello\"}";
        Event posted = new Event(Event.Kind.STATUS, first, 8, 0, Visibility.PUBLIC, match, "{\"n\":1}");
        Event shown = new Event(
                Event.Kind.NOTIFICATION, Id.of(now, 5, 0), 8, 12, Visibility.PRIVATE, String.valueOf(first), "{}");

        List<Long> seqs = appendInOneTurn(
                log(),
                List.of(posted, posted, delete(second), delete(first), status(second), posted, delete(first), shown));

        assertThat(counted.calls).isEqualTo(1);
        assertThat(seqs).containsExactly(1L, 0L, 2L, 3L, 0L, 0L, 0L, 0L);
        assertThat(inTheLog()).containsExactly("d" + second, "d" + first);
        Event deleted = await(log().read(2, 10)).events().get(0).event();
        assertThat(deleted.match()).isEqualTo(match);
    }

    @Test
    void inOneCallANewStatusComesOnce() {
        List<Event> events = new ArrayList<>(statuses(20));
        events.add(3, events.get(1));
        events.add(events.get(15));

        List<Long> seqs = appendInOneTurn(log(), events);

        assertThat(counted.calls).isEqualTo(1);
        assertThat(seqs.get(3)).isZero();
        assertThat(seqs.get(21)).isZero();
        assertThat(inTheLog())
                .containsExactlyElementsOf(statuses(20).stream().map(Event::id).toList());
    }

    @Test
    void aNotificationComesBeforeTheDeleteOfWhatItShowsInTheSameCall() {
        long status = Id.of(now, 3, 0);
        Event shown = new Event(
                Event.Kind.NOTIFICATION, Id.of(now, 5, 0), 8, 12, Visibility.PRIVATE, String.valueOf(status), "{}");

        assertThat(appendInOneTurn(log(), List.of(status(status), shown, delete(status))))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void inOneCallNothingThatShowsAStatusComesBehindItsDelete() {
        long original = Id.of(now - HOUR, 3, 0);
        long other = Id.of(now - 200 * HOUR, 3, 1);
        Event before = AppendScriptTest.showing(Id.of(now, 8, 0), original);
        Event behind = AppendScriptTest.showing(Id.of(now, 5, 0), other, original);
        Event afterOther = AppendScriptTest.showing(Id.of(now, 6, 0), other);

        assertThat(appendInOneTurn(
                        log(),
                        List.of(
                                status(original),
                                before,
                                delete(original),
                                behind,
                                afterOther,
                                status(Id.of(now, 7, 0)))))
                .containsExactly(1L, 2L, 3L, EventLog.STALE, 4L, 5L);
        assertThat(counted.calls).isEqualTo(1);
        assertThat(inTheLog())
                .containsExactly(
                        before.id(),
                        "d" + original,
                        afterOther.id(),
                        status(Id.of(now, 7, 0)).id());
    }

    @Test
    void inOneCallNewStatusesThatShowOthersComeAsTheyAre() {
        List<Event> events = new ArrayList<>(statuses(10));
        long first = events.get(0).subject();
        events.add(AppendScriptTest.showing(Id.of(now, 4, 0), first));
        events.add(AppendScriptTest.showing(Id.of(now, 4, 1), Id.of(now - 500 * HOUR, 4, 0), first));
        events.addAll(List.of(AppendScriptTest.showing(Id.of(now, 4, 2), first), status(Id.of(now, 4, 3))));

        assertThat(appendInOneTurn(log(), events)).containsExactlyElementsOf(upTo(14));
        assertThat(counted.calls).isEqualTo(1);
        assertThat(await(log().read(0, 100)).events())
                .extracting(LoggedEvent::event)
                .containsExactlyElementsOf(events);
    }

    @Test
    void longEventsShareNoCallWithManyOthers() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            String body = "{\"text\":\"" + "x".repeat(100_000) + "\"}";
            events.add(new Event(Event.Kind.STATUS, Id.of(now, 3, 0) + i * 4096L, 8, 0, Visibility.PUBLIC, body));
        }

        assertThat(appendInOneTurn(log(), events)).containsExactlyElementsOf(upTo(6));
        assertThat(counted.calls).isEqualTo(3);
    }

    @Test
    void aCutCallLeavesNoEventMissingOrRepeatedOnceTheJobsHaveRun() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            long status = Id.of(now - i % 3 * HOUR, 3, 0) + i * 4096L;
            events.add(status(status));
            if (i % 5 == 0) {
                events.add(delete(status));
            }
        }
        for (Fate fate : List.of(Fate.NOT_EXECUTED, Fate.UNANSWERED)) {
            for (int cut = 0; cut < 3; cut++) {
                int unlucky = cut;
                redis.flush();
                counted = new Counted(call -> call == unlucky ? fate : Fate.ANSWERED);
                List<Future<Long>> appended = appendAll(log(), events);
                TestRedis.awaitUntil("all answered", () -> appended.stream().allMatch(Future::isComplete));
                assertThat(appended).filteredOn(Future::failed).hasSize(cut == 2 ? events.size() - 128 : 64);

                // What the jobs do, those of some deletes before those of their statuses.
                List<Event> again = new ArrayList<>(events);
                Collections.shuffle(again, new Random(cut));
                Set<EventKey> unheard = new HashSet<>(await(
                        log().missing(again.stream().map(AppenderTest::key).toList())));
                List<Event> unfinished = again.stream()
                        .filter(event -> unheard.contains(key(event)))
                        .toList();
                assertThat(appendInOneTurn(log(), unfinished)).hasSameSizeAs(unfinished);

                String as = fate + " " + cut;
                List<String> log = inTheLog();
                assertThat(log).as(as).doesNotHaveDuplicates();
                for (Event event : events) {
                    boolean deleted = event.kind() == Event.Kind.STATUS && log.contains("d" + event.subject());
                    assertThat(log.contains(event.id()))
                            .as(as + " " + event.id())
                            .isNotEqualTo(deleted);
                }
            }
        }
    }

    private List<Event> statuses(int count) {
        long first = Id.of(now, 3, 0);
        return LongStream.range(0, count)
                .mapToObj(i -> status(first + i * 4096))
                .toList();
    }

    private EventLog log() {
        return new EventLog(counted, new Random(7), AppendScriptTest.settings(100_000));
    }

    private List<Long> appendInOneTurn(EventLog log, List<Event> events) {
        return appendAll(log, events).stream().map(TestRedis::await).toList();
    }

    /** From the link's own event loop, as the API does. */
    private List<Future<Long>> appendAll(EventLog log, List<Event> events) {
        return await(Future.future(done -> link.afterTurn(
                () -> done.complete(events.stream().map(log::append).toList()))));
    }

    /** After the turn in which the appender sends what was given to it before. */
    private int callsAfterTheTurn() {
        return await(Future.future(done -> link.afterTurn(() -> link.afterTurn(() -> done.complete(counted.calls)))));
    }

    private static EventKey key(Event event) {
        return new EventKey(event.kind(), event.subject());
    }

    private List<String> inTheLog() {
        return await(log().read(0, 1000)).events().stream()
                .map(logged -> logged.event().id())
                .toList();
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private static Event status(long id) {
        return new Event(Event.Kind.STATUS, id, 8, 0, Visibility.PUBLIC, "{\"n\":1}");
    }

    private static Event delete(long id) {
        return new Event(Event.Kind.DELETE, id, 8, 0, Visibility.PUBLIC, "{\"deleted\":true}");
    }
}

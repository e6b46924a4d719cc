package io.fanfare.common.event;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.ScriptHeader;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The scripts of the event log: given the whole state, one action, the whole state after it. */
@ParameterizedClass
@KindsOfRedis
class AppendScriptTest {
    private static final long HOUR = Duration.ofHours(1).toMillis();

    /** A moment of today, since some of the log goes by the clock of Redis; always the same moment of an hour. */
    private static final long NOW = (System.currentTimeMillis() / HOUR - 1) * HOUR + 386_123;

    private static final long RETENTION = settings(100).logAge().toMillis();
    private static final long AUTHOR = Id.of(NOW - 1000 * HOUR, 3, 0);

    private static Vertx vertx;

    @Parameter
    TestRedis.Kind kind;

    private TestRedis redis;
    private RedisLink link;
    private EventLog log;

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
        log = new EventLog(link, new Random(7), settings(100));
    }

    @AfterEach
    void closeLink() {
        await(link.close());
    }

    @Test
    void theFirstEventBeginsAnEpoch() {
        long status = Id.of(NOW - 5, 3, 1);

        String line = "s|" + status + "|" + AUTHOR + "|0|public|{\"n\":1}";

        assertThat(append(status(status), NOW)).isEqualTo(1);

        String epoch = get(Keys.BUS_EPOCH);
        assertThat(epoch).matches("[0-9a-f]{8}");
        assertThat(state())
                .isEqualTo(Map.of(
                        Keys.BUS_SEQ,
                        "1",
                        Keys.BUS_EPOCH,
                        epoch,
                        Keys.BUS_FLOOR,
                        "1",
                        Keys.BUS_LOG,
                        "1-0 t " + NOW + " n 1 b " + line.length(),
                        Keys.BUS_BATCHES,
                        "1=" + line + " bytes=" + line.length(),
                        Keys.busSubjects(NOW / HOUR),
                        status + "=1"));
        assertThat(redis.askAt(Keys.BUS_SEQ, "PTTL", Keys.busSubjects(NOW / HOUR))
                        .asLong())
                .isBetween(RETENTION - 60_000, RETENTION);
    }

    /** They have counters of their own. */
    @Test
    void aNotificationWithTheIdOfAStatusIsAnotherEvent() {
        long id = Id.of(NOW - 5, 3, 1);
        assertThat(append(status(id), NOW)).isEqualTo(1);
        assertThat(append(notification(id), NOW)).isEqualTo(2);
        assertThat(append(notification(id), NOW)).isZero();
        assertThat(append(status(id), NOW)).isZero();
        assertThat(append(delete(id), NOW)).isEqualTo(3);
        assertThat(missing("n" + (id + 1), "n" + id, "s" + id)).containsExactly("n" + (id + 1));

        long other = Id.of(NOW - 4, 3, 1);
        assertThat(append(notification(other), NOW)).isEqualTo(4);
        assertThat(append(status(other), NOW)).isEqualTo(5);
    }

    /** They are most of all events, and {@code {bus}} is one slot. */
    @Test
    void notificationsAreRememberedForHoursOnly() {
        long hours = EventLog.NOTIFICATION_RETENTION.toMillis();
        long id = Id.of(NOW - 5, 3, 1);
        assertThat(append(status(id), NOW)).isEqualTo(1);
        assertThat(append(notification(id), NOW)).isEqualTo(2);

        assertThat(state().get(Keys.busSubjects(NOW / HOUR))).isEqualTo(id + "=1");
        assertThat(state().get(Keys.busNotified(NOW / HOUR))).isEqualTo("n" + id + "=2");
        assertThat(redis.askAt(Keys.BUS_SEQ, "PTTL", Keys.busNotified(NOW / HOUR))
                        .asLong())
                .isBetween(hours - 60_000, hours);
        assertThat(await(log.remembered(NOW))).isEqualTo(2);
        long old = Id.of(NOW - hours - 1, 3, 1);
        assertThat(missing("n" + id, "n" + old, "s" + old)).containsExactly("s" + old);
        assertThat(append(notification(old), NOW)).as("a repetition").isZero();
        assertThat(append(notification(Id.of(NOW - hours + 1, 3, 1)), NOW)).isEqualTo(3);
    }

    @Test
    void anEventIsAppendedOnce() {
        long status = Id.of(NOW - 5, 3, 1);
        assertThat(append(status(status), NOW)).isEqualTo(1);
        Map<String, String> before = state();

        assertThat(append(status(status), NOW + 1)).isZero();

        assertThat(state()).isEqualTo(before);
    }

    /** A client that received a status by its words receives its delete, though nobody knows any more what it said. */
    @Test
    void aDeleteTakesOverWhatFiltersLookedAt() {
        long status = Id.of(NOW - 5, 3, 1);
        String match = "{\"t\":\"Hello\"}";
        Event event = new Event(Event.Kind.STATUS, status, AUTHOR, 0, Visibility.PUBLIC, match, "{\"n\":1}");
        assertThat(append(event, NOW)).isEqualTo(1);

        assertThat(append(delete(status), NOW + 2)).isEqualTo(2);

        Event deleted = await(log.read(0, 10)).events().get(0).event();
        assertThat(deleted.kind()).isEqualTo(Event.Kind.DELETE);
        assertThat(deleted.match()).isEqualTo(match);
        assertThat(deleted.body()).isEqualTo("{\"deleted\":true}");
    }

    @Test
    void aDeleteTakesItsStatusOutOfTheLog() {
        long status = Id.of(NOW - 2 * HOUR, 3, 1);
        long other = Id.of(NOW - 5, 3, 2);
        String second = "s|" + other + "|" + AUTHOR + "|0|public|{\"n\":1}";
        String third = "d|" + status + "|" + AUTHOR + "|0|public|{\"deleted\":true}";
        int bytes = second.length();
        assertThat(append(status(status), NOW)).isEqualTo(1);
        assertThat(append(status(other), NOW + 1)).isEqualTo(2);

        assertThat(append(delete(status), NOW + 2)).isEqualTo(3);

        assertThat(state())
                .isEqualTo(Map.of(
                        Keys.BUS_SEQ,
                        "3",
                        Keys.BUS_EPOCH,
                        get(Keys.BUS_EPOCH),
                        Keys.BUS_FLOOR,
                        "1",
                        Keys.BUS_LOG,
                        "1-0 t " + NOW + " n 1 b " + bytes + "\n2-0 t " + (NOW + 1) + " n 1 b " + 2 * bytes + "\n3-0 t "
                                + (NOW + 2) + " n 1 b " + (2 * bytes + third.length()),
                        Keys.BUS_BATCHES,
                        "1= 2=" + second + " 3=" + third + " bytes=" + (2 * bytes + third.length()),
                        Keys.busSubjects(NOW / HOUR),
                        other + "=2",
                        Keys.busSubjects(NOW / HOUR - 2),
                        status + "=-3"));
    }

    @Test
    void aStatusAfterItsDeleteIsNotAppended() {
        long status = Id.of(NOW - 5, 3, 1);
        assertThat(append(delete(status), NOW)).isEqualTo(1);
        Map<String, String> before = state();

        assertThat(append(status(status), NOW)).isZero();
        assertThat(append(delete(status), NOW)).isZero();

        assertThat(state()).isEqualTo(before);
    }

    @Test
    void aFollowAfterItsUnfollowIsNotAppended() {
        long edge = Id.of(NOW - 5, 3, 1);
        assertThat(append(edge(Event.Kind.UNFOLLOW, edge), NOW)).isEqualTo(1);

        assertThat(append(edge(Event.Kind.FOLLOW, edge), NOW)).isZero();
        assertThat(append(edge(Event.Kind.FOLLOW, edge + 1), NOW)).isEqualTo(2);
    }

    @Test
    void anEventOlderThanTheMemoryOfSubjectsIsARepetition() {
        long kept = Id.of(NOW - RETENTION, 3, 1);
        long old = Id.of(NOW - RETENTION - 1, 3, 1);

        assertThat(append(status(old), NOW)).isZero();
        assertThat(append(edge(Event.Kind.FOLLOW, old), NOW)).isZero();
        assertThat(state()).isEmpty();
        assertThat(append(status(kept), NOW)).isEqualTo(1);
    }

    @Test
    void aDeleteOrUnfollowComesAtAnyAgeAndOnce() {
        long old = Id.of(NOW - 100 * RETENTION, 3, 1);

        assertThat(append(delete(old), NOW)).isEqualTo(1);
        assertThat(append(edge(Event.Kind.UNFOLLOW, old + 1), NOW)).isEqualTo(2);
        assertThat(append(delete(old), NOW)).isZero();
        assertThat(append(edge(Event.Kind.UNFOLLOW, old + 1), NOW)).isZero();
    }

    @Test
    void eventsLeaveTheLogBeforeTheirIdsAreForgotten() {
        List<Long> statuses = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            statuses.add(Id.of(NOW + i * HOUR, 3, 0));
            assertThat(append(status(statuses.get(i)), NOW + i * HOUR)).isEqualTo(i + 1);
        }

        long later = NOW + 9 * HOUR + RETENTION + 1;
        assertThat(append(delete(statuses.get(2)), later)).isEqualTo(61);

        assertThat(get(Keys.BUS_FLOOR)).isEqualTo("11");
        assertThat(logIds()).hasSize(51).startsWith("11-0").endsWith("61-0");
        assertThat(batches()).isEqualTo(51);
    }

    /** So that Redis is not kept from others for long; what stays longer than that leaves with the next calls. */
    @Test
    void twoHundredBatchesLeaveAtOnceAtMost() {
        EventLog roomy = new EventLog(link, new Random(7), settings(1000));
        for (int i = 0; i < 500; i++) {
            await(roomy.append(status(Id.of(NOW + i, 3, 0)), Long.toString(NOW)));
        }

        assertThat(append(status(Id.of(NOW, 3, 1)), NOW)).isEqualTo(501);
        assertThat(get(Keys.BUS_FLOOR)).isEqualTo("201");
        assertThat(append(status(Id.of(NOW, 3, 2)), NOW)).isEqualTo(502);
        assertThat(get(Keys.BUS_FLOOR)).isEqualTo("401");
        assertThat(append(status(Id.of(NOW, 3, 3)), NOW)).isEqualTo(503);
        assertThat(get(Keys.BUS_FLOOR)).isEqualTo("404");
    }

    @Test
    void theLogIsBoundedByEventsAndItsFloorIsExact() {
        int many = 1000;
        for (int i = 0; i < many; i++) {
            assertThat(append(status(Id.of(NOW + i, 3, 0)), NOW + i)).isEqualTo(i + 1);
        }

        List<String> ids = logIds();
        assertThat(ids).hasSize(100).endsWith(many + "-0");
        assertThat(ids.get(0)).isEqualTo(get(Keys.BUS_FLOOR) + "-0");
        assertThat(batches()).isEqualTo(100);
    }

    @Test
    void theLogIsBoundedByBytes() {
        EventLog small =
                new EventLog(link, new Random(7), SettingsLoader.defaultsWith("stream.log-bytes=1048576").stream());
        String body = "{\"x\":\"" + "x".repeat(100_000) + "\"}";
        for (int i = 0; i < 30; i++) {
            Event large = new Event(Event.Kind.STATUS, Id.of(NOW + i, 3, 0), AUTHOR, 0, Visibility.PUBLIC, body);
            await(small.append(large, Long.toString(NOW)));
        }

        // Ten are less than the bound; the one before them is there still, since all after it are.
        assertThat(get(Keys.BUS_FLOOR)).isEqualTo("20");
        assertThat(batches()).isEqualTo(11);
        assertThat(await(small.read(0, 100)).events())
                .extracting(LoggedEvent::seq)
                .containsExactly(20L, 21L, 22L, 23L, 24L, 25L, 26L, 27L, 28L, 29L, 30L);
    }

    @Test
    void theFloorStaysWhenTheOldestEventIsDeleted() {
        long first = Id.of(NOW, 3, 0);
        assertThat(append(status(first), NOW)).isEqualTo(1);
        assertThat(append(delete(first), NOW)).isEqualTo(2);

        assertThat(get(Keys.BUS_FLOOR)).isEqualTo("1");
        assertThat(await(log.state())).isEqualTo(new LogState(get(Keys.BUS_EPOCH), 2, 1));
    }

    @Test
    void losingAnyPartOfTheLogBeginsAnEpoch() {
        for (String part : List.of(Keys.BUS_SEQ, Keys.BUS_EPOCH, Keys.BUS_FLOOR, Keys.BUS_LOG, Keys.BUS_BATCHES)) {
            redis.flush();
            assertThat(append(status(Id.of(NOW, 3, 0)), NOW)).isEqualTo(1);
            assertThat(append(status(Id.of(NOW, 3, 1)), NOW)).isEqualTo(2);
            String epoch = get(Keys.BUS_EPOCH);
            redis.askAt(part, "DEL", part);

            assertThat(append(status(Id.of(NOW, 3, 2)), NOW)).as(part).isEqualTo(1);

            assertThat(get(Keys.BUS_EPOCH)).as(part).isNotEqualTo(epoch).matches("[0-9a-f]{8}");
            assertThat(logIds()).as(part).containsExactly("1-0");
        }
    }

    @Test
    void aDeleteLeavesAnEventAloneThatGotTheNumberInANewEpoch() {
        long status = Id.of(NOW, 3, 0);
        long other = Id.of(NOW, 3, 1);
        assertThat(append(status(status), NOW)).isEqualTo(1);
        redis.askAt(Keys.BUS_SEQ, "DEL", Keys.BUS_SEQ);
        assertThat(append(status(other), NOW)).isEqualTo(1);

        assertThat(append(delete(status), NOW)).isEqualTo(2);

        assertThat(await(log.read(0, 10)).events())
                .extracting(logged -> logged.event().subject())
                .containsExactly(other, status);
    }

    @Test
    void theEpochOfAnEmptyLogIsKeptByItsFirstEvent() {
        LogState empty = await(log.state());
        assertThat(empty.tip()).isZero();
        assertThat(empty.floor()).isEqualTo(1);

        assertThat(append(status(Id.of(NOW, 3, 0)), NOW)).isEqualTo(1);

        assertThat(await(log.state())).isEqualTo(new LogState(empty.epoch(), 1, 1));
    }

    @Test
    void aReadReturnsHolesAsHolesAndTheStateOfTheLog() {
        for (int i = 0; i < 6; i++) {
            assertThat(append(status(Id.of(NOW + i, 3, 0)), NOW + i)).isEqualTo(i + 1);
        }
        assertThat(append(delete(Id.of(NOW + 2, 3, 0)), NOW)).isEqualTo(7);
        assertThat(append(delete(Id.of(NOW + 3, 3, 0)), NOW)).isEqualTo(8);
        String epoch = get(Keys.BUS_EPOCH);

        LogPage all = await(log.read(0, 100));
        LogPage piece = await(log.read(1, 2));
        LogPage nothing = await(log.read(8, 100));

        assertThat(all.state()).isEqualTo(new LogState(epoch, 8, 1));
        assertThat(all.events()).extracting(LoggedEvent::seq).containsExactly(1L, 2L, 5L, 6L, 7L, 8L);
        assertThat(all.upTo()).isEqualTo(8);
        assertThat(all.whole()).isTrue();
        assertThat(all.events().get(1)).isEqualTo(new LoggedEvent(epoch, 2, NOW + 1, status(Id.of(NOW + 1, 3, 0))));
        assertThat(piece.events()).extracting(LoggedEvent::seq).containsExactly(2L);
        assertThat(piece.upTo()).isEqualTo(3);
        assertThat(piece.whole()).isFalse();
        assertThat(nothing.events()).isEmpty();
        assertThat(nothing.upTo()).isEqualTo(8);
    }

    @Test
    void eventsAreReadWithoutTheDeletedStatusesThatTheyShow() {
        long original = Id.of(NOW - 500 * HOUR, 0, 0);
        long quote = Id.of(NOW, 1, 0);
        Event repost = showing(Id.of(NOW, 2, 0), quote, original);
        Event about = notification(Id.of(NOW, 3, 0), quote, original);
        assertThat(append(showing(quote, original), NOW)).isEqualTo(1);
        assertThat(append(repost, NOW)).isEqualTo(2);
        assertThat(append(about, NOW)).isEqualTo(3);
        assertThat(append(status(Id.of(NOW, 4, 0)), NOW)).isEqualTo(4);
        assertThat(await(log.read(1, 1)).events().get(0).event()).isEqualTo(repost);

        assertThat(append(delete(original), NOW)).isEqualTo(5);
        assertThat(await(log.read(0, 4)).events())
                .extracting(LoggedEvent::event)
                .containsExactly(
                        showing(quote, original).redacted(Set.of(original)),
                        repost.redacted(Set.of(original)),
                        about.redacted(Set.of(original)),
                        status(Id.of(NOW, 4, 0)));
        assertThat(await(log.read(0, 1)).events().get(0).event().match()).doesNotContain("words");

        assertThat(append(delete(quote), NOW)).isEqualTo(6);
        assertThat(await(log.read(0, 4)).events())
                .extracting(LoggedEvent::event)
                .containsExactly(repost.redacted(Set.of(original, quote)), status(Id.of(NOW, 4, 0)));
    }

    /** All is lost between the page and the question what has been deleted. */
    @Test
    void aPageIsEmptyIfTheLogIsLostMeanwhile() {
        long original = Id.of(NOW, 1, 0);
        assertThat(append(status(original), NOW)).isEqualTo(1);
        assertThat(append(showing(Id.of(NOW, 2, 0), original), NOW)).isEqualTo(2);
        assertThat(append(delete(original), NOW)).isEqualTo(3);
        int[] calls = {0};
        Redis losing = new Redis() {
            @Override
            public Future<Reply> send(Command command) {
                return link.send(command).map(reply -> {
                    if (calls[0]++ == 0) {
                        redis.flush();
                    }
                    return reply;
                });
            }

            @Override
            public Future<List<Reply>> pipeline(List<Command> commands) {
                return link.pipeline(commands);
            }
        };

        LogPage page = await(new EventLog(losing, new Random(8), settings(100)).read(0, 10));
        assertThat(page.events()).isEmpty();
        assertThat(page.state()).isEqualTo(await(log.state()));
    }

    @Test
    void repeatedEventsAndEventsOfDeletedStatusesAreCounted() {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        EventLog counting = new EventLog(link, new Random(7), settings(100), metrics.counter("repeats"));
        Event status = status(Id.of(NOW, 3, 1));
        Event other = status(Id.of(NOW, 3, 2));
        assertThat(await(counting.append(status))).isEqualTo(1);
        assertThat(await(counting.append(other))).isEqualTo(2);
        assertThat(metrics.counter("repeats").count()).isZero();

        assertThat(await(counting.append(status))).isZero();
        assertThat(await(counting.append(delete(other.subject())))).isEqualTo(3);
        assertThat(await(counting.append(other))).isZero();
        assertThat(metrics.counter("repeats").count()).isEqualTo(2);
        assertThat(await(counting.append(showing(Id.of(NOW, 3, 3), other.subject()))))
                .isEqualTo(EventLog.STALE);
        assertThat(metrics.counter("repeats").count()).as("no repetition").isEqualTo(2);
    }

    /** Somebody has rendered it before the delete: the log must not get the words of what it has told to be deleted. */
    @Test
    void anEventThatShowsADeletedStatusMustBeRebuilt() {
        long original = Id.of(NOW - 500 * HOUR, 0, 0);
        long other = Id.of(NOW - 500 * HOUR, 5, 0);
        long living = Id.of(NOW, 1, 0);
        Event repost = showing(Id.of(NOW, 2, 0), original);
        assertThat(append(delete(original), NOW)).isEqualTo(1);
        Map<String, String> before = state();

        assertThat(append(repost, NOW)).isEqualTo(EventLog.STALE);
        assertThat(append(showing(Id.of(NOW, 3, 0), other, original), NOW)).isEqualTo(EventLog.STALE);
        assertThat(append(notification(Id.of(NOW, 4, 0), other, original), NOW)).isEqualTo(EventLog.STALE);
        assertThat(append(notification(Id.of(NOW, 4, 0), original), NOW))
                .as("nobody is told of what is gone")
                .isZero();
        assertThat(state()).isEqualTo(before);

        assertThat(append(showing(Id.of(NOW, 3, 0), other), NOW)).isEqualTo(2);
        assertThat(append(status(repost.subject()), NOW)).isEqualTo(3);
        assertThat(append(repost, NOW)).as("it is there").isZero();
        assertThat(append(delete(living), NOW)).isEqualTo(4);
        assertThat(append(showing(living, original), NOW)).as("it is deleted").isZero();
    }

    @Test
    void anEventWithoutReadableStatusIdsIsRejectedWithoutItsText() {
        String line = "s|1|2|0|public|{\"o\":[1,x],\"t\":\"secret\"}\t{}";
        assertThatThrownBy(() -> EventCodec.decode(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> EventCodec.decode("s|1|2|0|public|{\"o\":[1\t{}"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EventCodec.decode("n|1|2|3|private|secret\t{}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
    }

    /** A batch that somebody has damaged by hand is missing, but ends nothing else. */
    @Test
    void aBatchWithoutItsLinesIsPassedOver() {
        long status = Id.of(NOW, 3, 0);
        assertThat(append(status(status), NOW)).isEqualTo(1);
        assertThat(append(status(Id.of(NOW, 3, 1)), NOW)).isEqualTo(2);
        redis.askAt(Keys.BUS_BATCHES, "HDEL", Keys.BUS_BATCHES, "1");

        assertThat(append(delete(status), NOW)).isEqualTo(3);

        LogPage page = await(log.read(0, 10));
        assertThat(page.events()).extracting(LoggedEvent::seq).containsExactly(2L, 3L);
        assertThat(page.whole()).isTrue();
    }

    @Test
    void aMomentIsFoundInTheLog() {
        for (int i = 0; i < 20; i++) {
            assertThat(append(status(Id.of(NOW + i, 3, 0)), NOW + 10L * i)).isEqualTo(i + 1);
        }
        for (int millis = -5; millis < 200; millis++) {
            assertThat(await(log.before(NOW + millis)))
                    .as("%d ms", millis)
                    .isEqualTo(Math.max(0, Math.floorDiv(millis + 9, 10)));
        }
        assertThat(await(log.before(NOW + 1000))).isEqualTo(20);
    }

    @Test
    void theNamesOfTheCallAreThoseOfTheHeader() {
        assertThat(ScriptHeader.of(AppendScript.APPEND)).isEqualTo(ScriptHeader.of(AppendScript.APPEND.script()));
    }

    @Test
    void missingReturnsTheEventsThatAppendWouldAccept() {
        long now = redis.askAt(Keys.BUS_SEQ, "TIME").items().get(0).asLong() * 1000;
        long there = Id.of(now, 3, 0);
        long deleted = Id.of(now, 3, 1);
        long fresh = Id.of(now - 30 * HOUR, 3, 2);
        long old = Id.of(now - RETENTION - HOUR, 3, 3);
        await(log.append(status(there)));
        await(log.append(delete(deleted)));

        assertThat(missing(
                        "s" + there,
                        "d" + there,
                        "s" + deleted,
                        "d" + deleted,
                        "s" + fresh,
                        "s" + old,
                        "d" + old,
                        "f" + fresh))
                .containsExactly("d" + there, "s" + fresh, "d" + old, "f" + fresh);
        assertThat(missing()).isEmpty();
    }

    private List<String> missing(String... events) {
        List<EventKey> keys = new ArrayList<>();
        for (String event : events) {
            keys.add(new EventKey(Event.Kind.of(event.charAt(0)), Long.parseLong(event.substring(1))));
        }
        return await(log.missing(keys)).stream().map(EventKey::toString).toList();
    }

    @Test
    void anEpochIsRenewedOnce() {
        assertThat(append(status(Id.of(NOW, 3, 0)), NOW)).isEqualTo(1);
        String ending = get(Keys.BUS_EPOCH);

        String begun = await(log.renewEpoch(ending));

        assertThat(begun).isNotEqualTo(ending).isEqualTo(get(Keys.BUS_EPOCH));
        assertThat(await(log.renewEpoch(ending))).isEqualTo(begun);
        assertThat(await(log.state())).isEqualTo(new LogState(begun, 1, 1, 1));
        assertThat(append(status(Id.of(NOW, 3, 1)), NOW)).isEqualTo(2);
        LogPage all = await(log.read(0, 10));
        assertThat(all.state()).isEqualTo(new LogState(begun, 2, 1, 1));
        assertThat(all.events()).extracting(LoggedEvent::epoch).containsExactly(begun, begun);
    }

    @Test
    void anEpochThatAppendedNothingIsRenewedWithAnEmptyLog() {
        String ending = await(log.state()).epoch();

        String begun = await(log.renewEpoch(ending));

        assertThat(await(log.state())).isEqualTo(new LogState(begun, 0, 1));
        assertThat(append(status(Id.of(NOW, 3, 0)), NOW)).isEqualTo(1);
        assertThat(await(log.state())).isEqualTo(new LogState(begun, 1, 1));
    }

    @Test
    void anEpochCanEndThatHasLostAPartOfItsLog() {
        for (String part : List.of(Keys.BUS_SEQ, Keys.BUS_EPOCH, Keys.BUS_FLOOR, Keys.BUS_LOG, Keys.BUS_BATCHES)) {
            redis.flush();
            assertThat(append(status(Id.of(NOW, 3, 0)), NOW)).isEqualTo(1);
            String ending = get(Keys.BUS_EPOCH);
            redis.askAt(part, "DEL", part);

            String begun = await(log.renewEpoch(ending));

            assertThat(begun).as(part).isNotEqualTo(ending).isEqualTo(get(Keys.BUS_EPOCH));
            assertThat(await(log.state())).as(part).isEqualTo(new LogState(begun, 0, 1));
        }
    }

    @Test
    void aBodyOfTwoLinesIsRefused() {
        assertThatThrownBy(() -> log.append(new Event(Event.Kind.STATUS, 1, 1, 0, Visibility.PUBLIC, "{\n}")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void idsAndNumbersOfFiftyThreeBitsStayExact() {
        redis.askAt(Keys.BUS_SEQ, "SET", Keys.BUS_EPOCH, "0a0b0c0d");
        redis.askAt(Keys.BUS_SEQ, "SET", Keys.BUS_FLOOR, "9007199254740000");
        redis.askAt(Keys.BUS_SEQ, "SET", Keys.BUS_SEQ, "9007199254740989");
        redis.askAt(
                Keys.BUS_SEQ,
                "XADD",
                Keys.BUS_LOG,
                "9007199254740989-0",
                "t",
                String.valueOf(NOW),
                "n",
                "1",
                "b",
                "19");
        redis.askAt(Keys.BUS_SEQ, "HSET", Keys.BUS_BATCHES, "9007199254740989", "u|1|2|3|public|{}", "bytes", "19");

        assertThat(append(delete(Id.MAX), NOW)).isEqualTo(9007199254740990L);

        LoggedEvent last = await(log.read(9007199254740989L, 10)).events().get(0);
        assertThat(last).isEqualTo(new LoggedEvent("0a0b0c0d", 9007199254740990L, NOW, delete(Id.MAX)));
        String subjects = Keys.busSubjects(Id.epochMillis(Id.MAX) / HOUR);
        assertThat(redis.askAt(subjects, "HGET", subjects, Long.toString(Id.MAX))
                        .asString())
                .isEqualTo("-9007199254740990");
    }

    /** An edit of a status, whose id its match does not have. */
    private static Event edit(long edit, long status, String match) {
        return new Event(Event.Kind.EDIT, edit, AUTHOR, status, Visibility.PUBLIC, match, "{\"n\":2}");
    }

    private static Event posted(long id, String match) {
        return new Event(Event.Kind.STATUS, id, AUTHOR, 0, Visibility.PUBLIC, match, "{\"n\":1}");
    }

    private static final String OLD = "{\"t\":\"old\"}";
    private static final String NEW = "{\"t\":\"new\"}";
    private static final String NEWEST = "{\"t\":\"newest\"}";

    private List<Event> events() {
        return await(log.read(0, 100)).events().stream().map(LoggedEvent::event).toList();
    }

    @Test
    void editsOfAStatusComeOnceAndInTheirOrder() {
        long status = Id.of(NOW - 2 * HOUR, 3, 1);
        long first = Id.of(NOW - 5, 3, 0);
        long second = Id.of(NOW - 4, 3, 0);
        assertThat(append(posted(status, OLD), NOW)).isEqualTo(1);
        assertThat(append(edit(second, status, NEWEST), NOW)).isEqualTo(2);

        assertThat(append(edit(second, status, NEWEST), NOW)).isZero();
        assertThat(append(edit(first, status, NEW), NOW)).as("overtaken").isZero();
        assertThat(append(edit(second + 1, status, NEW), NOW)).isEqualTo(3);
        assertThat(append(edit(first, status + 1, NEW), NOW)).as("of another").isEqualTo(4);
        assertThat(await(log.missing(
                        List.of(new EventKey(Event.Kind.EDIT, second), new EventKey(Event.Kind.EDIT, second + 2)))))
                .containsExactly(new EventKey(Event.Kind.EDIT, second + 2));
        String subjects = Keys.busSubjects((NOW - 2 * HOUR) / HOUR);
        assertThat(redis.askAt(subjects, "HGET", subjects, "e" + status).asString())
                .isEqualTo((second + 1) + " 2,3");
    }

    @Test
    void ofManyEditsTheLogHasTheNewestTen() {
        long status = Id.of(NOW - 2 * HOUR, 3, 1);
        long edit = Id.of(NOW - 5, 3, 0);
        append(posted(status, OLD), NOW);
        for (int i = 0; i < 13; i++) {
            assertThat(append(edit(edit + i, status, "{\"t\":\"v" + i + "\"}"), NOW))
                    .isEqualTo(i + 2);
        }

        assertThat(events())
                .extracting(Event::subject)
                .startsWith(status, edit + 3)
                .hasSize(11)
                .endsWith(edit + 12);
        append(delete(status), NOW);
        assertThat(MatchFields.versions(events().get(0).match())).hasSize(11);
        assertThat(redis.askAt(Keys.BUS_BATCHES, "HVALS", Keys.BUS_BATCHES).items())
                .noneMatch(line -> line.asString().contains("e|"));
    }

    @Test
    void aDeleteTakesTheEditsOutAndTakesOverWhatFiltersLookedAt() {
        long status = Id.of(NOW - 2 * HOUR, 3, 1);
        long first = Id.of(NOW - 5, 3, 0);
        append(posted(status, OLD), NOW);
        append(status(Id.of(NOW - 3, 3, 0)), NOW);
        append(edit(first, status, NEW), NOW);
        append(edit(first + 1, status, NEWEST), NOW);

        assertThat(append(delete(status), NOW)).isEqualTo(5);

        assertThat(events()).extracting(event -> event.kind().letter()).containsExactly('s', 'd');
        String match = events().get(1).match();
        assertThat(match).isEqualTo("{\"t\":\"old\",\"e\":[" + NEW + "," + NEWEST + "]}");
        assertThat(MatchFields.versions(match)).extracting(MatchFields::text).containsExactly("old", "new", "newest");
        assertThat(MatchFields.decode(match).text()).isEqualTo("old");
        assertThat(redis.askAt(Keys.BUS_BATCHES, "HVALS", Keys.BUS_BATCHES).items())
                .noneMatch(line -> line.asString().contains("e|"));
        assertThat(append(edit(first + 2, status, NEW), NOW))
                .as("behind the delete")
                .isZero();
        String subjects = Keys.busSubjects((NOW - 2 * HOUR) / HOUR);
        assertThat(redis.askAt(subjects, "HEXISTS", subjects, "e" + status).asLong())
                .isZero();
    }

    @Test
    void aDeleteOfWhatHasLeftTheLogGoesByItsEdits() {
        long old = Id.of(NOW - RETENTION - HOUR, 3, 1);
        long edit = Id.of(NOW - 5, 3, 0);
        assertThat(append(edit(edit, old, NEW), NOW)).isEqualTo(1);

        assertThat(append(delete(old), NOW)).isEqualTo(2);

        assertThat(events()).singleElement().satisfies(event -> assertThat(event.match())
                .isEqualTo(NEW));
    }

    @Test
    void editAndDeleteMayComeInOneCall() {
        long status = Id.of(NOW - 2 * HOUR, 3, 1);
        long edit = Id.of(NOW - 5, 3, 0);
        List<Event> together =
                List.of(posted(status, OLD), edit(edit + 1, status, NEW), edit(edit, status, NEWEST), delete(status));
        List<Long> seqs = new ArrayList<>();
        List<Future<Long>> calls = together.stream()
                .map(event -> log.append(event, Long.toString(NOW)))
                .toList();
        calls.forEach(call -> seqs.add(await(call)));

        assertThat(seqs).containsExactly(1L, 2L, 0L, 3L);
        assertThat(events()).singleElement().satisfies(event -> assertThat(event.match())
                .isEqualTo("{\"t\":\"old\",\"e\":[" + NEW + "]}"));
    }

    /** As those of a repost or quote. */
    @Test
    void anEditThatShowsADeletedStatusMustBeRebuilt() {
        long quoted = Id.of(NOW - 3 * HOUR, 3, 1);
        long status = Id.of(NOW - 2 * HOUR, 3, 1);
        long edit = Id.of(NOW - 5, 3, 0);
        append(delete(quoted), NOW);
        String match = showing(status, quoted).match();

        assertThat(append(edit(edit, status, match), NOW)).isEqualTo(EventLog.STALE);
        assertThat(append(edit(edit, status, NEW), NOW)).isEqualTo(2);
        append(delete(status), NOW);
        assertThat(append(edit(edit + 1, status, match), NOW))
                .as("nothing to make anew")
                .isZero();
    }

    /** An older process has told of a delete without taking the edits out. */
    @Test
    void anEditIsNotReadBehindTheDeleteOfItsStatus() {
        long status = Id.of(NOW - 2 * HOUR, 3, 1);
        append(edit(Id.of(NOW - 5, 3, 0), status, NEW), NOW);
        String subjects = Keys.busSubjects((NOW - 2 * HOUR) / HOUR);
        redis.askAt(subjects, "HSET", subjects, Long.toString(status), "-7");

        assertThat(events()).isEmpty();
    }

    @CanIgnoreReturnValue
    private long append(Event event, long now) {
        return await(log.append(event, Long.toString(now)));
    }

    private static Event status(long id) {
        return new Event(Event.Kind.STATUS, id, AUTHOR, 0, Visibility.PUBLIC, "{\"n\":1}");
    }

    private static Event delete(long id) {
        return new Event(Event.Kind.DELETE, id, AUTHOR, 0, Visibility.PUBLIC, "{\"deleted\":true}");
    }

    /** A status that shows others, with the words of the first for filters. */
    static Event showing(long id, Long... shown) {
        Post.Kind kind = shown.length > 1 ? Post.Kind.REPOST : Post.Kind.POST;
        String match = new MatchFields(kind, List.of(shown), "my", 13, "words", 0, 0, List.of(), List.of(), null, null)
                .encode();
        return new Event(Event.Kind.STATUS, id, AUTHOR, 0, Visibility.PUBLIC, match, "{}");
    }

    private static Event notification(long id, Long... shown) {
        String match = Event.match(List.of(shown));
        return new Event(Event.Kind.NOTIFICATION, id, AUTHOR, AUTHOR + 4, Visibility.PRIVATE, match, "{}");
    }

    private static Event edge(Event.Kind kind, long id) {
        return new Event(kind, id, AUTHOR, AUTHOR + 4, Visibility.PUBLIC, "{}");
    }

    static Settings.Stream settings(int logEvents) {
        return SettingsLoader.defaultsWith("stream.log-events=" + logEvents).stream();
    }

    private String get(String key) {
        return redis.askAt(key, "GET", key).asString();
    }

    private List<String> logIds() {
        return redis.askAt(Keys.BUS_LOG, "XRANGE", Keys.BUS_LOG, "-", "+").items().stream()
                .map(entry -> entry.items().get(0).asString())
                .toList();
    }

    /** How many batches have lines. */
    private long batches() {
        return redis.askAt(Keys.BUS_BATCHES, "HLEN", Keys.BUS_BATCHES).asLong() - 1;
    }

    /** Every key there is, in words. */
    private Map<String, String> state() {
        Map<String, String> state = new TreeMap<>();
        for (String key : redis.keys()) {
            String type = redis.askAt(key, "TYPE", key).asString();
            state.put(
                    key,
                    switch (type) {
                        case "string" -> get(key);
                        case "hash" -> hash(redis.askAt(key, "HGETALL", key).items());
                        case "stream" ->
                            stream(redis.askAt(key, "XRANGE", key, "-", "+").items());
                        default -> type;
                    });
        }
        return state;
    }

    private static String hash(List<Reply> fields) {
        Map<String, String> sorted = new TreeMap<>();
        for (int i = 0; i < fields.size(); i += 2) {
            sorted.put(fields.get(i).asString(), fields.get(i + 1).asString());
        }
        List<String> words = sorted.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .toList();
        return String.join(" ", words);
    }

    private static String stream(List<Reply> entries) {
        List<String> lines = new ArrayList<>();
        for (Reply entry : entries) {
            List<String> fields =
                    entry.items().get(1).items().stream().map(Reply::asString).toList();
            lines.add(entry.items().get(0).asString() + " " + String.join(" ", fields));
        }
        return String.join("\n", lines);
    }
}

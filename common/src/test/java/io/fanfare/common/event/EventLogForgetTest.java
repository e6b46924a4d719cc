package io.fanfare.common.event;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The log forgets subjects to stay within its bound. */
@ParameterizedClass
@KindsOfRedis
class EventLogForgetTest {
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final long NOW = (System.currentTimeMillis() / HOUR - 1) * HOUR + 386_123;
    private static final long OLD_HOUR = NOW / HOUR - 4;
    private static final long AUTHOR = Id.of(NOW - 1000 * HOUR, 3, 0);

    /** The events that the log keeps at least, see {@code stream.log-events}. */
    private static final int LOG_EVENTS = 100;

    /** So many that a hash is read in several steps. */
    private static final int OLD = 2000;

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
        log = new EventLog(link, new Random(7), AppendScriptTest.settings(LOG_EVENTS));
    }

    @AfterEach
    void closeLink() {
        await(link.close());
    }

    @Test
    void anHourThatIsForgottenKeepsWhatIsInTheLogOrWasDeletedAndTheRestIsARepetition() {
        for (int i = 0; i < OLD; i++) {
            append(event(Event.Kind.STATUS, old(i)));
        }
        append(event(Event.Kind.DELETE, old(0)));
        long newestOld = old(OLD - 1);
        long fresh = Id.of(NOW - 5, 3, 1);
        append(event(Event.Kind.STATUS, fresh));
        String subjects = Keys.busSubjects(OLD_HOUR);
        assertThat(size(subjects)).isEqualTo(OLD);

        forget(OLD_HOUR);

        assertThat(size(subjects)).isLessThanOrEqualTo(LOG_EVENTS + 16).isGreaterThan(1);
        assertThat(append(event(Event.Kind.STATUS, old(0)))).as("deleted").isZero();
        assertThat(append(event(Event.Kind.STATUS, old(1)))).as("forgotten").isZero();
        assertThat(append(event(Event.Kind.STATUS, newestOld))).as("in the log").isZero();
        assertThat(append(event(Event.Kind.STATUS, Id.of(OLD_HOUR * HOUR + 7, 9, 1))))
                .as("never seen, and of the forgotten hour")
                .isZero();
        assertThat(await(log.missing(List.of(
                        new EventKey(Event.Kind.STATUS, old(1)),
                        new EventKey(Event.Kind.STATUS, fresh),
                        new EventKey(Event.Kind.STATUS, fresh + 1)))))
                .containsExactly(new EventKey(Event.Kind.STATUS, fresh + 1));
        assertThat(append(event(Event.Kind.STATUS, fresh + 1))).isPositive();

        assertThat(append(event(Event.Kind.DELETE, newestOld))).isPositive();
        assertThat(texts()).as("the words of what was deleted").noneMatch(line -> line.contains("s|" + newestOld));
        assertThat(append(event(Event.Kind.DELETE, old(0)))).as("deleted once").isZero();
    }

    @Test
    void notificationsAreForgottenLikewise() {
        long id = Id.of(OLD_HOUR * HOUR + 7, 3, 1);
        for (int i = 0; i < 2 * LOG_EVENTS; i++) {
            append(event(Event.Kind.NOTIFICATION, id + i));
        }
        String notified = Keys.busNotified(OLD_HOUR);
        assertThat(size(notified)).isEqualTo(2 * LOG_EVENTS);

        forget(OLD_HOUR);

        assertThat(size(notified)).isLessThanOrEqualTo(LOG_EVENTS + 16);
        assertThat(append(event(Event.Kind.NOTIFICATION, id))).isZero();
    }

    private void forget(long hour) {
        for (boolean notifications : new boolean[] {false, true}) {
            EventLog.Forgotten step = await(log.forget(hour, notifications, EventLog.Forgotten.BEGIN));
            while (!step.isWhole()) {
                step = await(log.forget(hour, notifications, step.next()));
            }
        }
    }

    private static long old(int i) {
        return Id.of(OLD_HOUR * HOUR + 1000 + i, 3, 1);
    }

    private long size(String key) {
        return redis.askAt(key, "HLEN", key).asLong();
    }

    private List<String> texts() {
        return redis.askAt(Keys.BUS_BATCHES, "HVALS", Keys.BUS_BATCHES).items().stream()
                .flatMap(lines -> lines.asString().lines())
                .toList();
    }

    @CanIgnoreReturnValue
    private long append(Event event) {
        return await(log.append(event, Long.toString(NOW)));
    }

    private static Event event(Event.Kind kind, long id) {
        long target = kind == Event.Kind.NOTIFICATION ? AUTHOR + 4 : 0;
        return new Event(kind, id, AUTHOR, target, Visibility.PUBLIC, "{\"n\":1}");
    }
}

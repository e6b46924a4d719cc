package io.fanfare.app.console;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fanfare.app.operate.Minutes;
import io.fanfare.app.operate.Minutes.Minute;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The minutes of processes, from their figures to what the console shows. */
class HistoryTest {
    private static final long BEGIN = Instant.parse("2027-03-04T05:00:00Z").toEpochMilli();
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final Figures NOTHING = figures(0, 0);

    private final TestRedis redis = TestRedis.standalone();
    private final Vertx vertx = Vertx.vertx();
    private RedisLink link;
    private boolean away;
    private int reads;
    private long now = BEGIN;

    @BeforeEach
    void connect() {
        redis.flush();
        link = await(RedisLink.open(vertx, redis.options()));
    }

    @AfterEach
    void stop() {
        await(link.close());
        await(vertx.close());
    }

    private Future<RedisLink> connected() {
        return away ? Future.failedFuture("away") : Future.succeededFuture(link);
    }

    private static Figures figures(double posts, double waiting) {
        return new Figures(posts, 2 * posts, 0, 3 * posts, 100 * posts, posts, 5, 12, waiting, 9, /* room= */ 0);
    }

    @Test
    void theMinutesOfAllProcessesAreAddedUp() {
        MinuteRecorder one = new MinuteRecorder(this::connected, "one", NOTHING, now);
        MinuteRecorder two = new MinuteRecorder(this::connected, "two", figures(1000, 0), now);
        now += MINUTE;
        look(one, figures(60, 7), now);
        look(two, figures(1030, 4), now);
        now += MINUTE;
        await(one.close(figures(61, 0)));
        await(two.close(figures(1030, 0)));

        JsonArray points = last(1);
        assertThat(points).hasSize(2);
        JsonObject first = points.getJsonObject(0);
        assertThat(first.getLong("at")).isEqualTo(BEGIN);
        assertThat(first.getDouble("posts")).isEqualTo(90);
        assertThat(first.getDouble("deliveries")).isEqualTo(270);
        assertThat(first.getDouble("streams")).isEqualTo(10);
        assertThat(first.getDouble("lag_ms")).isEqualTo(12);
        assertThat(first.getDouble("waiting")).isEqualTo(7);
        assertThat(first.getInteger("processes")).isEqualTo(2);
        assertThat(points.getJsonObject(1).getDouble("posts")).isEqualTo(1);
    }

    @Test
    void minutesThatRedisMissedAreWrittenLaterAndAClockSetBackRepeatsNone() {
        MinuteRecorder recorder = new MinuteRecorder(this::connected, "one", NOTHING, now);
        away = true;
        for (int minute = 1; minute <= 5; minute++) {
            look(recorder, figures(minute, 0), now += MINUTE);
        }
        away = false;
        assertThat(last(1)).isEmpty();
        look(recorder, figures(6, 0), now - 3 * MINUTE);
        look(recorder, figures(7, 0), now += MINUTE);
        await(recorder.close(figures(7, 0)));

        assertThat(last(1).stream().mapToDouble(point -> ((JsonObject) point).getDouble("posts")))
                .containsExactly(1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 0.0);
    }

    @Test
    void threeDaysAreSevenHundredPointsAndOldHoursAreReadOnce() {
        for (int hour = 0; hour < 72; hour++) {
            List<Minute> minutes = new ArrayList<>();
            for (int minute = 0; minute < 60; minute++) {
                minutes.add(new Minute(
                        BEGIN / MINUTE + 60L * hour + minute,
                        "one",
                        figures(1, 0).numbers()));
            }
            assertThat(await(new Minutes(link).keep(minutes))).isZero();
        }
        now += Duration.ofDays(3).toMillis();
        History history = new History(this::connected, clock());
        JsonArray points = last(history, 72);
        assertThat(points).hasSizeBetween(715, 720);
        assertThat(points.getJsonObject(10).getInteger("minutes")).isEqualTo(6);
        assertThat(points.getJsonObject(10).getDouble("posts")).isEqualTo(6);

        String old = Keys.minutes(BEGIN / Duration.ofHours(1).toMillis() + 10);
        redis.askAt(old, "DEL", old);
        assertThat(last(history, 72)).isEqualTo(points);
        assertThat(last(72).size()).isLessThan(points.size());
    }

    @Test
    void theEndOfTheDiskWithTheLeastRoomIsThatOfItsGrowth() {
        for (int hour = 0; hour < 24; hour++) {
            long minute = BEGIN / MINUTE + 60L * hour;
            List<Long> tight = figures(1, 0).withRoom(4000 - 100.0 * hour).numbers();
            List<Long> wide = figures(1, 0).withRoom(900_000).numbers();
            List<Long> none = figures(1, 0).numbers();
            assertThat(await(new Minutes(link)
                            .keep(List.of(
                                    new Minute(minute, "tight", tight),
                                    new Minute(minute, "wide", wide),
                                    new Minute(minute, "none", none)))))
                    .isZero();
        }
        now = BEGIN + Duration.ofHours(23).toMillis();

        assertThat(await(new History(this::connected, clock()).diskFull()))
                .as("1700 MiB are left, and 100 go each hour")
                .contains(Instant.ofEpochMilli(now).plus(Duration.ofHours(17)));
    }

    @Test
    void everybodyWhoLooksMeanwhileWaitsForTheSameReading() {
        Promise<RedisLink> opened = Promise.promise();
        History history = new History(
                () -> {
                    reads++;
                    return opened.future();
                },
                clock());
        MultiMap given = MultiMap.caseInsensitiveMultiMap().add("hours", "72");
        List<Future<JsonObject>> looks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            looks.add(history.last(Arguments.of(given)));
        }
        // Only now, so that no reading has ended before the last of them looked.
        opened.complete(link);
        looks.forEach(look -> assertThat(await(look).getJsonArray("points")).isEmpty());
        assertThat(reads).as("one of each hour").isEqualTo(73);
        assertThat(last(history, 72)).isEmpty();
        assertThat(reads).as("those that may change").isEqualTo(73 + 3);
    }

    @Test
    void aClockThatIsSetBackHidesNoHour() {
        assertThat(await(new Minutes(link)
                        .keep(List.of(new Minute(
                                BEGIN / MINUTE + 5, "one", figures(1, 0).numbers())))))
                .isZero();
        History history = new History(this::connected, clock());
        now = BEGIN + Duration.ofHours(10).toMillis();
        assertThat(last(history, 24)).hasSize(1);
        now = BEGIN + Duration.ofMinutes(30).toMillis();
        assertThat(last(history, 1)).hasSize(1);

        // Read when the clock said that it was long over, and written afterwards.
        assertThat(await(new Minutes(link)
                        .keep(List.of(new Minute(
                                BEGIN / MINUTE + 6, "one", figures(1, 0).numbers())))))
                .isZero();
        assertThat(last(history, 1)).hasSize(2);
    }

    @Test
    void aProcessThatAnHourHasNoRoomForSaysSoOnce() {
        List<Minute> others = new ArrayList<>();
        for (int process = 0; process < Minutes.PROCESSES_MAX; process++) {
            others.add(new Minute(
                    BEGIN / MINUTE, "process" + process, figures(1, 0).numbers()));
        }
        assertThat(await(new Minutes(link).keep(others))).isZero();
        Logger logger = (Logger) LoggerFactory.getLogger(MinuteRecorder.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            MinuteRecorder recorder = new MinuteRecorder(this::connected, "one more", NOTHING, now);
            for (int minute = 1; minute <= 5; minute++) {
                look(recorder, figures(minute, 0), now += MINUTE);
            }
            assertThat(lines.list).hasSize(1);
            assertThat(lines.list.get(0).getFormattedMessage()).contains(Minutes.PROCESSES_MAX + " others");
        } finally {
            logger.detachAppender(lines);
        }
    }

    /** Nothing is under way afterwards. */
    private static void look(MinuteRecorder recorder, Figures figures, long now) {
        recorder.look(figures, now);
        await(recorder.written().otherwiseEmpty());
    }

    private InstantSource clock() {
        return () -> Instant.ofEpochMilli(now);
    }

    private JsonArray last(int hours) {
        return last(new History(this::connected, clock()), hours);
    }

    private static JsonArray last(History history, int hours) {
        MultiMap given = MultiMap.caseInsensitiveMultiMap().add("hours", Integer.toString(hours));
        return await(history.last(Arguments.of(given))).getJsonArray("points");
    }
}

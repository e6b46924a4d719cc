package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.session.SlowReaderDetector;
import io.fanfare.stream.session.SlowReaderDetector.Verdict;
import io.fanfare.stream.session.StreamRow;
import io.fanfare.stream.session.Subscriber;
import io.netty.channel.epoll.Epoll;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which readers are given up, and that no other is. */
class SlowReaderTest {
    private static final Settings.Stream SETTINGS =
            SettingsLoader.defaultsWith("stream.dead-after=60s", "stream.slow-window=60s", "stream.slow-bytes=100")
                    .stream();

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void aSocketThatTakesNothingForTheWholeTimeIsClosedAndItsClientLosesNothing() {
        start("stream.slow-bytes=0");
        SseClient stalled = server.listening();
        stalled.pause();
        SseClient quick = server.listening();
        long last = fill();
        awaitUntil("the quick one has all", () -> quick.lastEventId().endsWith("-" + last));
        awaitSeen(quick, last);
        assertThat(server.connections(0)).isEqualTo(2);
        server.skip(Duration.ofSeconds(20));
        long more = server.append(server.status(1));
        awaitUntil("the quick one has it", () -> quick.lastEventId().endsWith("-" + more));
        assertThat(server.connections(0)).as("before the time is over").isEqualTo(2);

        server.skip(Duration.ofSeconds(61));
        awaitUntil("closed", () -> server.connections(0) == 1);

        stalled.resume();
        awaitUntil("its client knows", stalled::ended);
        assertThat(quick.ended()).isFalse();
        SseClient again = server.listening("Last-Event-ID: " + stalled.lastEventId());
        awaitUntil("the rest", () -> again.lastEventId().endsWith("-" + more));
        assertThat(stalled.messages("status").size() + again.messages("status").size())
                .isEqualTo(quick.messages("status").size());
        assertThat(again.messages("gap")).isEmpty();
    }

    @Test
    void theTimeOfIdleConnectionsDoesNotCountForStreams() {
        start("http.idle-timeout=1s", "http.request-timeout=900ms");
        SseClient stalled = server.listening();
        stalled.pause();
        SseClient quick = server.listening();
        long last = fill();
        awaitUntil("the quick one has all", () -> quick.lastEventId().endsWith("-" + last));

        // Three times as long, and nothing else has come.
        String heartbeat = "id: " + server.epoch() + "-" + last + "\n\n";
        awaitUntil("ten heartbeats", () -> quick.raw().endsWith(heartbeat.repeat(10)));

        assertThat(server.connections(0)).isEqualTo(2);
    }

    @Test
    void theKernelKeepsLittleForWhoDoesNotRead() {
        assumeThat(Epoll.isAvailable()).isTrue();
        start();
        SseClient stalled = server.listening();
        stalled.pause();
        SseClient quick = server.listening();
        long last = fill();
        awaitUntil("the quick one has all", () -> quick.lastEventId().endsWith("-" + last));

        StreamRow row = server.rows(0).stream()
                .max(Comparator.comparingLong(StreamRow::waiting))
                .orElseThrow();
        assertThat(row.waiting()).isBetween(1L, 2L * Subscriber.TURN_BYTES_MAX);
        // What its own end takes, which nobody here sets, is less than the megabytes that ours would.
        assertThat(row.bytes()).isLessThan(1 << 20);
    }

    @Test
    void aStreamFarBehindThatReadsTooLittleIsEnded() {
        start("stream.dead-after=1h", "stream.slow-bytes=1000000");
        SseClient slow = server.listening();
        slow.pause();
        SseClient quick = server.listening();
        long last = fill();
        awaitUntil("the quick one has all", () -> quick.lastEventId().endsWith("-" + last));
        awaitSeen(quick, last);

        server.skip(Duration.ofSeconds(61));
        awaitUntil("ended", () -> server.connections(0) == 1);

        slow.resume();
        awaitUntil("its client knows", slow::ended);
        assertThat(quick.ended()).isFalse();
    }

    @Test
    void aByteNowAndThenIsALife() {
        SlowReaderDetector slowReaderDetector = new SlowReaderDetector(SETTINGS, 0, 0);
        for (int second = 1; second < 600; second++) {
            assertThat(judge(slowReaderDetector, second, second / 59, 1000, false))
                    .as("second %d", second)
                    .isEqualTo(Verdict.READS);
        }
        // The last byte was taken at second 590.
        assertThat(judge(slowReaderDetector, 649, 10, 1000, false)).isEqualTo(Verdict.READS);
        assertThat(judge(slowReaderDetector, 650, 10, 1000, false)).isEqualTo(Verdict.DEAD);
    }

    @Test
    void nothingWaitsForWhoHasTakenAll() {
        SlowReaderDetector slowReaderDetector = new SlowReaderDetector(SETTINGS, 0, 0);
        for (int second = 1; second < 600; second++) {
            // The log is read for it, and its filter wants none of it.
            assertThat(judge(slowReaderDetector, second, 0, 0, true)).isEqualTo(Verdict.READS);
        }
        assertThat(judge(slowReaderDetector, 658, 0, 10, true)).isEqualTo(Verdict.READS);
    }

    @Test
    void slownessCountsOnlyFarBehindAndOverAWholeWindow() {
        SlowReaderDetector slowReaderDetector = new SlowReaderDetector(SETTINGS, 0, 0);
        for (int second = 1; second < 200; second++) {
            assertThat(judge(slowReaderDetector, second, 99L * second, 1000, false))
                    .isEqualTo(Verdict.READS);
        }
        for (int second = 200; second < 259; second++) {
            assertThat(judge(slowReaderDetector, second, 99L * second, 1000, true))
                    .isEqualTo(Verdict.READS);
        }
        assertThat(judge(slowReaderDetector, 259, 99L * 259, 1000, true)).isEqualTo(Verdict.TOO_SLOW);

        SlowReaderDetector detector = new SlowReaderDetector(SETTINGS, 0, 0);
        for (int second = 1; second < 600; second++) {
            assertThat(judge(detector, second, 100L * second, 1000, true)).isEqualTo(Verdict.READS);
        }
    }

    private static Verdict judge(
            SlowReaderDetector slowReaderDetector, int second, long taken, long waiting, boolean far) {
        return slowReaderDetector.judge(TimeUnit.SECONDS.toNanos(second), taken, waiting, far);
    }

    private void start(String... assignments) {
        redis.flush();
        List<String> all = new ArrayList<>(
                List.of("stream.heartbeat=300ms", "stream.ring-events=100", "stream.log-events=100000"));
        all.addAll(List.of(assignments));
        server = StreamServer.start(redis, all.toArray(String[]::new));
    }

    /**
     * Waits for the second heartbeat: a client that is silent for so long, and has events waiting, is watched, and its
     * time counts from then on.
     */
    private void awaitSeen(SseClient quick, long last) {
        String heartbeat = "id: " + server.epoch() + "-" + last + "\n\n";
        awaitUntil("two heartbeats", () -> quick.raw().endsWith(heartbeat + heartbeat));
        // The slow one may be on another event loop.
        awaitUntil("silent for two heartbeats", () -> server.rows(0).stream()
                .filter(row -> row.waiting() > 0)
                .allMatch(row -> row.idleMillis() >= 600));
    }

    /** More than sockets take; answers the seq of the last one. */
    private long fill() {
        String filler = "x".repeat(20_000);
        long last = 0;
        for (int i = 0; i < 500; i++) {
            last = server.append(server.status(8, Visibility.PUBLIC, "{\"f\":\"" + filler + "\"}"));
        }
        return last;
    }
}

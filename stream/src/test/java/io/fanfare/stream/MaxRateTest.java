package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.session.RateCap;
import io.fanfare.stream.wire.Dialect;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code max_rate}: what a client wants at most of each second, and the word about what it was not told. */
class MaxRateTest {
    private static final String BASE = "/api/v1/streaming/";

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @BeforeEach
    void start() {
        redis.flush();
        server = StreamServer.start(redis, "stream.heartbeat=500ms", "stream.ring-events=100");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"firehose?max_rate=5", "filter?track=hello&max_rate=5"})
    void eventsOverTheCapAreCountedInsteadOfSent(String path) {
        SseClient client = listening(path);
        Event first = server.post(8, "hello there");
        long from = server.append(first) - 1;
        awaitUntil("told", () -> !client.messages("status").isEmpty());
        List<Future<Long>> appended = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            // Not one after the other: that may take so many seconds that there is room for all.
            appended.add(server.log.append(server.post(8, "hello " + i)));
        }
        appended.forEach(TestRedis::await);
        // Deletes pass, whatever the second has had.
        server.append(StreamServer.delete(first));
        awaitUntil("delete", () -> !client.messages("delete").isEmpty());
        awaitUntil("limit", () -> !client.messages("limit").isEmpty());
        server.awaitLookedAt(server.append(server.post(8, "hello, the last word")));
        server.addNode();
        server.stopNode(0);
        awaitUntil("ended", client::ended);

        List<SseClient.Message> messages = client.messages();
        assertThat(messages.get(messages.size() - 1).event()).isEqualTo("disconnect");
        List<SseClient.Message> limits = client.messages("limit");
        JsonObject last = new JsonObject(limits.get(limits.size() - 1).data());
        int sent = client.messages("status").size();
        assertThat(counted(client)).isEqualTo(last.getInteger("track"));
        assertThat(sent + counted(client)).isEqualTo(62);
        assertThat(sent).isBetween(5, 30);
        assertThat(last.getString("timestamp_ms")).matches("\\d{13}");
        assertThat(limits).extracting(SseClient.Message::data).doesNotHaveDuplicates();

        // The same second gives the same to whoever comes back, from Redis as well.
        SseClient again = server.get(1, BASE + path + "&cursor=" + from);
        awaitUntil("replayed", () -> !again.messages("delete").isEmpty());
        awaitUntil("all told or counted", () -> again.messages("status").size() + counted(again) == 61);
        assertThat(again.messages("status").size()).isBetween(sent - 1, sent);
    }

    private static int counted(SseClient client) {
        return client.messages("limit").stream()
                .mapToInt(limit -> new JsonObject(limit.data()).getInteger("track"))
                .max()
                .orElse(0);
    }

    @Test
    void twittersClientsGetLimitNoticesAsTwitterSentThem() {
        SseClient client = server.get(0, "/1.1/statuses/firehose.json?max_rate=1");
        awaitUntil("open", () -> !client.raw().isEmpty());
        for (int i = 0; i < 20; i++) {
            server.append(server.follow(8, 12)); // Which that dialect does not tell, so the cap does not count them.
            server.append(server.status(i));
        }
        awaitUntil("limit", () -> client.raw().contains("{\"limit\":{\"track\":"));
        assertThat(client.raw()).containsPattern("\\{\"limit\":\\{\"track\":1?\\d,\"timestamp_ms\":\"\\d{13}\"}}\r\n");
    }

    @Test
    void aLimitNoticeComesWithinASecondThoughNoHeartbeatIsDue() {
        server.close();
        server = StreamServer.start(redis, "stream.heartbeat=4m", "http.idle-timeout=10m");
        SseClient looking = listening("firehose?max_rate=1");
        SseClient called = listening("filter?track=hello&max_rate=1");
        for (int i = 0; i < 20; i++) {
            server.append(server.post(8, "hello " + i));
        }

        for (SseClient client : List.of(looking, called)) {
            awaitUntil("all told or counted", () -> client.messages("status").size() + counted(client) == 20);
            assertThat(client.messages("limit")).isNotEmpty();
        }
    }

    @Test
    void aSlowReaderGetsNoLimitNotice() {
        SseClient slow = listening("firehose?max_rate=1000000");
        slow.pause();
        String filler = "x".repeat(4000);
        long last = 0;
        for (int i = 0; i < 800; i++) {
            last = server.append(server.status(8, Visibility.PUBLIC, "{\"f\":\"" + filler + "\"}"));
        }
        slow.resume();
        String end = "-" + last;
        awaitUntil("all", () -> slow.lastEventId().endsWith(end));
        assertThat(slow.messages("status")).hasSize(800);
        assertThat(slow.messages("limit")).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "firehose?max_rate=0",
                "firehose?max_rate=1000001",
                "firehose?max_rate=-1",
                "firehose?max_rate=1.5",
                "public?max_rate=5",
                "hashtag?tag=a&max_rate=5"
            })
    void anInvalidCapOrOneThatTheDialectCannotReportIsRefused(String path) {
        SseClient answer = server.get(0, BASE + path);
        awaitUntil("answered", answer::ended);
        assertThat(answer.status()).isEqualTo(406);
        assertThat(new JsonObject(answer.raw()).getString("param")).isEqualTo("max_rate");
    }

    @ParameterizedTest(name = "{0} {1} of 12")
    @CsvSource({
        "/api/v1/streaming/firehose,3",
        "/api/v1/streaming/firehose?max_rate=10,3",
        "/api/v1/streaming/firehose?max_rate=2,2",
        "/api/v1/streaming/sample?rate=100,3",
        "/api/v1/streaming/filter?track=hello,3",
        "/1.1/statuses/firehose.json,3",
        "/api/v1/streaming/home,12",
        "/api/v1/streaming/public,12"
    })
    void theServersQuotaHoldsForPublicStreamsWhoseDialectReportsIt(String path, int sent) {
        try (StreamServer metered = StreamServer.start(redis, "stream.heartbeat=500ms", "stream.quota=3")) {
            long viewer = metered.newUser();
            SseClient client = metered.get(0, path, "Authorization: Bearer " + metered.token(viewer, "read:statuses"));
            awaitUntil("open", () -> !client.raw().isEmpty());
            List<Future<Long>> appended = new ArrayList<>();
            long first = Instant.now().getEpochSecond();
            for (int i = 0; i < 12; i++) {
                appended.add(metered.log.append(metered.post(viewer, "hello no " + i + ".")));
            }
            appended.forEach(TestRedis::await);
            long seconds = Instant.now().getEpochSecond() - first + 1;
            awaitUntil("all told or counted", () -> statuses(client) + leftOut(client) == 12);
            // Seconds may have ended meanwhile.
            assertThat((long) statuses(client)).isBetween((long) sent, Math.min(seconds * sent, 12));
        }
    }

    private static int statuses(SseClient client) {
        return client.raw().split("\"text\":\"hello no ", -1).length - 1;
    }

    /** As the last word about it says, in whatever dialect. */
    private static int leftOut(SseClient client) {
        return Pattern.compile("\"track\":(\\d+),")
                .matcher(client.raw())
                .results()
                .mapToInt(count -> Integer.parseInt(count.group(1)))
                .max()
                .orElse(0);
    }

    @Test
    void aSocketHasNoWordsForACap() {
        SseClient answer = server.get(
                0,
                "/api/v1/streaming?stream=public&max_rate=5",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
        assertThat(answer.status()).isEqualTo(400);
    }

    @Test
    void secondsAreThoseOfTheLogAndAnEventCountsOnce() {
        RateCap rateCap = new RateCap(2, Dialect.NATIVE);
        StreamFilter filter = rateCap.over(event -> true);
        List<Long> passed = new ArrayList<>();
        for (int seq = 1; seq <= 10; seq++) {
            long millis = 10_000 + 300L * seq; // Three or four of each second.
            StreamEvent event =
                    new StreamEvent(new LoggedEvent("5f3a9c01", seq, millis, server.status(seq)), new Documents(1));
            boolean passes = filter.wants(event);
            assertThat(filter.wants(event)).as("asked again").isEqualTo(passes);
            if (passes) {
                passed.add(millis);
            }
        }
        assertThat(passed).containsExactly(10_300L, 10_600L, 11_200L, 11_500L, 12_100L, 12_400L, 13_000L);
        assertThat(rateCap.notice(0).toString()).contains("\"track\":3,");
        assertThat(rateCap.notice(5_000_000_000L)).isNull();
        assertThat(filter.wants(
                        new StreamEvent(new LoggedEvent("5f3a9c01", 11, 13_100, server.status(11)), new Documents(1))))
                .isTrue();
        assertThat(filter.wants(
                        new StreamEvent(new LoggedEvent("5f3a9c01", 12, 13_200, server.status(12)), new Documents(1))))
                .isFalse();
        assertThat(rateCap.notice(999_999_999L)).isNull();
        assertThat(rateCap.lastNotice(999_999_999L).toString()).contains("\"track\":4,\"timestamp_ms\":\"13200\"");
        assertThat(rateCap.lastNotice(999_999_999L)).isNull();
    }

    private SseClient listening(String path) {
        SseClient client = server.get(0, BASE + path);
        awaitUntil("hello", () -> !client.messages("hello").isEmpty());
        return client;
    }
}

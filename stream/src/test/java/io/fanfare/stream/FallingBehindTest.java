package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.LogState;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.session.Warnings;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers whose place is about to leave the log, or has left it. */
class FallingBehindTest {
    private static final String FIREHOSE = "/api/v1/streaming/firehose";

    /** In memory are fewer events than in the log, so that readers of what is older are read for. */
    private static final String[] SMALL = {"stream.ring-events=100", "stream.log-events=1000"};

    /** Its log has lost its beginning, as its node knows. */
    private static StreamServer server;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        server = StreamServer.start(TestRedis.standalone(), SMALL);
        for (int i = 0; i < 1300; i++) {
            server.append(server.status(i));
        }
        server.awaitFloorKnown();
    }

    @AfterEach
    void hangUp() {
        server.hangUp();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void warningsComeAtSixtyAndNinetyPercentAndNowAndThen() {
        long minute = Duration.ofMinutes(1).toNanos();
        Warnings warnings = new Warnings();

        assertThat(warnings.due(59, 0)).isFalse();
        assertThat(warnings.due(60, 0)).isTrue();
        assertThat(warnings.due(89, minute)).isFalse();
        assertThat(warnings.due(90, minute)).isTrue();
        assertThat(warnings.due(100, 2 * minute)).isFalse();
        assertThat(warnings.due(50, 3 * minute)).isFalse();
        assertThat(warnings.due(60, 6 * minute - 1)).isFalse();
        assertThat(warnings.due(60, 6 * minute)).isTrue();
        assertThat(warnings.due(49, 7 * minute)).isFalse();
        assertThat(warnings.due(60, 7 * minute)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"98, true", "70, true", "45, false"})
    void aReplayFromFarBehindIsWarnedOnce(int percent, boolean warned) {
        LogState log = await(server.log.state());
        long behind = (log.tip() - log.floor() + 1) * percent / 100;
        SseClient client = server.get(0, FIREHOSE + "?cursor=" + (log.tip() - behind));
        awaitUntil("all", () -> client.lastEventId().endsWith("-" + log.tip()));

        assertThat(client.messages("status")).hasSize((int) behind);
        assertThat(client.messages("warning")).hasSize(warned ? 1 : 0);
        if (warned) {
            JsonObject warning =
                    new JsonObject(client.messages("warning").get(0).data());
            assertThat(warning.getString("code")).isEqualTo("FALLING_BEHIND");
            assertThat(warning.getInteger("percent_full")).isBetween(percent - 2, percent);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/streaming/firehose, text/event-stream, false, false",
        "/api/v1/streaming/firehose, application/x-ndjson, '', false",
        "/api/v1/streaming/firehose, application/x-ndjson, true, true",
        "/1.1/statuses/firehose.json, application/json, '', false",
        "/1.1/statuses/firehose.json, application/json, true, true"
    })
    void warningsCanBeSwitchedOff(String path, String accept, String warnings, boolean warned) {
        LogState log = await(server.log.state());
        String query = "?cursor=" + (log.floor() - 1) + (warnings.isEmpty() ? "" : "&stall_warnings=" + warnings);
        SseClient client = server.get(0, path + query, "Accept: " + accept);
        long due = log.tip() - log.floor() + 1;
        String inEach = path.startsWith("/1.1") ? "\"timestamp_ms\":" : "{\"n\":";
        awaitUntil("all", () -> client.raw().split(Pattern.quote(inEach), -1).length > due);

        assertThat(client.raw().contains("FALLING_BEHIND")).isEqualTo(warned);
    }

    /**
     * As after the restart of a young server: nothing is in memory, and the few events that there are make up the whole
     * log.
     */
    @Test
    void aLogThatHasLostNothingHasRoom() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF);
                StreamServer young = StreamServer.start(redis)) {
            for (int i = 0; i < 20; i++) {
                young.append(young.status(i));
            }
            int restarted = young.addNode();
            SseClient client = young.get(restarted, FIREHOSE + "?cursor=0");
            awaitUntil("all", () -> client.messages("status").size() == 20);

            assertThat(client.messages("warning")).isEmpty();
        }
    }

    @Test
    void overflowDisconnectEndsTheStream() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF);
                StreamServer tiny = StreamServer.start(redis, "stream.ring-events=100", "stream.log-events=200")) {
            SseClient goesOn = tiny.get(0, FIREHOSE);
            SseClient ends = tiny.get(0, FIREHOSE + "?overflow=disconnect");
            List<SseClient> slow = List.of(goesOn, ends);
            slow.forEach(client ->
                    awaitUntil("hello", () -> !client.messages("hello").isEmpty()));
            slow.forEach(SseClient::pause);
            String body = "{\"f\":\"" + "x".repeat(8000) + "\"}";
            for (int i = 0; i < 1500; i++) {
                tiny.append(tiny.status(8, Visibility.PUBLIC, body));
            }
            slow.forEach(SseClient::resume);
            awaitUntil("at the tip", () -> goesOn.lastEventId().endsWith("-1500"));
            awaitUntil("ended", ends::ended);

            assertThat(goesOn.messages("gap")).isNotEmpty();
            assertThat(ends.messages("gap")).isEmpty();
            assertThat(new JsonObject(ends.messages("disconnect").get(0).data()).getInteger("code"))
                    .isEqualTo(4);
        }
    }

    @Test
    void aHomeReadsItsFolloweesAgainBehindAGap() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF);
                StreamServer tiny = StreamServer.start(redis, "stream.ring-events=100", "stream.log-events=200")) {
            long viewer = tiny.newUser();
            long former = tiny.newUser();
            long friend = tiny.newUser();
            await(tiny.graph.followAll(List.of(new long[] {viewer, former})));
            SseClient slow = tiny.get(
                    0, "/api/v1/streaming/home", "Authorization: Bearer " + tiny.token(viewer, "read:statuses"));
            awaitUntil("hello", () -> !slow.messages("hello").isEmpty());
            slow.pause();
            String body = "{\"f\":\"" + "x".repeat(8000) + "\"}";
            for (int i = 0; i < 1500; i++) {
                tiny.append(tiny.status(viewer, Visibility.PUBLIC, body));
            }
            await(tiny.graph.unfollow(viewer, former));
            tiny.append(tiny.unfollow(tiny.follow(viewer, former)));
            await(tiny.graph.follow(viewer, friend));
            tiny.append(tiny.follow(viewer, friend));
            for (int i = 0; i < 400; i++) {
                tiny.append(tiny.status(viewer, Visibility.PUBLIC, body));
            }
            slow.resume();
            tiny.append(tiny.status(former, Visibility.PRIVATE, "{\"no\":1}"));
            tiny.append(tiny.status(friend, Visibility.PRIVATE, "{\"yes\":1}"));
            tiny.append(tiny.status(viewer, Visibility.PUBLIC, "{\"yes\":2}"));
            awaitUntil("all", () -> slow.raw().contains("{\"yes\":2}"));

            assertThat(slow.messages("gap")).isNotEmpty();
            assertThat(slow.raw()).contains("{\"yes\":1}").doesNotContain("{\"no\":1}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cursor=1", "last_event_id=ffffffff-1", "since=1795251986123"})
    void onGapFailAnswersWithTheFloorOfTheLog(String from) {
        LogState log = await(server.log.state());
        SseClient answer = server.get(0, FIREHOSE + "?on_gap=fail&" + from);
        awaitUntil("answered", answer::ended);

        assertThat(answer.status()).isEqualTo(410);
        JsonObject body = new JsonObject(answer.raw());
        assertThat(body.getString("error")).isEqualTo("CursorTooOld");
        assertThat(body.getString("message")).startsWith("Events after this cursor are no longer in the log");
        assertThat(body.getLong("floor")).isEqualTo(log.floor());
    }

    /** Nothing is gone, so a client that would load everything anew for 410 need not. */
    @ParameterizedTest(name = "{0}: {2} {1}")
    @CsvSource({
        "?on_gap=fail&cursor=99999999,cursor,416",
        "?on_gap=fail&cursor={epoch}-99999999,cursor,416",
        "?on_gap=fail&last_event_id=99999999,last_event_id,416",
        "?on_gap=fail&cursor=yesterday,cursor,406",
        "?on_gap=fail&last_event_id=5f3a9c01,last_event_id,406",
        "?on_gap=fail,Last-Event-ID,416"
    })
    void aCursorThatNeverExistedIsNotCalledTooOld(String query, String param, int status) {
        String path = FIREHOSE + query.replace("{epoch}", server.epoch());
        SseClient answer =
                param.equals("Last-Event-ID") ? server.get(0, path, "Last-Event-ID: 99999999") : server.get(0, path);
        awaitUntil("answered", answer::ended);

        assertThat(answer.status()).isEqualTo(status);
        JsonObject body = new JsonObject(answer.raw());
        assertThat(body.getString("param")).isEqualTo(param);
        assertThat(body.getString("error"))
                .startsWith(
                        status == 416
                                ? "The cursor is ahead of the log, whose newest event is "
                                        + await(server.log.state()).tip()
                                : "The cursor must be the id of an event");
    }

    @Test
    void aStartBeforeTheLogGetsAGapForTheMissingBeginning() {
        LogState log = await(server.log.state());
        SseClient all = server.get(0, FIREHOSE + "?since=2026-01-02T03:04:05Z");
        awaitUntil("all", () -> all.lastEventId().endsWith("-" + log.tip()));
        assertThat(all.messages("gap")).hasSize(1);
        JsonObject gap = new JsonObject(all.messages("gap").get(0).data());
        assertThat(gap.getString("reason")).isEqualTo("expired");
        assertThat(gap.getValue("from")).isNull();
        assertThat(gap.getLong("to")).isEqualTo(log.floor() - 1);
        assertThat(all.messages("status")).hasSize((int) (log.tip() - log.floor() + 1));

        SseClient client = server.get(0, FIREHOSE + "?since=" + Instant.now().plusSeconds(1));
        awaitUntil("hello", () -> !client.messages("hello").isEmpty());
        server.append(server.status(1300));
        awaitUntil("told", () -> client.lastEventId().endsWith("-" + (log.tip() + 1)));
        assertThat(client.messages("gap")).isEmpty();
    }
}

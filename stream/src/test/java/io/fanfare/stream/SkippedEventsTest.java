package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.testing.TestRedis;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An event that this version cannot read is left out and counted; no stream ends for it. */
class SkippedEventsTest {
    private static final String BASE = "/api/v1/streaming/";

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @BeforeEach
    void start() {
        redis.flush();
        // One event loop: each counts what it leaves out, and this counts what is left out.
        server = StreamServer.start(redis, "http.event-loops=1");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void eventsOfANewerVersionAreSkippedAndCountedOnce() {
        SseClient firehose = server.listening();
        SseClient filter = open("filter?track=hello");
        server.append(server.post(8, "hello 1"));
        for (int i = 0; i < 3; i++) {
            assertThat(server.appendForeign("x", server.newId())).isPositive();
        }
        server.append(server.post(8, "hello 2"));

        for (SseClient client : List.of(firehose, filter)) {
            awaitUntil("told", () -> client.messages("status").size() == 2);
        }
        SseClient replay = server.firehose("Last-Event-ID: " + server.epoch() + "-0");
        awaitUntil("told", () -> replay.messages("status").size() == 2);
        assertThat(count("fanfare.streams.events.unknown")).isEqualTo(3);
        assertThat(failures("event")).isZero();
        assertThat(List.of(firehose, filter, replay)).noneMatch(SseClient::ended);
    }

    /** Nothing that filters look at is read before one of them asks. */
    @Test
    void anEventWhoseWordsCannotBeReadIsLeftOutForFilters() {
        SseClient called = open("filter?track=hello");
        SseClient capped = open("filter?track=hello&max_rate=1000");
        SseClient sample = open("sample?rate=100");
        awaitUntil("open", () -> server.connections(0) == 3);
        server.append(server.post(8, "hello 1"));
        server.append(new Event(
                Event.Kind.STATUS, server.newId(), 8, 0, Visibility.PUBLIC, "{\"t\":\"hello", "{\"text\":\"hello\"}"));
        server.append(server.post(8, "hello 2"));

        for (SseClient client : List.of(called, capped, sample)) {
            awaitUntil("told", () -> client.raw().contains("hello 2"));
            assertThat(client.raw()).contains("hello 1").doesNotContain("\"code\":");
        }
        SseClient replay = open("filter?track=hello&count=10");
        awaitUntil("told", () -> replay.raw().contains("hello 2"));
        assertThat(failures("event")).isEqualTo(1);
        assertThat(failures("stream")).isZero();
        assertThat(failures("turn")).isZero();
    }

    private SseClient open(String path) {
        SseClient client = server.get(0, BASE + path);
        awaitUntil("hello", () -> !client.messages("hello").isEmpty());
        return client;
    }

    private double count(String name) {
        return server.metrics.get(name).functionCounter().count();
    }

    private double failures(String of) {
        return server.metrics
                .get("fanfare.streams.failures")
                .tag("of", of)
                .functionCounter()
                .count();
    }
}

package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The operator's view of the streams of a process. */
class StreamMonitorTest {
    private StreamServer server;

    @BeforeEach
    void start() {
        TestRedis.standalone().flush();
        server = StreamServer.start(
                TestRedis.standalone(),
                "stream.ring-events=100",
                "stream.heartbeat=10s",
                // One event loop: each counts events and pages for itself, and this compares the counts with what was
                // sent.
                "http.event-loops=1");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void openStreamsAreCountedByStreamAndDialectUntilTheirClientGoes() {
        SseClient one = server.listening();
        SseClient lines = server.get(0, "/api/v1/streaming/firehose", "Accept: application/json");
        SseClient filter = server.get(0, "/api/v1/streaming/filter?track=rust");
        awaitUntil("hello", () -> !lines.raw().isEmpty() && !filter.raw().isEmpty());

        awaitUntil("the filter is called", () -> gauge("audience") == 1);
        awaitUntil("counted", () -> count("opened") == 3 && count("joins") == 1);
        assertThat(open("firehose", "native")).isEqualTo(1);
        assertThat(open("firehose", "lines")).isEqualTo(1);
        assertThat(open("filter", "native")).isEqualTo(1);

        one.close();
        filter.close();
        awaitUntil("gone", () -> open("firehose", "native") == 0 && open("filter", "native") == 0);
        awaitUntil("counted", () -> ended("client") == 2);
        assertThat(open("firehose", "lines")).isEqualTo(1);
    }

    @Test
    void aKindHasOneGaugeThoughEachEventLoopReportsIt() {
        Logger logger = (Logger) LoggerFactory.getLogger(MeterRegistry.class);
        ListAppender<ILoggingEvent> complaints = new ListAppender<>();
        complaints.start();
        Level before = logger.getLevel();
        logger.setLevel(Level.DEBUG);
        logger.addAppender(complaints);
        try {
            int other = server.addNode();
            for (int node : new int[] {0, other}) {
                SseClient client = server.get(node, "/api/v1/streaming/firehose");
                awaitUntil("hello", () -> !client.messages("hello").isEmpty());
            }
            assertThat(open("firehose", "native")).isEqualTo(2);
            assertThat(complaints.list).isEmpty();
        } finally {
            logger.detachAppender(complaints);
            logger.setLevel(before);
        }
    }

    @Test
    void deliveriesAreCountedOnceForEachStreamAndBytesAsTheyCame() {
        SseClient one = server.listening();
        SseClient two = server.listening();
        for (int i = 0; i < 30; i++) {
            server.append(server.status(i));
        }
        awaitUntil(
                "all",
                () -> one.messages("status").size() == 30
                        && two.messages("status").size() == 30);

        // The clients may be quicker than the counting of what they have read.
        awaitUntil("counted", () -> count("deliveries") == 60);
        awaitUntil(
                "counted",
                () -> count("bytes") == one.raw().length() + two.raw().length());
        assertThat(count("events")).isEqualTo(30);
        assertThat(gauge("ring.first")).isEqualTo(1);
        assertThat(gauge("ring.tip")).isEqualTo(30);
        assertThat(gauge("ring.bytes")).isPositive();
        assertThat(gauge("lag")).isNotNegative();
        awaitUntil("nothing lags", () -> gauge("lag") < 5);
    }

    @Test
    void eventsReadFromTheLogAreCountedAndMissingOnes() {
        for (int i = 0; i < 300; i++) {
            server.append(server.status(i));
        }
        SseClient replayed = server.listening("Last-Event-ID: " + server.epoch() + "-0");
        awaitUntil("all", () -> replayed.messages("status").size() == 300);
        SseClient lost = server.listening("Last-Event-ID: 00000000-7");
        awaitUntil("gap", () -> !lost.messages("gap").isEmpty());

        awaitUntil("counted", () -> count("deliveries") == 300 && count("gaps") == 1);
        assertThat(count("replays")).isBetween(4.0, 10.0);
    }

    @Test
    void streamsThatTheServerEndsAreCountedByTheirCode() {
        SseClient client = server.listening();
        server.stopNode(0);
        awaitUntil("ended", client::ended);

        assertThat(ended("1")).isEqualTo(1);
        assertThat(ended("client")).isZero();
        assertThat(open("firehose", "native")).isZero();
    }

    @Test
    void theListShowsWhoIsFurthestBehindFirstAndNoWordOfAnybodys() {
        String token = server.token(7, "read");
        SseClient one = server.get(
                0,
                "/api/v1/streaming/filter?track=secret,words&follow=" + server.newUser(),
                "Authorization: Bearer " + token);
        awaitUntil("hello", () -> !one.messages("hello").isEmpty());
        SseClient slow = server.listening();
        slow.pause();
        String body = "{\"f\":\"" + "x".repeat(8000) + "\"}";
        for (int i = 0; i < 900; i++) {
            server.append(server.status(8, Visibility.PUBLIC, body));
        }
        awaitUntil("behind", () -> page("3").getLong("lag_max") > 100);

        JsonObject page = page("3");
        assertThat(page.getInteger("open")).isEqualTo(2);
        JsonObject worst = page.getJsonArray("streams").getJsonObject(0);
        assertThat(worst.getString("stream")).isEqualTo("firehose");
        assertThat(worst.getLong("lag")).isEqualTo(page.getLong("lag_max"));
        assertThat(worst.getLong("waiting")).isPositive();
        assertThat(worst.getString("account_id")).isNull();
        JsonObject other = page.getJsonArray("streams").getJsonObject(1);
        assertThat(other.getString("account_id")).isEqualTo("7");
        assertThat(other.getString("filter")).isEqualTo("track 2, follow 1");
        assertThat(other.getString("conn"))
                .isEqualTo(new JsonObject(one.messages("hello").get(0).data()).getString("conn"));
        assertThat(page.encode()).doesNotContain("secret", token);
        assertThat(page("1").getJsonArray("streams")).hasSize(1);
        slow.resume();
    }

    private JsonObject page(String limit) {
        return await(server.monitor
                .pages()
                .get("/streams")
                .show(MultiMap.caseInsensitiveMultiMap().add("limit", limit)));
    }

    private double open(String stream, String dialect) {
        return server.metrics
                .get("fanfare.streams.open")
                .tags("stream", stream, "dialect", dialect)
                .gauge()
                .value();
    }

    private double ended(String code) {
        return server.metrics
                .get("fanfare.streams.ended")
                .tag("code", code)
                .functionCounter()
                .count();
    }

    private double count(String name) {
        return server.metrics.get("fanfare.streams." + name).functionCounter().count();
    }

    private double gauge(String name) {
        return server.metrics.get("fanfare.streams." + name).gauge().value();
    }
}

package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A process that goes down sends its streams away one after the other, and nobody for good. */
class DrainTest {
    private static final Pattern RETRY = Pattern.compile("retry: (\\d+)\nevent: disconnect\ndata: \\{\"code\":(\\d+),");

    @Test
    void aDrainEndsStreamsOneByOneAndSendsNewcomersAway() throws Exception {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis, "stream.drain-timeout=3s")) {
            List<SseClient> clients = new ArrayList<>();
            // Each event loop drains streams of its own: of fewer it is done sooner.
            for (int i = 0; i < 200 * StreamServer.EVENT_LOOPS; i++) {
                clients.add(server.firehose());
            }
            clients.forEach(client ->
                    awaitUntil("hello", () -> !client.messages("hello").isEmpty()));

            long beganNanos = System.nanoTime();
            Stopwatch began = Stopwatch.start();
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> server.stopNode(0));
            awaitUntil("the first is told", () -> clients.stream().anyMatch(SseClient::ended));
            SseClient late = server.firehose();
            assertThat(clients).anyMatch(client -> !client.ended());
            stopped.get(60, TimeUnit.SECONDS);
            assertThat(began.elapsed()).isLessThan(Duration.ofSeconds(5));
            // A stopwatch leaves out the time that the process stands still.
            assertThat(System.nanoTime() - beganNanos).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(200));

            Set<Long> retries = new HashSet<>();
            for (SseClient client : clients) {
                awaitUntil("ended", client::ended);
                Matcher retry = RETRY.matcher(client.raw());
                assertThat(retry.find()).as(client.raw()).isTrue();
                assertThat(retry.group(2)).isEqualTo("1");
                retries.add(Long.parseLong(retry.group(1)));
            }
            assertThat(retries).hasSizeGreaterThan(100).allMatch(millis -> millis >= 500 && millis < 1_500);
            assertThat(late.status()).isEqualTo(200);
            Matcher refused = RETRY.matcher(late.raw());
            assertThat(refused.find()).as(late.raw()).isTrue();
            assertThat(refused.group(2)).isEqualTo("12");
        }
    }
}

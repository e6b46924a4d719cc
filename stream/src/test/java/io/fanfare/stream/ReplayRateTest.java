package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.relay.ReplayBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Reading the past does not hold up the present. */
class ReplayRateTest {
    private final TestRedis redis = TestRedis.standalone();

    @Test
    void aReplayIsPacedAndLiveEventsAreSentAtOnce() {
        redis.flush();
        try (StreamServer server = StreamServer.start(redis, "stream.ring-events=100", "stream.replay-rate=100")) {
            List<Long> seqs = new ArrayList<>();
            for (int i = 0; i < 900; i++) {
                seqs.add(server.append(server.status(i)));
            }
            long began = System.nanoTime();
            SseClient replaying = server.listening("Last-Event-ID: " + server.epoch() + "-" + (seqs.get(0) - 1));
            SseClient live = server.listening();
            awaitUntil("a second's worth", () -> replaying.messages("status").size() >= 100);
            long now = server.append(server.status(900));
            seqs.add(now);
            awaitUntil("told", () -> live.lastEventId().endsWith("-" + now));
            int replayed = replaying.messages("status").size();
            double seconds = (System.nanoTime() - began) / 1e9;
            assertThat(replayed).isLessThan(900).isLessThan((int) (100 * (seconds + 2)));

            for (int i = 0; i < 10; i++) {
                int before = replaying.messages("status").size();
                server.skip(Duration.ofSeconds(1));
                awaitUntil(
                        "more",
                        () -> replaying.messages("status").size() > before
                                || replaying.lastEventId().endsWith("-" + now));
            }
            awaitUntil("all", () -> replaying.lastEventId().endsWith("-" + now));
            assertThat(replaying.messages("status").stream().map(FirehoseTest::seq))
                    .containsExactlyElementsOf(seqs);
        }
    }

    @Test
    void lookingForTheLastFewOfSomethingRareIsPacedAsWell() {
        redis.flush();
        try (StreamServer server = StreamServer.start(redis, "stream.ring-events=100", "stream.replay-rate=100")) {
            long rare = server.append(server.post(8, "rare"));
            for (int i = 0; i < 599; i++) {
                server.append(server.post(8, "usual"));
            }
            server.appendKnown(server.post(8, "usual"));
            long read = readings(server);
            int port = server.port(0);
            CompletableFuture<SseClient> search = CompletableFuture.supplyAsync(
                    () -> SseClient.send(port, "GET", "/api/v1/streaming/filter?track=rare&count=1"));
            SseClient quick = server.get(0, "/api/v1/streaming/filter?track=usual&count=50");
            awaitUntil("what is in memory", () -> quick.messages("status").size() == 50);
            awaitUntil("a second's worth is read", () -> readings(server) - read >= 2);
            assertThat(readings(server) - read).isLessThan(600 / 50);
            assertThat(search).isNotDone();

            for (int i = 0; i < 10 && !search.isDone(); i++) {
                long before = readings(server);
                server.skip(Duration.ofSeconds(1));
                awaitUntil("more", () -> readings(server) > before || search.isDone());
            }
            try (SseClient client = search.join()) {
                awaitUntil("found", () -> !client.messages("status").isEmpty());
                assertThat(FirehoseTest.seq(client.messages("status").get(0))).isEqualTo(rare);
            }
        }
    }

    private static long readings(StreamServer server) {
        return (long)
                server.metrics.get("fanfare.streams.replays").functionCounter().count();
    }

    @Test
    void aCrowdOfReplaysIsServedInFull() {
        redis.flush();
        try (StreamServer server = StreamServer.start(redis, "stream.ring-events=100")) {
            List<Long> seqs = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                seqs.add(server.append(server.status(i)));
            }
            List<SseClient> crowd = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                crowd.add(server.firehose("Last-Event-ID: " + server.epoch() + "-" + (seqs.get(0) - 1)));
            }
            seqs.add(server.append(server.status(400)));
            for (SseClient client : crowd) {
                awaitUntil("all", () -> client.messages("status").size() >= seqs.size());
                assertThat(client.messages("status").stream().map(FirehoseTest::seq))
                        .containsExactlyElementsOf(seqs);
            }
            // Each alone would have read six pages or more.
            assertThat(server.metrics
                            .get("fanfare.streams.replays")
                            .functionCounter()
                            .count())
                    .isBetween(1.0, 60.0);
        }
    }

    @Test
    void aBudgetIsASecondsWorthAndFillsWithTime() {
        long start = 7;
        ReplayBudget budget = new ReplayBudget(200, start);
        for (int i = 0; i < 4; i++) {
            assertThat(budget.take(50, start)).isZero();
        }
        assertThat(budget.take(50, start)).isBetween(250L, 251L);
        assertThat(budget.take(50, start + TimeUnit.MILLISECONDS.toNanos(249))).isPositive();
        assertThat(budget.take(50, start + TimeUnit.MILLISECONDS.toNanos(250))).isZero();
        long later = start + TimeUnit.HOURS.toNanos(1);
        for (int i = 0; i < 4; i++) {
            assertThat(budget.take(50, later)).isZero();
        }
        assertThat(budget.take(50, later)).isPositive();
    }
}

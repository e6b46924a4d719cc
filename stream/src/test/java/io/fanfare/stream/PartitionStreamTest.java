package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** N readers share a stream by {@code partition=}. */
class PartitionStreamTest {
    private static final String BASE = "/api/v1/streaming/";
    private static final int COUNT = 3;

    @ParameterizedTest
    @ValueSource(strings = {"firehose?", "sample?rate=100&", "filter?track=hello&"})
    void eachEventIsInExactlyOnePartAndAnAuthorIsInOne(String stream) {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis, "stream.heartbeat=200ms", "stream.per-token-max=10")) {
            List<SseClient> parts = IntStream.range(0, COUNT)
                    .mapToObj(part -> server.get(0, BASE + stream + "partition=" + part + "/" + COUNT))
                    .toList();
            parts.forEach(
                    part -> awaitUntil("hello", () -> !part.messages("hello").isEmpty()));
            List<Event> statuses = new ArrayList<>();
            for (int i = 0; i < 120; i++) {
                Event status = server.post(1000 + 8L * (i % 30), "hello " + i);
                statuses.add(status);
                server.append(status);
            }
            // A status that is deleted before a turn sends it is not sent.
            awaitUntil(
                    "the statuses",
                    () -> parts.stream().flatMap(PartitionStreamTest::seqs).count() == 120);
            long tip = server.append(StreamServer.delete(statuses.get(7)));
            parts.forEach(part -> awaitUntil("all", () -> part.lastEventId().endsWith("-" + tip)));

            assertThat(parts.stream().flatMap(PartitionStreamTest::seqs))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, tip).boxed().toList());
            assertThat(parts).allSatisfy(part -> assertThat(seqs(part)).hasSizeBetween(4, 112));
            // The authors of the first 30 statuses come again in the same part.
            for (SseClient part : parts) {
                List<Long> seqs = seqs(part).filter(seq -> seq < tip).toList();
                assertThat(seqs.stream().map(seq -> (seq - 1) % 30).distinct()).hasSize(seqs.size() / 4);
            }
            assertThat(parts.stream().filter(part -> !part.messages("delete").isEmpty()))
                    .singleElement()
                    .satisfies(part -> assertThat(seqs(part)).contains(8L));
        }
    }

    @Test
    void aFollowIsOfTheFollower() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            long follower = server.newUser();
            List<SseClient> parts = IntStream.range(0, 2)
                    .mapToObj(part -> server.get(0, BASE + "firehose?partition=" + part + "/2"))
                    .toList();
            parts.forEach(
                    part -> awaitUntil("hello", () -> !part.messages("hello").isEmpty()));
            server.append(server.follow(follower, 12));
            server.append(server.status(follower, Visibility.PUBLIC, "{}"));
            awaitUntil("both", () -> parts.stream()
                    .anyMatch(part -> part.messages("status").size() == 1));
            SseClient own = parts.stream()
                    .filter(part -> part.messages("status").size() == 1)
                    .findFirst()
                    .orElseThrow();
            assertThat(own.messages("follow")).hasSize(1);
        }
    }

    private static Stream<Long> seqs(SseClient client) {
        return client.messages().stream()
                .filter(message -> List.of("status", "delete").contains(message.event()))
                .map(FirehoseTest::seq);
    }
}

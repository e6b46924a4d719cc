package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Visibility;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.SseClient.Message;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reader gets the fields of a status that it names in {@code fields=}. */
class FieldStreamTest {
    private static final String BASE = "/api/v1/streaming/";
    private static final String BODY = "{\"id\":\"7\",\"content\":\"a \\\"quoted\\\" 喇叭\","
            + "\"account\":{\"id\":\"8\",\"fields\":[{\"name\":\"id\"}]},\"tags\":[1,[2]],\"reblog\":null,\"n\":1.5}";

    @Test
    void otherFieldsAreLeftOutOfStatusesOnly() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis, "stream.per-token-max=20")) {
            SseClient whole = listening(server, "firehose");
            SseClient few = listening(server, "firehose?fields=content,reblog");
            SseClient nested = listening(server, "sample?rate=100&fields=account,tags");
            server.append(server.status(8, Visibility.PUBLIC, BODY));
            server.append(server.follow(8, 12));
            SseClient replayed = listening(server, "firehose?fields=tags&count=2");

            assertThat(status(whole)).isEqualTo(BODY);
            assertThat(status(few)).isEqualTo("{\"id\":\"7\",\"content\":\"a \\\"quoted\\\" 喇叭\",\"reblog\":null}");
            assertThat(status(nested))
                    .isEqualTo(
                            "{\"id\":\"7\",\"account\":{\"id\":\"8\",\"fields\":[{\"name\":\"id\"}]},\"tags\":[1,[2]]}");
            assertThat(status(replayed)).isEqualTo("{\"id\":\"7\",\"tags\":[1,[2]]}");
            awaitUntil("follow", () -> !few.messages("follow").isEmpty());
            assertThat(few.messages("follow").get(0).data())
                    .isEqualTo(whole.messages("follow").get(0).data());
        }
    }

    @Test
    void aFilterSelectsFieldsAndMatchesTheWholeText() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            SseClient few = listening(server, "filter?track=hello&fields=content&explain=1");
            server.append(server.post(8, "hello"));
            assertThat(status(few))
                    .isEqualTo(
                            "{\"content\":\"hello\",\"matched\":{\"track\":[\"hello\"],\"follow\":[],\"locations\":[]}}");
        }
    }

    @Test
    void anUnknownFieldIsRefusedAndSoAreTooMany() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            for (String path : List.of("firehose?fields=", "sample?fields=", "filter?track=a&fields=")) {
                assertRefused(server, path + "content,text", 406, "content,account");
                assertRefused(server, path + "content,,account", 406, "content,account");
                assertRefused(server, path + "content" + ",id".repeat(50), 413, "not 51");
            }
        }
    }

    private static void assertRefused(StreamServer server, String path, int status, String sentence) {
        SseClient refused = server.get(0, BASE + path);
        awaitUntil("refusal", () -> refused.status() == status && refused.raw().contains(sentence));
    }

    private static SseClient listening(StreamServer server, String path) {
        SseClient client = server.get(0, BASE + path);
        awaitUntil("hello", () -> !client.messages("hello").isEmpty());
        return client;
    }

    private static String status(SseClient client) {
        awaitUntil("status", () -> !client.messages("status").isEmpty());
        List<Message> statuses = client.messages("status");
        return statuses.get(0).data();
    }
}

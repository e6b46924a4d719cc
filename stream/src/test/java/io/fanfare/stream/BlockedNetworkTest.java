package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams of a network to which moderators close the site while they are open. */
class BlockedNetworkTest {
    private static final String INSIDE = "X-Forwarded-For: 203.0.113.7";
    private static final String OUTSIDE = "X-Forwarded-For: 203.0.114.7";

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @BeforeEach
    void start() {
        redis.flush();
        server = StreamServer.start(redis, "http.trusted-proxies=127.0.0.1");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** As the API writes it. */
    private void block(long version, String... fields) {
        for (int i = 0; i < fields.length; i += 2) {
            Reply put = redis.askAt(Keys.SITE_BLOCKS, "HSET", Keys.SITE_BLOCKS, fields[i], fields[i + 1]);
            assertThat(put.isFailure()).isFalse();
        }
        Reply changed = redis.askAt(Keys.SITE_BLOCKS, "HSET", Keys.SITE_BLOCKS, "version", Long.toString(version));
        assertThat(changed.isFailure()).isFalse();
    }

    @Test
    void theStreamsOfABlockedNetworkEndAndNoneOpensUntilTheBlockEnds() throws Exception {
        List<SseClient> inside = List.of(
                server.get(0, "/api/v1/streaming/firehose", INSIDE),
                server.get(0, "/api/v1/streaming/public", INSIDE),
                server.get(0, "/1.1/statuses/sample.json", INSIDE));
        SseClient outside = server.get(0, "/api/v1/streaming/firehose", OUTSIDE);
        SseClient direct = server.get(0, "/api/v1/streaming/firehose");
        CompletableFuture<Integer> code = new CompletableFuture<>();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("X-Forwarded-For", "203.0.113.8")
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + server.port(0) + "/api/v1/streaming?stream=public"),
                        new WebSocket.Listener() {
                            @Override
                            public CompletionStage<?> onClose(WebSocket closed, int status, String reason) {
                                code.complete(status);
                                return null;
                            }
                        })
                .get(60, TimeUnit.SECONDS);
        awaitUntil("open", () -> server.connections(0) == 6);

        block(1, "1", "network no_access 0 0 cb007100/24 a wave");
        inside.forEach(client -> awaitUntil("ended", client::ended));
        assertThat(code.get(60, TimeUnit.SECONDS)).isEqualTo(4003);
        assertThat(inside.get(0).messages("disconnect").get(0).data()).contains("\"code\":3,");
        assertThat(outside.ended()).isFalse();
        assertThat(direct.ended()).isFalse();
        assertThat(socket.isInputClosed()).isTrue();
        SseClient refused = server.get(0, "/api/v1/streaming/firehose", INSIDE);
        assertThat(refused.status()).isEqualTo(403);

        block(2, "1", "network sign_up_block 0 0 cb007100/24 a wave");
        awaitUntil(
                "open again",
                () -> server.get(0, "/api/v1/streaming/firehose", INSIDE).status() == 200);
    }
}

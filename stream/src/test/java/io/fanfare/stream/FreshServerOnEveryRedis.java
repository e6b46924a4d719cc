package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;

import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Tests of streams on each kind of Redis. Each test has an empty Redis and a server of its own, whose streams need no
 * token.
 */
@ParameterizedClass
@KindsOfRedis
abstract class FreshServerOnEveryRedis {
    static final String BASE = "/api/v1/streaming/";

    @Parameter
    TestRedis.Kind kind;

    StreamServer server;

    @BeforeEach
    void startServer() {
        kind.redis().flush();
        server = StreamServer.start(kind.redis());
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    /** A stream that has sent its first bytes. */
    SseClient open(String path, String... headers) {
        SseClient client = server.get(0, BASE + path, headers);
        awaitUntil("open", () -> !client.raw().isEmpty());
        return client;
    }

    /** Two streams that begin at the cursor: one replays the ring, the other the log, on a node that is new. */
    List<SseClient> replaying(long cursor, String path, String... headers) {
        List<SseClient> clients = new ArrayList<>();
        for (int node : List.of(0, server.addNode())) {
            String separator = path.contains("?") ? "&" : "?";
            clients.add(server.get(node, BASE + path + separator + "cursor=" + cursor, headers));
        }
        return clients;
    }
}

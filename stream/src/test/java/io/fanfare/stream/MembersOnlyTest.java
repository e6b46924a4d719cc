package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A site becomes one for its members only while streams are open. */
class MembersOnlyTest {
    private static final String FIREHOSE = "/api/v1/streaming/firehose";

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @BeforeEach
    void start() {
        redis.flush();
        server = StreamServer.start(redis);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void openStreamsOfNobodyEndAndNewOnesAreRefusedUntilItIsOver() throws Exception {
        String token = "Authorization: Bearer " + server.token(server.newUser(), "read");
        SseClient nobody = server.get(0, FIREHOSE);
        SseClient member = server.get(0, FIREHOSE, token);
        awaitUntil("both are open", () -> server.connections(0) == 2);

        redis.askAt("{meta}", "HSET", "{meta}", "members-only", "1700000000000");
        awaitUntil("the stream of nobody has ended", nobody::ended);
        assertThat(nobody.raw()).contains("\"code\":3,");
        assertThat(server.get(0, FIREHOSE).status()).isEqualTo(401);
        assertThat(member.ended()).isFalse();
        SseClient another = server.get(0, FIREHOSE, token);
        awaitUntil("a member opens another", () -> server.connections(0) == 2);
        assertThat(another.ended()).isFalse();

        redis.askAt("{meta}", "HDEL", "{meta}", "members-only");
        awaitUntil("it is over", () -> server.get(0, FIREHOSE).status() == 200);
    }
}

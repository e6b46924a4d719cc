package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many connections a user and an address may have. */
class ConnectionsTest {
    private static final String BASE = "/api/v1/streaming/";
    private static final String FROM = "X-Forwarded-For: 203.0.113.7";
    private static final String ELSEWHERE = "X-Forwarded-For: 203.0.113.8";

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @BeforeEach
    void start() {
        redis.flush();
        server = StreamServer.start(
                redis, "stream.per-user-max=3", "stream.per-address-max=2", "http.trusted-proxies=127.0.0.1");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void oneTooManyOfAUserEndsTheOldestWhicheverTokensTheyHave() {
        long user = server.newUser();
        List<SseClient> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.add(server.listening("Authorization: Bearer " + server.token(user, "read")));
        }
        awaitUntil("ended", clients.get(0)::ended);
        assertThat(clients.get(0).messages("disconnect").get(0).data()).contains("\"code\":7");
        assertThat(clients.stream().skip(1)).noneMatch(SseClient::ended);

        // Whoever leaves makes room.
        clients.get(1).close();
        awaitUntil("gone", () -> server.connections(0) == 2);
        SseClient next = server.listening("Authorization: Bearer " + server.token(user, "read"));
        assertThat(clients.get(2).ended()).isFalse();
        assertThat(next.ended()).isFalse();
    }

    @Test
    void anEventSourceOfACrowdedAddressGetsALaterReconnectTime() {
        SseClient first = server.listening(FROM);
        SseClient other = server.listening(FROM);
        SseClient refused = server.firehose(FROM);
        awaitUntil("ended", refused::ended);
        assertThat(refused.status()).isEqualTo(200);
        assertThat(refused.raw()).startsWith("retry: ");
        assertThat(refused.messages("disconnect").get(0).data()).contains("\"code\":12");
        assertThat(first.ended()).isFalse();
        assertThat(other.ended()).isFalse();
        assertThat(server.listening(ELSEWHERE).status()).isEqualTo(200);

        first.close();
        awaitUntil("gone", () -> server.connections(0) == 2);
        assertThat(server.listening(FROM).ended()).isFalse();
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "/api/v1/streaming/firehose,Accept: application/json,429",
        "/1.1/statuses/firehose.json,Accept: */*,420",
        "/api/v1/streaming/public,Accept: text/event-stream,429"
    })
    void othersOfACrowdedAddressAreRefusedWithATime(String path, String accept, int status) {
        server.listening(FROM);
        server.listening(FROM);
        SseClient refused = server.get(0, path, FROM, accept);
        awaitUntil("answered", refused::ended);
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.header("Retry-After")).isEqualTo("30");
        assertThat(refused.raw()).startsWith("{\"error\":\"");
    }

    @Test
    void aSocketIsOneConnectionHoweverManyStreamsItHas() {
        String[] upgrade = {
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            FROM
        };
        assertThat(server.get(0, BASE.substring(0, BASE.length() - 1) + "?stream=public", upgrade)
                        .status())
                .isEqualTo(101);
        awaitUntil("open", () -> server.connections(0) == 1);
        SseClient second = server.listening(FROM);
        assertThat(server.get(0, BASE.substring(0, BASE.length() - 1), upgrade).status())
                .isEqualTo(429);
        second.close();
        awaitUntil("gone", () -> server.connections(0) == 1);
        assertThat(server.get(0, BASE.substring(0, BASE.length() - 1), upgrade).status())
                .isEqualTo(101);
    }

    /** A proxy that is not named would make everybody one. */
    @Test
    void theMachineItselfIsNobody() {
        for (int i = 0; i < 6; i++) {
            assertThat(server.listening().ended()).isFalse();
        }
    }
}

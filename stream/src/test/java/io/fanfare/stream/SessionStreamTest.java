package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The session of our own pages opens native streams: an EventSource sends the cookie and no header of ours. */
class SessionStreamTest {
    private static final String BASE = "/api/v1/streaming/";
    private static final String LENGTH = "Content-Length: 0";
    private static final String PAGE = "X-Fanfare-Page: 1";

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;
    private String cookie;

    @BeforeEach
    void start() {
        redis.flush();
        server = StreamServer.startClosed(redis);
        cookie = "Cookie: fanfare_session=" + server.token(server.newUser(), "read");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anEventSourceOfOurPagesNeedsNoTicket() {
        assertThat(status("home", cookie)).isEqualTo(200);
        assertThat(status("firehose", cookie, "Sec-Fetch-Site: same-origin")).isEqualTo(200);
        assertThat(status("home")).isEqualTo(401);
        assertThat(status("home", "Cookie: fanfare_session=wrong")).isEqualTo(401);
    }

    @Test
    void pagesOfOthersOpenNothing() {
        assertThat(status("home", cookie, "Sec-Fetch-Site: cross-site")).isEqualTo(401);
        assertThat(status("home", cookie, "Sec-Fetch-Site: same-site")).isEqualTo(401);
        assertThat(status("home", cookie, "Origin: https://evil.example")).isEqualTo(401);
    }

    @Test
    void theCookieOpensNativeStreamsOnly() {
        assertThat(status("user", cookie)).isEqualTo(401);
        assertThat(status("public", cookie, PAGE)).isEqualTo(401);
        assertThat(server.get(0, "/1.1/statuses/firehose.json", cookie).status())
                .isEqualTo(401);
    }

    @Test
    void aFilterIsChangedByAScriptOfOurPagesOnly() {
        SseClient stream = server.get(0, BASE + "filter?track=before", cookie);
        awaitUntil("hello", () -> !stream.messages("hello").isEmpty());
        String conn = new JsonObject(stream.messages("hello").get(0).data()).getString("conn");
        String filter = BASE + "connections/" + conn + "/filter?track=after";

        assertThat(server.send(0, "PUT", filter, LENGTH, cookie).status()).isEqualTo(401);
        assertThat(server.send(0, "PUT", filter, LENGTH, cookie, PAGE).status()).isEqualTo(200);
    }

    private int status(String stream, String... headers) {
        return server.get(0, BASE + stream, headers).status();
    }
}

package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tickets, and the cookie by which an EventSource that was opened with one comes back. */
class TicketTest {
    private static final String BASE = "/api/v1/streaming/";

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @BeforeEach
    void start() {
        redis.flush();
        server = StreamServer.startClosed(redis);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private record Ticket(String text, String cookie, SseClient answer) {}

    @Test
    void anEventSourceComesBackWithTheTicketThatItHasUsed() {
        String token = server.token(server.newUser(), "read");
        Ticket ticket = ticket(token);
        assertThat(status(ticket.text(), "")).isEqualTo(200);
        assertThat(status(ticket.text(), "")).as("used, and no cookie").isEqualTo(401);
        for (int i = 0; i < 2; i++) {
            assertThat(status(ticket.text(), ticket.cookie()))
                    .as("used, with the cookie")
                    .isEqualTo(200);
        }

        server.revoke(token);
        assertThat(status(ticket.text(), ticket.cookie())).as("revoked").isEqualTo(401);
    }

    @Test
    void tokensAndCookiesOfAKeyAreGoodWhileItIsListed() {
        byte[] next = "a key that is taken up later on.".getBytes(StandardCharsets.US_ASCII);
        int changed = server.addNode(new SigningKeys(List.of(next, StreamServer.KEY)));
        int without = server.addNode(SigningKeys.of(next));
        String token = server.token(server.newUser(), "read");
        Ticket ticket = ticket(token);
        assertThat(status(ticket.text(), "")).isEqualTo(200);
        String bearer = "Authorization: Bearer " + token;
        String cookie = "Cookie: " + ticket.cookie();
        String path = BASE + "home?ticket=" + ticket.text();

        assertThat(server.get(changed, BASE + "home", bearer).status()).isEqualTo(200);
        assertThat(server.get(changed, path, cookie).status()).isEqualTo(200);
        assertThat(server.get(without, BASE + "home", bearer).status()).isEqualTo(401);
        assertThat(server.get(without, path, cookie).status()).isEqualTo(401);
    }

    @Test
    void aTicketStandsInForATokenOnStreamsOnly() {
        String token = server.token(server.newUser(), "read");
        Ticket ticket = ticket(token);
        String query = "?ticket=" + ticket.text();
        SseClient bought = server.send(0, "POST", BASE + "tickets" + query, "Content-Length: 0");
        assertThat(bought.status()).as("another ticket").isEqualTo(401);
        assertThat(bought.header("Set-Cookie")).as("another cookie").isNull();
        String bearer = "Authorization: Bearer " + token;
        SseClient stream = server.get(0, BASE + "filter?track=before", bearer);
        awaitUntil("hello", () -> !stream.messages("hello").isEmpty());
        String conn = new JsonObject(stream.messages("hello").get(0).data()).getString("conn");
        String filter = BASE + "connections/" + conn + "/filter" + query + "&track=after";
        assertThat(server.send(0, "PUT", filter, "Content-Length: 0").status())
                .as("another filter")
                .isEqualTo(401);
        assertThat(server.send(0, "PUT", filter, "Content-Length: 0", bearer).status())
                .as("another filter, with the token")
                .isEqualTo(200);
        assertThat(status(ticket.text(), "")).as("not used by that").isEqualTo(200);
    }

    @Test
    void aStreamOfTheCookieEndsWithItsToken() {
        String token = server.token(server.newUser(), "read");
        Ticket ticket = ticket(token);
        assertThat(status(ticket.text(), "")).isEqualTo(200);
        SseClient back = open(ticket.text(), ticket.cookie());
        awaitUntil("hello", () -> !back.messages("hello").isEmpty());
        server.revoke(token);
        awaitUntil("ended", back::ended);
        assertThat(back.messages("disconnect").get(0).data()).contains("\"code\":6,");
    }

    @Test
    void theCookieOpensNothingElse() {
        Ticket ticket = ticket(server.token(server.newUser(), "read"));
        Ticket other = ticket(server.token(server.newUser(), "read"));
        String cookie = "Cookie: " + ticket.cookie();
        assertThat(server.get(0, BASE + "home", cookie).status())
                .as("without a ticket")
                .isEqualTo(401);
        assertThat(status(other.text(), "")).isEqualTo(200);
        assertThat(status(other.text(), ticket.cookie()))
                .as("of another account")
                .isEqualTo(401);
        String renamed = other.cookie().substring(0, other.cookie().indexOf('='))
                + ticket.cookie().substring(ticket.cookie().indexOf('='));
        assertThat(status(other.text(), renamed)).as("renamed").isEqualTo(401);
        String value = ticket.cookie();
        String forged = value.replaceAll("=.{4}", "=AAAA");
        assertThat(status(ticket.text().substring(0, 9) + "used", value)).isEqualTo(200);
        assertThat(status(ticket.text().substring(0, 9) + "used", forged))
                .as("forged")
                .isEqualTo(401);
        for (String spelling : List.of(value + "=", value.replace(".", "=."), value.replace(".", "==."))) {
            assertThat(status(ticket.text().substring(0, 9) + "used", spelling))
                    .as("another spelling of it")
                    .isEqualTo(401);
        }
        String query = "?ticket=" + ticket.text().substring(0, 9) + "used";
        assertThat(server.send(0, "POST", BASE + "tickets" + query, cookie, "Content-Length: 0")
                        .status())
                .as("another ticket")
                .isEqualTo(401);
        assertThat(server.send(0, "PUT", BASE + "connections/x/filter" + query, cookie, "Content-Length: 0")
                        .status())
                .as("another filter")
                .isEqualTo(401);
        String bearer = "Authorization: Bearer " + value.substring(value.indexOf('=') + 1);
        assertThat(server.get(0, BASE + "home", bearer).status())
                .as("as a token")
                .isEqualTo(401);
    }

    @Test
    void otherSitesCannotMakeABrowserShowIt() {
        Ticket ticket = ticket(server.token(server.newUser(), "read"));
        assertThat(ticket.answer().header("Set-Cookie"))
                .matches("fanfare_stream_[0-9a-f]{8}=[\\w.-]+; Path=/api/v1/streaming; HttpOnly; SameSite=Strict");
        assertThat(ticket.answer().header("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(ticket.answer().header("Access-Control-Allow-Credentials")).isNull();
        assertThat(status(ticket.text(), "")).isEqualTo(200);
        String cookie = "Cookie: " + ticket.cookie();
        String path = BASE + "home?ticket=" + ticket.text();
        assertThat(server.get(0, path, cookie, "Sec-Fetch-Site: cross-site").status())
                .isEqualTo(401);
        assertThat(server.get(0, path, cookie, "Sec-Fetch-Site: same-site").status())
                .isEqualTo(401);
        SseClient own = server.get(0, path, cookie, "Sec-Fetch-Site: same-origin");
        assertThat(own.status()).isEqualTo(200);
        assertThat(own.header("Access-Control-Allow-Credentials")).isNull();
    }

    @Test
    void behindHttpsItIsSentOverHttpsOnly() {
        try (StreamServer behind = StreamServer.startClosed(redis, "http.public-url=https://example.com/social")) {
            String bearer = "Authorization: Bearer " + behind.token(behind.newUser(), "read");
            SseClient answer = behind.send(0, "POST", BASE + "tickets", bearer, "Content-Length: 0");
            awaitUntil("answered", answer::ended);
            String path = BASE + "home?ticket=" + new JsonObject(answer.raw()).getString("ticket");
            String cookie = answer.header("Set-Cookie").split(";", 2)[0];
            for (String shown : List.of("", cookie)) {
                SseClient opened = behind.get(0, path, "Cookie: " + (shown.isEmpty() ? "other=1" : shown));
                opened.close();
                assertThat(opened.status()).isEqualTo(200);
            }
            SseClient without = behind.get(0, path, "Cookie: " + cookie.substring("__Secure-".length()));
            assertThat(without.status()).as("without the prefix").isEqualTo(401);
            assertThat(answer.header("Set-Cookie"))
                    .startsWith("__Secure-fanfare_stream_")
                    .endsWith("; Path=/social/api/v1/streaming; HttpOnly; SameSite=Strict; Secure");
        }
    }

    private Ticket ticket(String token) {
        SseClient answer =
                server.send(0, "POST", BASE + "tickets", "Authorization: Bearer " + token, "Content-Length: 0");
        awaitUntil("answered", answer::ended);
        String text = new JsonObject(answer.raw()).getString("ticket");
        return new Ticket(text, answer.header("Set-Cookie").split(";", 2)[0], answer);
    }

    private int status(String ticket, String cookie) {
        SseClient client = open(ticket, cookie);
        client.close();
        return client.status();
    }

    private SseClient open(String ticket, String cookie) {
        return server.get(0, BASE + "home?ticket=" + ticket, "Cookie: " + (cookie.isEmpty() ? "a=b" : cookie));
    }
}

package io.fanfare.client;

import static io.fanfare.client.ScriptedServer.answer;
import static io.fanfare.client.ScriptedServer.events;
import static io.fanfare.client.ScriptedServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.client.error.ConnectionException;
import io.fanfare.client.error.FanfareException;
import io.fanfare.client.error.ProtocolException;
import io.fanfare.client.stream.EventStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that answer badly on purpose: each ends in an error, and holds little memory until then. */
@Timeout(60)
class HostileServerTest {
    private static final int MIB = 1024 * 1024;
    private static final byte[] MUCH = "x".repeat(MIB).getBytes(StandardCharsets.US_ASCII);

    @Test
    void anAnswerWithoutEndIsCutAtTheLimit() {
        AtomicLong sent = new AtomicLong();
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n\"".getBytes(StandardCharsets.UTF_8));
            pour(out, sent);
        })) {
            assertThatThrownBy(() -> client(server).accounts().me())
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("the answer of the server has more than 16777216 bytes");
            assertThat(sent.get()).isLessThan(64L * MIB);
        }
    }

    @Tag("slow")
    @Test
    void anEventWithoutEndIsCutAtTheLimit() {
        AtomicLong sent = new AtomicLong();
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
                    ScriptedServer.head(out);
                    out.write("data: ".getBytes(StandardCharsets.UTF_8));
                    pour(out, sent);
                });
                EventStream stream = client(server).firehose().open()) {
            assertThatThrownBy(stream::next)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessage("the server sent an event of more than 1048576 bytes");
            assertThat(sent.get()).isLessThan(32L * MIB);
        }
    }

    @Test
    void headersWithoutEndEndInAnError() {
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.UTF_8));
            pour(out, new AtomicLong());
        })) {
            assertThatThrownBy(() -> client(server).accounts().me()).isInstanceOf(FanfareException.class);
        }
    }

    @Test
    void bytesThatDripEndAtTheTimeLimit() {
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            while (true) {
                out.write(' ');
                out.flush();
                Thread.sleep(20);
            }
        })) {
            Fanfare hasty = Fanfare.at(server.url())
                    .timeLimit(Duration.ofMillis(400))
                    .attempts(1)
                    .build();
            assertThatThrownBy(() -> hasty.accounts().me())
                    .isInstanceOf(ConnectionException.class)
                    .hasMessage("GET /api/v1/accounts/verify_credentials had no whole answer within 400 ms");
        }
    }

    @Test
    void aRedirectIsNotFollowedAndTheTokenStaysHere() {
        try (ScriptedServer thief = new ScriptedServer(json("{}"));
                ScriptedServer server = new ScriptedServer(
                        answer(302, "Location: " + thief.url() + "/api/v1/accounts/verify_credentials\r\n", ""));
                EventStream stream = client(server).firehose().open()) {
            assertThatThrownBy(stream::next)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("was redirected to http://127.0.0.1: redirects are not followed");
            assertThatThrownBy(() -> client(server).accounts().me())
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("the token was not sent there");
            assertThat(thief.requests()).isEmpty();
        }
    }

    @Test
    void aLinkToAnotherServerKeepsOnlyItsQuery() {
        try (ScriptedServer thief = new ScriptedServer(json("[]"));
                ScriptedServer server = new ScriptedServer(
                        answer(200, "Link: <" + thief.url() + "/evil?max_id=5>; rel=\"next\"\r\n", "[{\"id\":\"6\"}]"),
                        json("[{\"id\":\"4\"}]"))) {
            assertThat(client(server).timelines().home().stream().map(status -> status.id()))
                    .containsExactly("6", "4");
            assertThat(thief.requests()).isEmpty();
            assertThat(server.requests().get(1).line()).isEqualTo("GET /api/v1/timelines/home?max_id=5 HTTP/1.1");
        }
    }

    @Test
    void aPageThatIsItsOwnNextPageEnds() {
        try (ScriptedServer server =
                new ScriptedServer(answer(200, "Link: </x?max_id=5>; rel=\"next\"\r\n", "[{\"id\":\"6\"}]"))) {
            assertThatThrownBy(() -> client(server).timelines().home().stream().count())
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("as its own next page");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "7",
                "[]",
                "{",
                "{\"id\":{}}",
                "{\"id\":[1]}",
                "{\"created_at\":\"yesterday\"}",
                "{\"followers_count\":\"many\"}",
                "{\"emojis\":{\"a\":1}}"
            })
    void jsonOfAnotherTypeIsAnErrorWithoutItsText(String body) {
        try (ScriptedServer server = new ScriptedServer(json(body))) {
            assertThatThrownBy(() -> client(server).accounts().get("1"))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessage("the server sent JSON that is no io.fanfare.client.model.Account");
        }
    }

    @Test
    void jsonThatIsNestedWithoutEndIsAnError() {
        try (ScriptedServer server = new ScriptedServer(json("[".repeat(1_000_000)))) {
            assertThatThrownBy(() -> client(server).accounts().get("1")).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void aListThatContainsNullIsReadWithoutIt() {
        try (ScriptedServer server = new ScriptedServer(json("[null,{\"id\":\"6\"}]"))) {
            assertThat(client(server).timelines().home().first().items()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "event: status\ndata: 7\n\n",
                "event: status\ndata: {\"id\":[]}\n\n",
                "event: hello\ndata: nonsense\n\n",
                "event: gap\ndata: {\"from\":\"low\"}\n\n",
                "event: disconnect\ndata: []\n\n",
                "id: e\u0001\nevent: status\ndata: {}\n\n",
                "id: nonsense\nevent: status\ndata: {\"id\":\"7\"}\n\n",
                "id: nonsense\n\n"
            })
    @Tag("slow")
    void theThirdConnectionWithAMalformedEventEndsTheStreamWithAnError(String frame) {
        try (ScriptedServer server = new ScriptedServer(events(frame));
                EventStream stream = client(server).firehose().open()) {
            assertThatThrownBy(stream::next)
                    .isInstanceOf(ProtocolException.class)
                    .satisfies(e -> assertThat(e.getMessage()).isNotBlank());
            assertThat(server.requests()).hasSize(3);
        }
    }

    @Test
    void aServerThatAnswersWithAPageIsNotAStream() {
        try (ScriptedServer server = new ScriptedServer(answer(200, "Content-Type: text/html\r\n", "<html>"));
                EventStream stream = client(server).firehose().open()) {
            assertThatThrownBy(stream::next)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("is " + server.url() + " a Fanfare server?");
        }
    }

    @Test
    void aRefusalWithoutEndAndWithControlCharactersIsAShortSentence() {
        try (ScriptedServer server =
                new ScriptedServer(answer(422, "", "{\"error\":\"\\u001b[31mred\\n" + "y".repeat(MIB) + "\"}"))) {
            assertThatThrownBy(() -> client(server).accounts().me())
                    .hasMessageStartingWith("GET /api/v1/accounts/verify_credentials was refused with 422:  [31mred y")
                    .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1200));
        }
    }

    private static Fanfare client(ScriptedServer server) {
        return Fanfare.at(server.url()).token("secret").attempts(1).build();
    }

    /** Until the client cuts it off; 100 MiB at most. */
    private static void pour(OutputStream out, AtomicLong sent) throws java.io.IOException {
        for (int i = 0; i < 100; i++) {
            out.write(MUCH);
            sent.addAndGet(MUCH.length);
        }
    }
}

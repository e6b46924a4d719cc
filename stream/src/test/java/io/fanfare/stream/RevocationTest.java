package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestRedis;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stream ends within a second of the end of its token, in whatever dialect. */
class RevocationTest {
    private static final String BASE = "/api/v1/streaming/";

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @BeforeEach
    void start() {
        redis.flush();
        server = StreamServer.startClosed(redis, "stream.per-token-max=100", "stream.per-user-max=1000");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyConnectionOfARevokedTokenEndsWithinASecond() throws Exception {
        long user = server.newUser();
        String token = server.token(user, "read");
        SseClient bystander = open("firehose", server.token(user, "read"));
        List<SseClient> clients = List.of(
                open("firehose", token),
                open("home", token),
                open("filter?track=a", token),
                open("firehose?delimited=length", token),
                server.get(0, "/1.1/statuses/sample.json", "Authorization: Bearer " + token));
        SseClient mastodon = open("user", token);
        Closed closed = new Closed(new CompletableFuture<>());
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .subprotocols(token)
                .buildAsync(URI.create("ws://127.0.0.1:" + server.port(0) + "/api/v1/streaming?stream=user"), closed)
                .get(60, TimeUnit.SECONDS);
        socket.sendText("{\"type\":\"subscribe\",\"stream\":\"public\"}", true).join();
        clients.forEach(client -> awaitUntil("open", () -> !client.raw().isEmpty()));
        awaitUntil("open", () -> server.connections(0) == 9);

        server.revoke(token);
        Stopwatch answered = Stopwatch.start();
        int code = closed.code().get(60, TimeUnit.SECONDS);
        clients.forEach(client -> awaitUntil("ended", client::ended));
        awaitUntil("ended", mastodon::ended);

        assertThat(answered.elapsed()).isLessThan(Duration.ofSeconds(1));
        assertThat(clients).allSatisfy(client -> assertThat(client.raw()).contains("\"code\":6,"));
        assertThat(code).isEqualTo(4006);
        assertThat(bystander.ended()).isFalse();
        awaitUntil("only the bystander is left", () -> server.connections(0) == 1);
        assertThat(server.get(0, BASE + "firehose", "Authorization: Bearer " + token)
                        .status())
                .isEqualTo(401);
    }

    private record Closed(CompletableFuture<Integer> code) implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            code.complete(status);
            return null;
        }
    }

    @Test
    void aNewPasswordEndsWhatWasOpenedWithOtherTokens() {
        long user = server.newUser();
        String mine = server.token(user, "read");
        SseClient stays = open("home", mine);
        SseClient ends = open("home", server.token(user, "read"));
        awaitUntil("open", () -> server.connections(0) == 2);

        server.changePassword(mine);
        Stopwatch answered = Stopwatch.start();
        awaitUntil("ended", ends::ended);

        assertThat(answered.elapsed()).isLessThan(Duration.ofSeconds(1));
        assertThat(ends.messages("disconnect").get(0).data()).contains("\"code\":6,");
        assertThat(stays.ended()).isFalse();
    }

    /** On each event loop. */
    @Test
    void streamsOfASuspendedAccountEndWithinASecondAndNoneOpensUntilItIsRestored() {
        long user = server.newUser();
        String token = server.token(user, "read");
        List<SseClient> clients = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            clients.add(open("firehose", i % 2 == 0 ? token : server.token(user, "read")));
        }
        SseClient bystander = open("firehose", server.token(server.newUser(), "read"));
        awaitUntil("open", () -> server.connections(0) == 7);

        assertThat(TestRedis.await(server.operator().suspend(user))).isTrue();
        Stopwatch answered = Stopwatch.start();
        clients.forEach(client -> awaitUntil("ended", client::ended));
        assertThat(answered.elapsed()).isLessThan(Duration.ofSeconds(1));
        assertThat(clients).allSatisfy(client -> assertThat(client.raw()).contains("\"code\":6,"));
        assertThat(bystander.ended()).isFalse();
        SseClient refused = server.get(0, BASE + "firehose", "Authorization: Bearer " + token);
        assertThat(refused.status()).isEqualTo(403);
        awaitUntil("told why", () -> refused.raw().contains("Your login is currently disabled"));

        assertThat(TestRedis.await(server.operator().unsuspend(user))).isTrue();
        awaitUntil(
                "let in again",
                () -> server.get(0, BASE + "firehose", "Authorization: Bearer " + token)
                                .status()
                        == 200);
    }

    @Test
    void aSuspendedAccountShutsNobodyOutWhoseFilterFollowsIt() {
        long user = server.newUser();
        String name = server.username(user);
        String other = server.token(server.newUser(), "read");
        assertThat(TestRedis.await(server.operator().suspend(user))).isTrue();

        assertThat(open("filter?follow=" + user, other).status()).isEqualTo(200);
        assertThat(open("filter?follow=@" + name, other).status()).isEqualTo(200);
    }

    @Test
    void streamsOfAnExpiredTokenEndWithinASecond() {
        Instant until;
        SseClient client;
        do {
            until = Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.SECONDS);
            client = open("home", server.tokenUntil(server.newUser(), until));
            // Unless the machine stood still until then.
        } while (client.status() == 401 && !Instant.now().isBefore(until));
        Duration left = Duration.between(Instant.now(), until);
        Stopwatch opened = Stopwatch.start();
        awaitUntil("ended", client::ended);

        assertThat(Instant.now()).isAfterOrEqualTo(until);
        assertThat(opened.elapsed()).isLessThan(left.plusSeconds(1));
        assertThat(client.messages("disconnect").get(0).data()).contains("\"code\":6,");
    }

    /** The token is checked before the body of the request comes. */
    @Test
    void aTokenThatExpiresWhileItsStreamIsBeingOpenedEndsTheStream() throws Exception {
        String answer;
        do {
            answer = answerToATokenThatExpires();
            // A token that was checked too late says nothing.
        } while (answer.startsWith("HTTP/1.1 401"));
        assertThat(answer).startsWith("HTTP/1.1 200").contains("event: hello", "\"code\":6,");
        awaitUntil("gone", () -> server.connections(0) == 0);
    }

    private String answerToATokenThatExpires() throws Exception {
        Instant until = Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.SECONDS);
        String token = server.tokenUntil(server.newUser(), until);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port(0))) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST /api/v1/streaming/filter HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                            + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\ntrac")
                    .getBytes(StandardCharsets.US_ASCII));
            awaitUntil("expired", () -> !Instant.now().isBefore(until));
            out.write("k=a".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aTokenThatTheNextOneTooManyPushesOutEndsWhatItOpened() {
        long user = server.newUser();
        SseClient client = open("home", server.token(user, "read"));
        awaitUntil("open", () -> server.connections(0) == 1);
        for (int i = 0; i < 200; i++) {
            server.token(user, "read");
        }
        awaitUntil("ended", client::ended);
        assertThat(client.messages("disconnect").get(0).data()).contains("\"code\":6,");
    }

    @Test
    void watchingCostsTheSameHoweverManyTokensAreInUse() {
        for (int i = 0; i < 60; i++) {
            SseClient client = open("firehose", server.token(server.newUser(), "read"));
            awaitUntil("open", () -> !client.messages("hello").isEmpty());
        }
        long began = System.nanoTime();
        long before = reads();
        awaitUntil("a second", () -> System.nanoTime() - began >= TimeUnit.SECONDS.toNanos(1));
        long often = reads() - before;
        // Begins before the first count and ends after the last, so that it is never too short for what is counted.
        double seconds = (System.nanoTime() - began) / 1e9;
        assertThat(often).isLessThan(Math.round(20 * seconds));
    }

    private long reads() {
        String stats = redis.askAt("x", "INFO", "commandstats").asString();
        String calls = stats.replaceAll("(?s).*cmdstat_hexists:calls=(\\d+).*", "$1");
        return Long.parseLong(calls);
    }

    private SseClient open(String path, String token) {
        return server.get(0, BASE + path, "Authorization: Bearer " + token);
    }
}

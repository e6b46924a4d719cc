package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How Mastodon's WebSocket stays open, and when it ends. */
class StreamSocketTest {
    private static final String PATH = "/api/v1/streaming";

    private final TestRedis redis = TestRedis.standalone();
    private final List<Socket> mutes = new ArrayList<>();
    private StreamServer server;

    private void start(String... assignments) {
        redis.flush();
        server = StreamServer.start(redis, assignments);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket mute : mutes) {
            mute.close();
        }
        server.close();
    }

    /** A client that answers pings and closes. */
    private static final class Talker implements WebSocket.Listener {
        private final List<String> messages = new CopyOnWriteArrayList<>();
        private final AtomicInteger pings = new AtomicInteger();
        private volatile int closed;

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            messages.add(data.toString());
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
            pings.incrementAndGet();
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            closed = status;
            return null;
        }
    }

    @Test
    void aSilentSocketOutlivesTheTimeOfIdleConnections() throws Exception {
        start("http.idle-timeout=1s", "http.request-timeout=900ms", "stream.heartbeat=300ms");
        Talker talker = new Talker();
        WebSocket socket = open(talker, "?stream=public");
        Talker without = new Talker();
        WebSocket empty = open(without, "");
        awaitUntil("open", () -> server.connections(0) == 1);

        // Three times as long.
        awaitUntil("pings", () -> talker.pings.get() >= 10 && without.pings.get() >= 10);

        server.append(server.post(8, "later"));
        awaitUntil("told", () -> talker.messages.size() == 1);
        subscribe(empty, "public");
        awaitUntil("open", () -> server.connections(0) == 2);
        socket.abort();
        empty.abort();
    }

    /** Operators and slow readers are judged by bytes. */
    @Test
    void theBytesOfASocketAreThoseOfUtf8() throws Exception {
        start();
        Talker talker = new Talker();
        WebSocket socket = open(talker, "?stream=public");
        awaitUntil("open", () -> server.connections(0) == 1);
        server.append(server.post(8, "我爱微博 " + "汉字".repeat(100)));
        awaitUntil("told", () -> talker.messages.size() == 1);

        int bytes = talker.messages.get(0).getBytes(StandardCharsets.UTF_8).length;
        awaitUntil("taken", () -> server.rows(0).get(0).bytes() == bytes);
        socket.abort();
    }

    @Test
    void aSocketIsPingedOnceHoweverManyStreamsItHas() throws Exception {
        start("stream.heartbeat=500ms");
        Talker talker = new Talker();
        WebSocket socket = open(talker, "?stream=public");
        for (int i = 0; i < 10; i++) {
            socket.sendText("{\"type\":\"subscribe\",\"stream\":\"hashtag\",\"tag\":\"t" + i + "\"}", true)
                    .get(60, TimeUnit.SECONDS);
        }
        awaitUntil("open", () -> server.connections(0) == 11);
        int before = talker.pings.get();
        // Timers make up for the time that the process stands still, which a stopwatch leaves out.
        long began = System.nanoTime();
        awaitUntil("pings", () -> talker.pings.get() >= before + 4);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(1400));
        socket.abort();
    }

    @Test
    void aSocketThatAnswersNoPingIsClosedAndOneThatDoesIsNot() throws Exception {
        start("stream.heartbeat=200ms", "stream.dead-after=3s");
        Talker talker = new Talker();
        WebSocket socket = open(talker, "?stream=public");
        Socket mute = mute("?stream=public");
        awaitUntil("open", () -> server.connections(0) == 2);

        assertThat(readToEnd(mute)).contains("stall");

        // A client may hear of the end before it is counted.
        awaitUntil("only the other is left", () -> server.connections(0) == 1);
        server.append(server.post(8, "later"));
        awaitUntil("told", () -> talker.messages.size() == 1);
        socket.abort();
    }

    @Test
    void aCrowdOfSilentSocketsHoldsUpNoHeartbeats() throws Exception {
        start("stream.heartbeat=1s", "stream.per-token-max=1000", "stream.per-user-max=1000");
        for (int i = 0; i < 400; i++) {
            mute("?stream=hashtag&tag=t" + i);
        }
        SseClient client = server.listening();
        long last = server.append(server.status(1));
        Stopwatch began = Stopwatch.start();
        String heartbeat = "id: " + server.epoch() + "-" + last + "\n\n";
        awaitUntil("three heartbeats", () -> client.raw().endsWith(heartbeat.repeat(3)));
        assertThat(began.elapsed()).isLessThan(Duration.ofSeconds(6));
    }

    @ParameterizedTest
    @CsvSource({"stream.per-token-max=2,false", "stream.per-user-max=2,true"})
    void socketsThatDoNotAnswerGetAroundNoLimit(String limit, boolean tokens) throws Exception {
        start(limit);
        long user = server.newUser();
        String token = server.token(user, "read");
        for (int i = 0; i < 8; i++) {
            mute("?stream=public", "Authorization: Bearer " + (tokens ? server.token(user, "read") : token));
        }
        // Mostly the first six; a socket hears that it is open before its event loop counts it.
        List<CompletableFuture<String>> ends = mutes.stream()
                .map(socket -> CompletableFuture.supplyAsync(() -> untilItEnds(socket), StreamSocketTest::inThread))
                .toList();
        awaitUntil(
                "six have ended",
                () -> ends.stream().filter(CompletableFuture::isDone).count() == 6);
        assertThat(ends.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
                .allSatisfy(last -> assertThat(last).contains("admin logout"));
        awaitUntil("two are left", () -> server.connections(0) == 2);
    }

    private static void inThread(Runnable task) {
        new Thread(task).start();
    }

    private static String untilItEnds(Socket socket) {
        try {
            return readToEnd(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aSubscriptionThatFoundNoRoomCanBeTriedAgain() throws Exception {
        // One event loop, since the limit is shared out between them, and none may have less than one.
        start("stream.connections-max=1", "http.event-loops=1");
        WebSocket first = open(new Talker(), "?stream=public");
        awaitUntil("open", () -> server.connections(0) == 1);
        Talker talker = new Talker();
        WebSocket second = open(talker, "?stream=public");
        awaitUntil("refused", () -> talker.messages.size() == 1);
        assertThat(talker.messages.get(0)).startsWith("{\"error\":\"No more streams can be opened");
        try (SseClient lines = server.get(0, "/api/v1/streaming/firehose", "Accept: application/x-ndjson")) {
            assertThat(lines.status()).isEqualTo(503);
        }
        assertThat(server.metrics
                        .get("fanfare.streams.turned.away")
                        .functionCounter()
                        .count())
                .isEqualTo(2);

        first.abort();
        awaitUntil("room", () -> server.connections(0) == 0);
        subscribe(second, "public");
        awaitUntil("open", () -> server.connections(0) == 1);
        second.abort();
    }

    @Test
    void aDrainClosesSocketsWhetherTheyAnswerOrNot() throws Exception {
        start("stream.drain-timeout=1s");
        Talker talker = new Talker();
        WebSocket socket = open(talker, "?stream=public");
        subscribe(socket, "public:local");
        Socket mute = mute("?stream=public");
        awaitUntil("open", () -> server.connections(0) == 3);
        Stopwatch began = Stopwatch.start();
        server.stopNode(0);
        assertThat(began.elapsed()).isLessThan(Duration.ofSeconds(5));
        assertThat(readToEnd(mute)).contains("shutdown");
        awaitUntil("told", () -> talker.closed != 0);
        assertThat(talker.closed).isEqualTo(1001);
        socket.abort();
    }

    @Test
    void aDrainClosesEachSocketOnceHoweverManyStreamsItHasAndNoneAmongThem() throws Exception {
        start("stream.drain-timeout=1s");
        Talker talker = new Talker();
        WebSocket without = open(talker, "");
        Socket mute = mute("?stream=public");
        for (String tag : List.of("cats", "dogs", "owls")) {
            say(mute, "{\"type\":\"subscribe\",\"stream\":\"hashtag\",\"tag\":\"" + tag + "\"}");
        }
        awaitUntil("open", () -> server.connections(0) == 4);

        server.stopNode(0);

        assertThat(readToEnd(mute)).containsOnlyOnce("shutdown");
        awaitUntil("told", () -> talker.closed != 0);
        assertThat(talker.closed).isEqualTo(1001);
        without.abort();
    }

    @ParameterizedTest
    @CsvSource({"20000,1", "10000,2", "60000,1", "20000,3", "1000,40"})
    void aMessageThatIsTooLongIsAnsweredWithItsCode(int bytes, int frames) throws Exception {
        start();
        Socket talker = mute("?stream=public");
        awaitUntil("open", () -> server.connections(0) == 1);
        for (int i = 0; i < frames; i++) {
            byte[] frame = new byte[8 + bytes];
            frame[0] = (byte) ((i == frames - 1 ? 0x80 : 0) | (i == 0 ? 1 : 0));
            frame[1] = (byte) (0x80 | 126);
            ByteBuffer.wrap(frame).putShort(2, (short) bytes);
            talker.getOutputStream().write(frame);
        }
        String close = readToEnd(talker);
        assertThat(close).contains("\u0003\u00f1");
        awaitUntil("gone", () -> server.connections(0) == 0);
    }

    /** A frame of text, masked with zeros. */
    private static void say(Socket socket, String text) throws IOException {
        byte[] frame = new byte[6 + text.length()];
        frame[0] = (byte) 0x81;
        frame[1] = (byte) (0x80 | text.length());
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, frame, 6, text.length());
        socket.getOutputStream().write(frame);
    }

    private static void subscribe(WebSocket socket, String stream) throws Exception {
        socket.sendText("{\"type\":\"subscribe\",\"stream\":\"" + stream + "\"}", true)
                .get(60, TimeUnit.SECONDS);
    }

    private WebSocket open(Talker talker, String query) throws Exception {
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + server.port(0) + PATH + query), talker)
                .get(60, TimeUnit.SECONDS);
    }

    /** A client that never says anything once it is there; its socket has taken nothing of the streams so far. */
    @CanIgnoreReturnValue
    private Socket mute(String query, String... headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port(0));
        mutes.add(socket);
        // Less than Vert.x itself waits for the answer to a close.
        socket.setSoTimeout(8_000);
        String request = "GET " + PATH + query + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        String all = request + String.join("\r\n", headers) + (headers.length == 0 ? "" : "\r\n") + "\r\n";
        socket.getOutputStream().write(all.getBytes(StandardCharsets.UTF_8));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
        }
        assertThat(head.toString()).startsWith("HTTP/1.1 101 ");
        return socket;
    }

    /** The bytes up to the end of the connection, which the server closes. */
    private static String readToEnd(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
}

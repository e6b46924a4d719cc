package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bodies of streams: who may send how much, and how long it may take. */
class StreamBodiesTest {
    private static final String FILTER = "/api/v1/streaming/filter";
    private static final int BODY_BYTES_MAX = 2 << 20;
    private static final int STRANGERS_BYTES_MAX = 64 << 10;

    private final TestRedis redis = TestRedis.standalone();
    private final List<Socket> sockets = new ArrayList<>();
    private StreamServer server;

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    @Test
    void tokensInABodyCountOnceTheBodyIsRead() throws IOException {
        server = StreamServer.startClosed(redis);
        List<Socket> stalled = new ArrayList<>();
        for (int i = 0; i < 350; i++) {
            stalled.add(stall(post("", BODY_BYTES_MAX), 60_000));
        }

        for (Socket socket : stalled) {
            assertThat(head(socket)).startsWith("HTTP/1.1 401").contains("connection: close");
        }
        assertThat(inFlight()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "POST /api/v1/streaming/filter, 0, 200",
        "POST /api/v1/streaming/filter, 1, 413",
        "POST /1.1/statuses/filter.json, 0, 200",
        "POST /1.1/statuses/filter.json, 1, 413"
    })
    void aRequestWithoutATokenHasASmallerLimit(String path, int more, int status) throws IOException {
        server = StreamServer.start(redis);
        String track = "track=a&x=";
        String body = track + "x".repeat(STRANGERS_BYTES_MAX + more - track.length());

        assertThat(head(stall(request(path, "", body.length()) + body, 0))).startsWith("HTTP/1.1 " + status);
        String chunks = path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(body.length()) + "\r\n" + body
                + "\r\n0\r\n\r\n";
        assertThat(head(stall(chunks, 0))).startsWith("HTTP/1.1 " + status);
    }

    @Test
    void aUserHasTwoMebibytesAndNoMore() throws IOException {
        server = StreamServer.startClosed(redis);
        String token = "Authorization: Bearer " + server.token(server.newUser(), "read") + "\r\n";
        String body = "track=a&x=" + "x".repeat(BODY_BYTES_MAX - 10);

        assertThat(head(stall(post(token, body.length()) + body, 0))).startsWith("HTTP/1.1 200");
        awaitUntil("given back while the stream goes on", () -> inFlight() == 0);
        assertThat(server.connections(0)).isOne();
        assertThat(head(stall(post(token, body.length() + 1), 0))).startsWith("HTTP/1.1 413");
    }

    @Test
    void bodiesThatStallTakeNoMoreThanTheirBudgetAndOthersAreServed() throws IOException {
        server = StreamServer.startClosed(redis, "http.bodies-in-flight-bytes=16777216");
        String token = "Authorization: Bearer " + server.token(server.newUser(), "read") + "\r\n";
        List<Socket> stalled = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            stalled.add(stall(post(token, BODY_BYTES_MAX), 1_500_000));
        }
        // A quarter of the budget is enough for two bodies of one user.
        awaitUntil(
                "refused",
                () -> stalled.stream().filter(socket -> !isSilent(socket)).count() == 10);
        for (Socket socket : stalled) {
            if (!isSilent(socket)) {
                assertThat(head(socket)).startsWith("HTTP/1.1 503").containsIgnoringCase("retry-after: ");
            }
        }
        assertThat(inFlight()).isLessThanOrEqualTo(16 << 20);

        String other = "Authorization: Bearer " + server.token(server.newUser(), "read") + "\r\n";
        assertThat(head(stall(post(other, 7) + "track=a", 0))).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /api/v1/streaming/filter", "PUT /api/v1/streaming/connections/none/filter"})
    void aBodyThatDoesNotComeIsNotWaitedForLong(String path) throws IOException {
        server = StreamServer.startClosed(redis, "http.request-timeout=500ms");
        String token = "Authorization: Bearer " + server.token(server.newUser(), "read") + "\r\n";

        Socket socket = stall(request(path, token, 100), 10);
        assertThat(head(socket)).startsWith("HTTP/1.1 503").contains("connection: close");
        awaitUntil("given back", () -> inFlight() == 0);
        assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
    }

    @Test
    void aStreamLastsLongerThanItsBodyHadTime() throws IOException {
        server = StreamServer.start(redis, "http.request-timeout=100ms", "stream.heartbeat=1s");
        Socket socket = stall(post("", 7) + "track=a", 0);

        assertThat(head(socket)).startsWith("HTTP/1.1 200");
        // Hello, and heartbeats of ten times the limit.
        int ends = 0;
        for (int before = 0, c = socket.getInputStream().read();
                ends < 3;
                before = c, c = socket.getInputStream().read()) {
            assertThat(c).as("goes on").isNotNegative();
            ends += before == '\n' && c == '\n' ? 1 : 0;
        }
        assertThat(server.connections(0)).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":[1", "{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\":{\"a\":[[", "{\"track\":[[],"})
    void hostileJsonCostsNoMoreThanItsBytes(String start) throws IOException {
        server = StreamServer.start(redis);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        String body = start + ",1".repeat((60_000 - start.length()) / 2);
        String json = "POST " + FILTER + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
        long cost = 0;
        for (int round = 0; round < 2; round++) {
            long before = allocated(threads);
            assertThat(head(stall(json, 0))).startsWith("HTTP/1.1 400");
            cost = allocated(threads) - before;
        }
        assertThat(cost).isLessThan(16L * body.length() + (1 << 20));
    }

    private static long allocated(ThreadMXBean threads) {
        long[] loops = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("vert.x-eventloop"))
                .mapToLong(Thread::getId)
                .toArray();
        return Arrays.stream(threads.getThreadAllocatedBytes(loops)).sum();
    }

    private double inFlight() {
        return server.metrics.get("fanfare.http.bodies.in.flight").gauge().value();
    }

    private static String post(String token, int length) {
        return request("POST " + FILTER, token, length);
    }

    private static String request(String path, String headers, int length) {
        return path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                + length + "\r\n" + headers + "\r\n";
    }

    /** Sends a beginning, so many bytes more, and nothing else. */
    private Socket stall(String start, int bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port(0));
        socket.setSoTimeout(30_000);
        sockets.add(socket);
        OutputStream out = socket.getOutputStream();
        out.write((start + "x".repeat(bytes)).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int c = socket.getInputStream().read();
            assertThat(c).as("after " + head).isNotNegative();
            head.append((char) c);
        }
        return head.toString();
    }

    private static boolean isSilent(Socket socket) {
        try {
            return socket.getInputStream().available() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}

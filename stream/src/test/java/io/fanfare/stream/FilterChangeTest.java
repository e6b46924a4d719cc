package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An open stream takes a filter update from a connection on any event loop. */
class FilterChangeTest {
    private static final int UPDATES = 1000;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(1);
    /** Answers that a machine which stands still for a moment may delay; a loop that waits delays most of them. */
    private static final int LATE_MAX = 4;

    private static final int PATIENCE_MILLIS = 60_000;

    private final TestRedis redis = TestRedis.standalone();

    /** Connections go to the event loops in turn, so that each stream gets updates from each loop. */
    @ParameterizedTest(name = "{0} event loops")
    @ValueSource(ints = {1, 2, 4})
    void eachUpdateIsAnsweredWithinASecondOnWhicheverEventLoopItArrives(int loops) throws Exception {
        redis.flush();
        try (StreamServer server =
                StreamServer.startClosed(redis, "http.event-loops=" + loops, "limits.enabled=false")) {
            String token = server.token(server.newUser(), "read");
            List<String> conns = new ArrayList<>();
            List<SseClient> streams = new ArrayList<>();
            for (int i = 0; i < loops; i++) {
                SseClient stream =
                        server.get(0, "/api/v1/streaming/filter?track=before", "Authorization: Bearer " + token);
                awaitUntil("hello", () -> !stream.messages("hello").isEmpty());
                streams.add(stream);
                conns.add(new JsonObject(stream.messages("hello").get(0).data()).getString("conn"));
            }
            List<Updates> connections = new ArrayList<>();
            int late = 0;
            try {
                for (int i = 0; i < loops; i++) {
                    connections.add(new Updates(server.port(0), token));
                }
                for (int i = 0; i < UPDATES; i++) {
                    String conn = conns.get(i / loops % loops);
                    long sent = System.nanoTime();
                    assertThat(connections.get(i % loops).put(conn, "after" + i))
                            .as("update " + i)
                            .isEqualTo(200);
                    late += System.nanoTime() - sent > ANSWER_MAX.toNanos() ? 1 : 0;
                }
                assertThat(late).as("late answers").isLessThanOrEqualTo(LATE_MAX);
            } finally {
                for (Updates connection : connections) {
                    connection.close();
                }
            }
            for (int i = 0; i < loops; i++) {
                // What each stream has now is one of its last updates.
                SseClient stream = streams.get(i);
                for (int n = UPDATES - loops * loops; n < UPDATES; n++) {
                    server.append(server.post(8, "after" + n));
                }
                awaitUntil("told", () -> !stream.messages("status").isEmpty());
            }
        }
    }

    /** A connection that is kept for many requests. */
    private static final class Updates implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private final String token;

        Updates(int port, String token) throws IOException {
            this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
            // An answer that never comes fails the test.
            socket.setSoTimeout(PATIENCE_MILLIS);
            this.in = new BufferedInputStream(socket.getInputStream());
            this.token = token;
        }

        /** Answers the status. */
        int put(String conn, String track) throws IOException {
            String body = "track=" + track;
            String request = "PUT /api/v1/streaming/connections/" + conn + "/filter HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer " + token + "\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + body.length()
                    + "\r\n\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            int status = Integer.parseInt(line().substring(9, 12));
            int length = 0;
            for (String line = line(); !line.isEmpty(); line = line()) {
                if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                    length = Integer.parseInt(line.substring(15).strip());
                }
            }
            in.skipNBytes(length);
            return status;
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("closed by the server");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}

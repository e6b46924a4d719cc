package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests of strangers make the event loops allocate no more than 16 times their bytes and a megabyte, whatever their
 * form and address: with a body that is read, one that nobody reads, and one beyond the limit of its length.
 */
class HostileBodiesTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final String JSON = "application/json";
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String PARTS = "multipart/form-data; boundary=b";

    /** Each body by its length. */
    private static final Map<String, IntFunction<String>> BODIES = Map.of(
            "a long prefix before many fields",
            bytes -> "{\"" + "p".repeat(bytes / 2) + "\":{" + many("\"a\":1,", bytes / 2) + "\"z\":1}}",
            "deep prefixes before many fields",
            bytes -> "{\"aaa\":".repeat(30) + "{" + many("\"a\":1,", bytes) + "\"z\":1" + "}".repeat(31),
            "many names",
            bytes -> IntStream.range(0, bytes / 12)
                    .mapToObj(i -> "\"a" + i + "\":1")
                    .collect(Collectors.joining(",", "{", "}")),
            "one name again and again",
            bytes -> "{" + many("\"a\":1,", bytes) + "\"z\":1}",
            "long names",
            bytes -> "{" + many("\"" + "n".repeat(5000) + "\":1,", bytes) + "\"z\":1}",
            "a list of 1",
            bytes -> "{\"a\":[" + many("1,", bytes) + "1]}",
            "a list of lists",
            bytes -> "{\"a\":[" + many("[],", bytes) + "1]}");

    private static ApiServer api;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(TestRedis.standalone(), "http.body-max-bytes=262144");
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    static Stream<Arguments> everywhere() {
        Stream<Arguments> json = BODIES.entrySet().stream().flatMap(body -> IntStream.of(62_000, 166_000)
                .mapToObj(bytes -> body.getValue().apply(bytes))
                .flatMap(text -> Stream.of(
                        Arguments.of("POST", "/api/v1/apps", JSON, body.getKey(), text),
                        Arguments.of("GET", "/api/v2/instance", JSON, body.getKey(), text),
                        Arguments.of("GET", "/api/v1/timelines/public", JSON, body.getKey(), text),
                        Arguments.of("POST", "/api/v1/statuses/1/favourite", JSON, body.getKey(), text))));
        Stream<Arguments> forms = Stream.of(
                Arguments.of("POST", "/api/v1/apps", FORM, "fields", many("a&", 166_000)),
                Arguments.of("POST", "/api/v1/apps", FORM, "escapes", many("%61=%61&", 166_000)),
                Arguments.of("POST", "/api/v1/apps", PARTS, "line ends", "--b\r\n" + many("\r\n", 166_000)),
                Arguments.of("POST", "/api/v1/apps", PARTS, "boundaries", many("--b\r\n", 166_000)),
                Arguments.of(
                        "POST",
                        "/api/v1/apps",
                        PARTS,
                        "parts",
                        many("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n", 166_000) + "--b--\r\n"),
                Arguments.of(
                        "POST",
                        "/api/v1/apps",
                        PARTS,
                        "nearly boundaries",
                        "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n" + many("\r\n--c", 166_000)));
        return Stream.concat(json, forms);
    }

    @ParameterizedTest(name = "{0} {1} {2}: {3}")
    @MethodSource("everywhere")
    void itCostsNoMoreThanItsBytes(String method, String path, String type, String what, String body) {
        String head =
                method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: " + type + "\r\n";
        String whole = head + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        String chunks = head + "Transfer-Encoding: chunked\r\n\r\n" + chunked(body, 1000);
        String crumbs = head + "Transfer-Encoding: chunked\r\n\r\n" + chunked(body, 1);

        for (String request : new String[] {whole, chunks, crumbs}) {
            int unused = send(request); // Classes are loaded before anything is measured.
            long before = allocated();
            int status = send(request);
            long cost = allocated() - before;

            // Who sends crumbs and does not stop when it is answered is cut off.
            assertThat(status).as(path).isIn(request.equals(crumbs) ? 0 : 200, 200, 400, 401, 413, 422);
            assertThat(cost)
                    .as("bytes for %s of %d", what, request.length())
                    .isLessThan(16L * request.length() + (1 << 20));
        }
    }

    private static String chunked(String body, int bytes) {
        StringBuilder chunks = new StringBuilder();
        for (int at = 0; at < body.length(); at += bytes) {
            String chunk = body.substring(at, Math.min(body.length(), at + bytes));
            chunks.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        return chunks.append("0\r\n\r\n").toString();
    }

    /** The status of the answer, when all of it has come; 0 when the connection was cut before. */
    private static int send(String request) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.verticle.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
        } catch (IOException cut) {
            return 0;
        }
    }

    private static long allocated() {
        long[] loops = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("vert.x-eventloop"))
                .mapToLong(Thread::getId)
                .toArray();
        return Arrays.stream(THREADS.getThreadAllocatedBytes(loops)).sum();
    }

    private static String many(String part, int bytes) {
        return part.repeat(bytes / part.length());
    }
}

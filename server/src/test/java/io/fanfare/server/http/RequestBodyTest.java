package io.fanfare.server.http;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.internal.PlatformDependent;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Bodies over plain sockets: what is waited for, what is thrown away, and what becomes of the connection. */
class RequestBodyTest {
    private static final int BODY_BYTES_MAX = 100_000;
    private static final String JSON = "Content-Type: application/json\r\n";

    private final Vertx vertx = Vertx.vertx();
    private final MeterRegistry metrics = new SimpleMeterRegistry();
    /** Longer than what the budget does not count. */
    private static final String CHARGED = " ".repeat(1100);

    private final Settings.Http settings = SettingsLoader.defaultsWith("http.bodies-in-flight-bytes=16777216")
            .http()
            .at(0, "");
    private final BodyBudget budget = new BodyBudget(settings, metrics);
    private final List<Socket> sockets = new ArrayList<>();
    private final Complaints complaints = new Complaints();

    /** The check that runs before a body is read. */
    private volatile Supplier<Future<Void>> authentication = Future::succeededFuture;

    private int port;

    /** Everything that is logged above DEBUG, by whomever. */
    private static final class Complaints extends AppenderBase<ILoggingEvent> {
        final Queue<String> lines = new ConcurrentLinkedQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
                lines.add(event.getLoggerName() + " " + event.getFormattedMessage());
            }
        }
    }

    @BeforeEach
    void start() {
        complaints.start();
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).addAppender(complaints);
        port = await(serve()).actualPort();
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        await(vertx.close());
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).detachAppender(complaints);
    }

    private Future<HttpServer> serve() {
        Router router = Router.router(vertx);
        ConnectionLimiter connectionLimiter =
                new ConnectionLimiter(settings, new ConnectionMetrics(new SimpleMeterRegistry()));
        new CommonHandlers(new Random(), connectionLimiter, InstantSource.system()).mount(router);
        BodyReader bodies = new BodyReader(budget, new ClientAddress(""));
        router.post("/read").handler(ctx -> Future.<Void>future(held -> {
                    bodies.hold(ctx, BODY_BYTES_MAX);
                    held.complete();
                })
                .compose(held -> authentication.get())
                .compose(passed -> bodies.read(ctx, BODY_BYTES_MAX, null))
                .onComplete(given -> say(ctx, given.text("a", "none")), cause -> Problems.answer(ctx, cause)));
        router.post("/skip").handler(ctx -> bodies.skip(ctx)
                .onComplete(given -> say(ctx, "skipped"), cause -> Problems.answer(ctx, cause)));
        router.get("/constant").handler(ctx -> say(ctx, "constant"));
        return vertx.createHttpServer(CommonHandlers.options(settings))
                .requestHandler(router)
                .invalidRequestHandler(CommonHandlers::refuse)
                .listen();
    }

    /** Lets requests wait until {@link Waiting#pass}. */
    private Waiting waiting() {
        Waiting waiting = new Waiting();
        authentication = waiting::join;
        return waiting;
    }

    private final class Waiting {
        private final Map<Promise<Void>, Context> pending = new ConcurrentHashMap<>();

        private Future<Void> join() {
            Promise<Void> mine = Promise.promise();
            pending.put(mine, vertx.getOrCreateContext());
            return mine.future();
        }

        /** As an answer of Redis does, on the event loop of each. */
        private void pass(int requests) {
            awaitUntil("all ask", () -> pending.size() == requests);
            pending.forEach((mine, loop) -> loop.runOnContext(turn -> mine.complete()));
        }
    }

    private static void say(RoutingContext ctx, String text) {
        ctx.end(text + "\n").onFailure(gone -> {});
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, '{\"a\":\"yes\"}', yes",
        "application/ld+json; charset=utf-8, '{\"a\":\"yes\"}', yes",
        "'', '{\"a\":\"yes\"}', yes",
        "application/x-www-form-urlencoded, a=yes, yes",
        "application/x-www-form-urlencoded, '', none",
        "'multipart/form-data; boundary=b', '--b~Content-Disposition: form-data; name=\"a\"~~yes~--b--~', yes"
    })
    void bodiesOfEveryTypeAreReadHoweverTheyComeAndTheConnectionIsKept(String type, String written, String echoed)
            throws IOException {
        String body = written.replace("~", "\r\n");
        String head = type.isEmpty() ? "" : "Content-Type: " + type + "\r\n";
        Socket socket = connect();
        assertThat(say(socket, post("/read", head + length(body)) + body)).endsWith(echoed + "\n");
        for (char c : (post("/read", head + length(body)) + body).toCharArray()) {
            send(socket, String.valueOf(c));
        }
        assertThat(answer(socket)).startsWith("HTTP/1.1 200").endsWith(echoed + "\n");
        assertThat(isOpen(socket)).isTrue();

        String chunks =
                body.isEmpty() ? "0\r\n\r\n" : Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
        send(socket, post("/read", head + "Transfer-Encoding: chunked\r\n") + chunks);
        assertThat(answer(socket)).contains("connection: close").endsWith(echoed + "\n");
        assertThat(socket.getInputStream().read()).as("closed after chunks").isEqualTo(-1);
        assertThat(budget.bytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "/nothing, 404, 60000, true",
        "/nothing, 404, 70000, false",
        "/skip, 200, 60000, true",
        "/read, 413, 2000000, false"
    })
    void aClientThatSendsAllOfAnUnreadBodyGetsTheAnswerAllTheSame(String path, int status, int bytes, boolean kept)
            throws IOException {
        Socket socket = connect();
        send(socket, post(path, JSON + "Content-Length: " + bytes + "\r\n") + "x".repeat(bytes));

        assertThat(answer(socket)).startsWith("HTTP/1.1 " + status);
        if (kept) {
            assertThat(say(socket, get("/constant"))).endsWith("constant\n");
        } else {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aClientThatLeavesAfterItsAnswerHasAbandonedNothing() throws IOException {
        Socket socket = connect();
        send(socket, post("/nothing", JSON + "Content-Length: 5000\r\n") + "{");
        assertThat(answer(socket)).startsWith("HTTP/1.1 404");
        socket.close();
        Socket other = connect();
        send(other, post("/read", JSON + "Content-Length: 5000\r\n") + "{" + CHARGED);
        awaitUntil("read", () -> budget.bytes() > 0);
        other.close();
        awaitUntil("gone", () -> abandoned() == 1);
    }

    @Test
    void constantAnswersWaitForNoBody() throws IOException {
        Socket socket = connect();
        send(socket, "GET /constant HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
        assertThat(answer(socket)).endsWith("constant\n");
        send(socket, "0123456789" + get("/constant"));
        assertThat(answer(socket)).endsWith("constant\n");
    }

    @Test
    void aRequestBehindABodyThatIsTooLongIsNotRun() throws IOException {
        Socket socket = connect();
        send(socket, post("/read", JSON + "Content-Length: 200000\r\n") + "x".repeat(200_000) + get("/constant"));

        String all = rest(socket);
        assertThat(all).startsWith("HTTP/1.1 413").contains("connection: close").doesNotContain("constant");
    }

    @Test
    void aBodyThatComesInChunksIsRefusedAtItsLimit() throws IOException {
        Socket socket = connect();
        send(socket, post("/read", JSON + "Transfer-Encoding: chunked\r\n"));
        String chunk = "2000\r\n" + "x".repeat(0x2000) + "\r\n";
        for (int i = 0; i <= BODY_BYTES_MAX / 0x2000; i++) {
            send(socket, chunk);
        }
        assertThat(answer(socket)).startsWith("HTTP/1.1 413").contains("100000 bytes");
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void aBodyInTooManySmallChunksIsRefused() throws IOException {
        Socket socket = connect();
        send(socket, post("/read", JSON + "Transfer-Encoding: chunked\r\n") + "1\r\n \r\n".repeat(3000));

        assertThat(answer(socket)).startsWith("HTTP/1.1 400").contains("too many small chunks");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ffffffffffffffff\r\n",
                "-1\r\n",
                "zz\r\n",
                "\r\n",
                "3\r\nabcdef\r\n",
                "2\r\n{}\r\n0\r\nbroken trailer\r\n\r\n"
            })
    void aChunkSizeThatIsNoneIsAnswered(String chunk) throws IOException {
        for (boolean waiting : new boolean[] {false, true}) {
            Waiting pending = waiting();
            Socket socket = connect();
            send(socket, post("/read", JSON + "Transfer-Encoding: chunked\r\n") + (waiting ? chunk : ""));
            pending.pass(1);
            send(socket, waiting ? "" : chunk);

            assertThat(rest(socket))
                    .startsWith("HTTP/1.1 400")
                    .contains("connection: close", "{\"error\":\"The body is malformed");
        }
        assertThat(complaints.lines).isEmpty();
    }

    @Test
    void aBadChunkBehindGoodOnesIsAnswered() throws IOException {
        Socket socket = connect();
        send(socket, post("/read", JSON + "Transfer-Encoding: chunked\r\n") + "44e\r\n{\"" + CHARGED + "\r\n");
        awaitUntil("read", () -> budget.bytes() > 0);
        send(socket, "ffffffffffffffff\r\n");

        assertThat(rest(socket)).startsWith("HTTP/1.1 400").contains("{\"error\":\"The body is malformed");
        assertThat(budget.bytes()).isZero();
        assertThat(complaints.lines).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientThatLeavesDuringItsBodyIsCountedAndNothingIsLogged(boolean reset) throws IOException {
        int clients = 60;
        for (int i = 0; i < clients; i++) {
            Socket socket = connect();
            send(socket, post("/read", JSON + "Content-Length: 5000\r\n") + "{\"a\":" + CHARGED);
            int due = i + 1;
            awaitUntil("read", () -> budget.bytes() > 0);
            socket.setSoLinger(reset, 0);
            socket.close();
            awaitUntil("gone", () -> abandoned() == due);
            awaitUntil("given back", () -> budget.bytes() == 0);
        }
        assertThat(complaints.lines).isEmpty();
        assertThat(say(connect(), get("/constant"))).endsWith("constant\n");
    }

    private double abandoned() {
        return metrics.get("fanfare.http.bodies.abandoned").counter().count();
    }

    @Test
    void aClientGetsContinueWhenItMaySendAndNotBefore() throws IOException {
        Waiting pending = waiting();
        Socket socket = connect();
        send(socket, post("/read", JSON + "Content-Length: 11\r\nExpect: 100-continue\r\n"));
        assertThat(isOpen(socket)).as("nothing is said").isTrue();
        pending.pass(1);
        assertThat(head(socket)).startsWith("HTTP/1.1 100 Continue");
        send(socket, "{\"a\":\"yes\"}");
        assertThat(answer(socket)).startsWith("HTTP/1.1 200").endsWith("yes\n");
        assertThat(isOpen(socket)).isTrue();
    }

    @Test
    void aClientThatWaitsToContinueIsRefusedWithoutIt() throws IOException {
        Socket tooLong = connect();
        send(tooLong, post("/read", JSON + "Content-Length: 200000\r\nExpect: 100-continue\r\n"));
        assertThat(answer(tooLong)).startsWith("HTTP/1.1 413").contains("connection: close");

        authentication = () -> Future.failedFuture(new Refusal(Refusal.Reason.UNAUTHENTICATED, "No."));
        Socket stranger = connect();
        send(stranger, post("/read", JSON + "Content-Length: 11\r\nExpect: 100-continue\r\n"));
        assertThat(answer(stranger)).startsWith("HTTP/1.1 401").contains("connection: close");
    }

    /** The head of a body of a megabyte costs a kilobyte, and what waits for its turn stays in the socket. */
    @Test
    void bodiesThatNobodyMayReadYetTakeNoMemory() throws IOException {
        Waiting pending = waiting();
        long before = PlatformDependent.usedDirectMemory();
        List<Socket> waiting = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Socket socket = connect();
            send(socket, post("/read", JSON + "Content-Length: 99000\r\n") + "{\"a\":\"" + "x".repeat(90_000));
            waiting.add(socket);
        }
        assertThat(say(connect(), get("/constant"))).endsWith("constant\n");

        assertThat(budget.bytes()).isZero();
        assertThat(PlatformDependent.usedDirectMemory() - before).isLessThan(16 << 20);
        pending.pass(60);
        awaitUntil("all are read or refused", () -> budget.bytes() > 90_000L * 60);
        for (Socket socket : waiting) {
            send(socket, "x".repeat(99_000 - 90_006 - 2) + "\"}");
            assertThat(answer(socket)).startsWith("HTTP/1.1 200");
        }
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void bodiesBeyondTheBudgetGetA503AndOthersAreServed() throws IOException {
        List<Socket> stalled = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Socket socket = connect();
            send(socket, post("/read", JSON + "Content-Length: 99000\r\n") + "{\"a\":\"" + "x".repeat(90_000));
            stalled.add(socket);
        }
        awaitUntil("one is refused", () -> stalled.stream().anyMatch(RequestBodyTest::isAnswered));
        String refused = answer(
                stalled.stream().filter(RequestBodyTest::isAnswered).findFirst().orElseThrow());

        assertThat(refused)
                .startsWith("HTTP/1.1 503")
                .contains("connection: close", "{\"error\":\"Too many request bodies");
        assertThat(refused.toLowerCase(Locale.ROOT)).contains("retry-after: ");
        // A body that is being refused counts for a moment.
        awaitUntil("bounded", () -> budget.bytes() <= 8 << 20);
        assertThat(say(connect(), get("/constant"))).endsWith("constant\n");
        for (Socket socket : stalled) {
            socket.close();
        }
        awaitUntil("given back", () -> budget.bytes() == 0);
        String body = "{\"a\":\"yes\"}";
        assertThat(say(connect(), post("/read", JSON + length(body)) + body)).endsWith("yes\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'Content-Disposition: form-data; name=\"f\"; filename=\"x\"', 422",
        "'Content-Disposition: form-data; name=\"f\"; filename*=UTF-8''''x', 422",
        "'Content-Disposition: form-data; name=\"f\"; filename=\"\"', 422",
        "'Content-Disposition: form-data', 400",
        "'Content-Disposition: form-data; name=', 400",
        "'Content-Disposition: form-data; name=\"{101}\"', 400",
        "'Content-Disposition: form-data; name=\"a\"; x={2000}', 200",
        "'Content-Disposition: form-data; name=\"a\"~Content-Type: text/plain; charset=none', 400",
        "'Content-Disposition: form-data; name=\"a\"~Content-Transfer-Encoding: none', 200",
        "'Content-Disposition: form-data; name=\"a\"~Content-Length: 99999999999999999999', 200",
        "'Content-Disposition: mixed; name=\"a\"~Content-Type: multipart/mixed', 400",
        "'{9000}', 400"
    })
    void partsThatAreNoneOrHoldFilesAreRefused(String part, int status) throws IOException {
        String head = part.replace("~", "\r\n");
        for (int many : new int[] {101, 2000, 9000}) {
            head = head.replace("{" + many + "}", "n".repeat(many));
        }
        String body = "--b\r\n" + head + "\r\n\r\n" + "v".repeat(20_000) + "\r\n--b--\r\n";
        String answer = say(
                connect(), post("/read", "Content-Type: multipart/form-data; boundary=b\r\n" + length(body)) + body);

        assertThat(answer).startsWith("HTTP/1.1 " + status);
        assertThat(budget.bytes()).isZero();
        assertThat(complaints.lines).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 200", "1, 200", "512, 200", "513, 400", "2000, 400", "20000, 400"})
    void beforeTheFirstPartFewLinesArePassedOver(int lines, int status) throws IOException {
        String body =
                "\r\n".repeat(lines) + "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nyes\r\n--b--\r\n";
        String answer = say(
                connect(), post("/read", "Content-Type: multipart/form-data; boundary=b\r\n" + length(body)) + body);

        assertThat(answer).startsWith("HTTP/1.1 " + status);
    }

    @ParameterizedTest
    @CsvSource({"512, 200", "513, 400", "900, 400"})
    void aMultipartBodyHasSoManyParts(int parts, int status) throws IOException {
        String body = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nyes\r\n".repeat(parts) + "--b--\r\n";
        String answer = say(
                connect(), post("/read", "Content-Type: multipart/form-data; boundary=b\r\n" + length(body)) + body);

        assertThat(answer).startsWith("HTTP/1.1 " + status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "; boundary", "; boundary=", "; boundary=b; charset=none"})
    void aMultipartBodyWithoutItsBoundaryIsRefused(String boundary) throws IOException {
        String answer = say(
                connect(), post("/read", "Content-Type: multipart/form-data" + boundary + "\r\n" + length("x")) + "x");

        assertThat(answer).startsWith("HTTP/1.1 400");
        assertThat(complaints.lines).isEmpty();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    private static String post(String path, String headers) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n";
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    private static String length(String body) {
        return "Content-Length: " + body.length() + "\r\n";
    }

    private static void send(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String say(Socket socket, String request) throws IOException {
        send(socket, request);
        return answer(socket);
    }

    /** One answer, head and body. */
    private static String answer(Socket socket) throws IOException {
        String head = head(socket);
        int at = head.toLowerCase(Locale.ROOT).indexOf("content-length: ") + "content-length: ".length();
        int length = Integer.parseInt(head.substring(at, head.indexOf('\r', at)));
        return head + new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    private static String head(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            head.append((char) c);
            if (c == '\n' && head.toString().endsWith("\r\n\r\n")) {
                return head.toString();
            }
        }
        throw new IOException("ended after " + head);
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static boolean isAnswered(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether nothing comes, not even the end, for a moment. */
    private static boolean isOpen(Socket socket) throws IOException {
        socket.setSoTimeout(100);
        try {
            int unused = socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException quiet) {
            return true;
        } finally {
            socket.setSoTimeout(30_000);
        }
    }
}

package io.fanfare.server.runtime;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over raw sockets, since clients of HTTP set the Host header themselves. */
class ManagementTest {
    private static final String TOKEN = "only-for-this-test";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(3));

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 200",
        "127.0.0.1:9090, 200",
        "localhost:9090, 200",
        "LOCALHOST, 200",
        "[::1]:9090, 200",
        "192.0.2.7, 200",
        "attacker.example, 421",
        "localhost.attacker.example:9090, 421",
        "127.0.0.1.attacker.example, 421",
        "'', 421"
    })
    void aNameThatSomebodyMayHavePointedHereIsNotAnswered(String host, int status) throws IOException {
        int port = serve();
        for (String path : new String[] {"/livez", "/readyz", "/metrics", "/nothing"}) {
            String answer = ask(port, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
            if (status == 421) {
                assertThat(answer).startsWith("HTTP/1.1 421 ").doesNotContain(host.isEmpty() ? "\0" : host);
            } else {
                assertThat(answer).doesNotStartWith("HTTP/1.1 421 ");
            }
        }
    }

    @Test
    void whereATokenIsSetEveryRequestCarriesItWhateverItsHost() throws IOException {
        int port = serve("management.token=" + TOKEN);
        String get = "GET /livez HTTP/1.1\r\nHost: monitor.example\r\nConnection: close\r\n";

        assertThat(ask(port, get + "\r\n"))
                .startsWith("HTTP/1.1 401 ")
                .containsIgnoringCase("WWW-Authenticate: Bearer")
                .contains("management.token")
                .doesNotContain(TOKEN);
        assertThat(ask(port, get + "Authorization: Bearer " + TOKEN.substring(1) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 401 ");
        assertThat(ask(port, get + "Authorization: Bearer " + TOKEN + "\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nx",
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\nx"
            })
    void aRequestWithABodyIsRefusedAndTheConnectionClosed(String request) throws IOException {
        assertThat(ask(serve(), request)).startsWith("HTTP/1.1 405 ");
    }

    @Test
    void headersAreShort() throws IOException {
        String longer = "X: " + "x".repeat(10_000) + "\r\n";
        assertThat(ask(serve(), "GET /livez HTTP/1.1\r\nHost: localhost\r\n" + longer + "\r\n"))
                .startsWith("HTTP/1.1 431 ");
    }

    @Test
    void thereIsABoundOnItsConnections() throws IOException {
        int port = serve();
        Socket[] sockets = new Socket[200];
        try {
            int refused = 0;
            for (int i = 0; i < sockets.length; i++) {
                sockets[i] = connect(port);
            }
            // The last first: once it is refused all have been accepted, and no answer makes room for another.
            for (int i = sockets.length - 1; i >= 0; i--) {
                refused += read(sockets[i], "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                                .startsWith("HTTP/1.1 200 ")
                        ? 0
                        : 1;
            }
            assertThat(refused).isEqualTo(sockets.length - 64);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void aLoopThatDoesNotTurnIsNeitherReadyNorLive() throws Exception {
        int port = serve();
        Context stuck = ((VertxInternal) vertx).createEventLoopContext();
        CountDownLatch free = new CountDownLatch(1);
        stuck.runOnContext(go -> awaitLatch(free));
        try {
            assertThat(ask(port, get("/readyz")))
                    .startsWith("HTTP/1.1 503 ")
                    .contains("\"status\":\"in trouble\"", "1 of 4 event loops have not answered for 1 s.");
            assertThat(ask(port, get("/livez")))
                    .startsWith("HTTP/1.1 503 ")
                    .contains("\"status\":\"stuck\"", "1 of 4 event loops have not answered for 5 s.");
        } finally {
            free.countDown();
        }
        TestRedis.awaitUntil("all turn again", () -> ask(port, get("/readyz")).startsWith("HTTP/1.1 200 "));
        assertThat(ask(port, get("/livez"))).startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @CsvSource({"true, 503, redis takes no writes", "false, 200, ready"})
    void aRoleThatWritesIsNotReadyWhileRedisTakesNoWrites(boolean writes, int status, String says) {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            Management management = management(SettingsLoader.defaultsWith().with(TestSettings.redis(redis.options())));
            management.show(List.of(new Component("part", () -> null, 1, HealthProbe.NONE, writes)));
            assertThat(ask(management.port(), get("/readyz"))).startsWith("HTTP/1.1 200 ");

            // As a master that has lost its replicas.
            redis.askAt("a", "CONFIG", "SET", "min-replicas-to-write", "1");
            assertThat(ask(management.port(), get("/readyz")))
                    .startsWith("HTTP/1.1 " + status + " ")
                    .contains("\"status\":\"" + says + "\"");

            redis.askAt("a", "CONFIG", "SET", "min-replicas-to-write", "0");
            assertThat(ask(management.port(), get("/readyz"))).startsWith("HTTP/1.1 200 ");
        }
    }

    @ParameterizedTest
    @CsvSource({"3600, behind", "-3600, ahead of"})
    void aMasterWhoseClockDiffersIsNamedAndWhoGivesOutIdsIsNotReady(long seconds, String where) {
        TestRedis redis = TestRedis.cluster();
        Clock shifted = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(seconds));
        Management management =
                management(SettingsLoader.defaultsWith().with(TestSettings.redis(redis.options())), shifted);
        management.show(List.of(new Component("part", () -> null, 1, HealthProbe.NONE, /* writes= */ true)));

        String answer = ask(management.port(), get("/readyz"));

        assertThat(answer).startsWith("HTTP/1.1 503 ").contains("\"status\":\"in trouble\"");
        redis.servers().forEach(server -> assertThat(answer)
                .containsPattern("The clock of Redis at [0-9.]+:" + server.port() + " is 3(600|599) s " + where
                        + " this process's\\."));

        management.show(List.of(new Component("part", () -> null, 1, HealthProbe.NONE, /* writes= */ false)));
        assertThat(ask(management.port(), get("/readyz")))
                .startsWith("HTTP/1.1 200 ")
                .contains(where);
    }

    @Test
    void clocksThatDifferByLessThanAMinuteAgree() {
        Clock shifted = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(50));
        Management management = management(
                SettingsLoader.defaultsWith()
                        .with(TestSettings.redis(TestRedis.standalone().options())),
                shifted);
        assertThat(ask(management.port(), get("/readyz")))
                .startsWith("HTTP/1.1 200 ")
                .doesNotContain("clocks");
    }

    @ParameterizedTest
    @CsvSource({"'', 127.0.0.1, 200", "'', attacker.example, 421", "only-for-this-test, monitor.example, 200"})
    void aSiteLooksAfterItselfButIsNotAnsweredForAForeignName(String token, String host, int status) {
        Management management = management(SettingsLoader.defaultsWith("management.token=" + token)
                .with(TestSettings.redis(TestRedis.standalone().options())));
        String post = "POST /site/x HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
        assertThat(ask(management.port(), post)).doesNotStartWith("HTTP/1.1 200 ");
        await(management.serve(new Site()));

        assertThat(ask(management.port(), post)).startsWith("HTTP/1.1 " + status + " ");
        assertThat(ask(management.port(), post.replace("/site/x", "/sitex"))).doesNotStartWith("HTTP/1.1 200 ");
    }

    /** A byte now and then keeps it from being idle. */
    @ParameterizedTest
    @CsvSource({"/site/waits, HTTP/1.1 408 ", "/site/x, HTTP/1.1 200 "})
    void aBodyThatDoesNotComeEndsItsConnection(String path, String answered) throws IOException {
        Management management = management(SettingsLoader.defaultsWith()
                .with(TestSettings.redis(TestRedis.standalone().options())));
        await(management.serve(new Site()));
        try (Socket socket = connect(management.port())) {
            String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(500);
            StringBuilder answer = new StringBuilder();
            // Well below the 30 s of idleness, on a machine that others use too.
            long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            int read = 0;
            while (read >= 0 && System.nanoTime() < until) {
                try {
                    read = socket.getInputStream().read();
                    answer.append(read < 0 ? "" : (char) read);
                } catch (SocketTimeoutException quiet) {
                    socket.getOutputStream().write('x');
                } catch (SocketException reset) {
                    read = -1;
                }
            }
            assertThat(read).as("closed").isNegative();
            assertThat(answer).startsWith(answered);
        }
    }

    /** Answers everything but what waits for its body. */
    private static final class Site implements ManagementSite {
        @Override
        public String path() {
            return "/site";
        }

        @Override
        public Future<?> start(Vertx vertx, List<Component> parts) {
            return Future.succeededFuture();
        }

        @Override
        public void handle(HttpServerRequest request) {
            if (!request.path().endsWith("/waits")) {
                request.response().end("here").onFailure(gone -> {});
            }
        }

        @Override
        public Future<?> stop() {
            return Future.succeededFuture();
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    }

    private int serve(String... assignments) {
        return management(SettingsLoader.defaultsWith(assignments)
                        .with(TestSettings.redis(TestRedis.standalone().options())))
                .port();
    }

    private Management management(Settings settings) {
        return management(settings, Clock.systemUTC());
    }

    private Management management(Settings settings, Clock clock) {
        Management management = new Management(
                settings, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), () -> Health.READY, clock);
        assertThat(await(vertx.deployVerticle(management))).isNotEmpty();
        return management;
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static String ask(int port, String request) {
        try (Socket socket = connect(port)) {
            return read(socket, request);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** All bytes until the connection is closed. */
    private static String read(Socket socket, String request) {
        try {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException closed) {
            return closed.toString();
        }
    }
}

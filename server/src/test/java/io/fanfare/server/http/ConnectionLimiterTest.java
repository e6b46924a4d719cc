package io.fanfare.server.http;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ConnectionLimiterTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicInteger held = new AtomicInteger();

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        await(vertx.close());
    }

    @Test
    void aConnectionTooManyGetsAnErrorAndIsClosed() throws IOException {
        int port = serve(/* countsOwn= */ true, "http.per-address-max=2", "stream.per-address-max=1");
        assertThat(ask(port)).startsWith("HTTP/1.1 200");
        assertThat(ask(port)).startsWith("HTTP/1.1 200");
        Socket third = connect(port);
        String refused = reply(third, GET);
        assertThat(refused)
                .startsWith("HTTP/1.1 429")
                .containsIgnoringCase("retry-after: 30")
                .contains("There are too many connections from your address");
        assertThat(third.getInputStream().read()).as("closed").isEqualTo(-1);

        sockets.get(0).close();
        awaitUntil("there is room again", () -> ask(port).startsWith("HTTP/1.1 200"));
    }

    @Test
    void anAddressWithTwiceAsManyConnectionsIsClosedWithoutAResponse() throws IOException {
        int port = serve(/* countsOwn= */ true, "http.per-address-max=2", "stream.per-address-max=1");
        for (int i = 0; i < 4; i++) {
            connect(port);
        }
        assertThat(connect(port).getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void theMachineItselfAndTrustedProxiesAreNotCounted() throws IOException {
        String[] two = {"http.per-address-max=2", "stream.per-address-max=1", "http.trusted-proxies="};
        int own = serve(/* countsOwn= */ false, two);
        two[2] += "127.0.0.0/8";
        int trusting = serve(/* countsOwn= */ true, two);
        for (int port : new int[] {own, trusting}) {
            for (int i = 0; i < 6; i++) {
                assertThat(ask(port)).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void aConnectionAboveTheLimitOfTheProcessGetsAnErrorFromAnyAddress() throws IOException {
        int port = serve(
                /* countsOwn= */ false, "http.connections-max=4", "stream.connections-max=1", "http.event-loops=2");
        hold(port);
        hold(port);
        Socket third = connect(port);
        assertThat(reply(third, GET))
                .startsWith("HTTP/1.1 503")
                .containsIgnoringCase("retry-after: 30")
                .contains("as many connections as it may have");
        assertThat(third.getInputStream().read()).as("closed").isEqualTo(-1);
        assertThat(count("refused", "limit", "process")).isEqualTo(1);
        assertThat(count("closed", "reason", "waiting"))
                .as("requests are under way on both")
                .isZero();

        sockets.get(0).close();
        awaitUntil("there is room again", () -> ask(port).startsWith("HTTP/1.1 200"));
    }

    @Test
    void connectionsWithoutARequestMakeRoomForAClientThatSendsOne() throws IOException {
        int port = serve(
                /* countsOwn= */ false, "http.connections-max=8", "stream.connections-max=1", "http.event-loops=2");
        hold(port);
        Socket trickling = connect(port);
        trickling.getOutputStream().write("GET / HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 40; i++) {
            connect(port);
        }
        assertThat(ask(port)).startsWith("HTTP/1.1 200");

        assertThat(trickling.getInputStream().read()).as("the oldest is closed").isEqualTo(-1);
        // The clients have connected before the server takes them in.
        awaitUntil("each beyond the limit has closed one", () -> count("closed", "reason", "waiting") == 43 - 4);
        assertThat(count("refused", "limit", "process")).isZero();
        Socket held = sockets.get(0);
        held.setSoTimeout(1);
        assertThatThrownBy(() -> held.getInputStream().read())
                .as("its request is under way")
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void aConnectionBetweenTwoRequestsMakesRoomWhenNoneIsSilent() throws IOException {
        int port = serve(
                /* countsOwn= */ false, "http.connections-max=6", "stream.connections-max=1", "http.event-loops=2");
        hold(port);
        assertThat(ask(port)).startsWith("HTTP/1.1 200");
        Socket longest = sockets.get(1);
        assertThat(ask(port)).startsWith("HTTP/1.1 200");
        assertThat(reply(longest, GET)).startsWith("HTTP/1.1 200");

        assertThat(ask(port)).startsWith("HTTP/1.1 200");

        assertThat(sockets.get(2).getInputStream().read())
                .as("the last request on it was longest ago")
                .isEqualTo(-1);
        assertThat(reply(longest, GET)).startsWith("HTTP/1.1 200");
    }

    @Test
    void anUntrustedProxyIsLoggedOnce() throws IOException {
        String forwarded = GET.replace("\r\n\r\n", "\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n");
        Logger logger = (Logger) LoggerFactory.getLogger(UntrustedProxyWarnings.class);
        ListAppender<ILoggingEvent> reply = new ListAppender<>();
        reply.start();
        logger.addAppender(reply);
        try {
            int trusting = serve(/* countsOwn= */ false, "http.trusted-proxies=127.0.0.1");
            assertThat(reply(connect(trusting), forwarded)).startsWith("HTTP/1.1 200");
            assertThat(reply.list).isEmpty();

            int port = serve(/* countsOwn= */ false);
            assertThat(ask(port)).startsWith("HTTP/1.1 200");
            for (int i = 0; i < 3; i++) {
                assertThat(reply(connect(port), forwarded)).startsWith("HTTP/1.1 200");
            }
        } finally {
            logger.detachAppender(reply);
        }
        assertThat(reply.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage()).contains("http.trusted-proxies", "peer=127.0.0.1");
        });
        assertThat(metrics.counter("fanfare.http.forwarded.ignored").count()).isEqualTo(3);
    }

    private int serve(boolean countsOwn, String... assignments) {
        Settings.Http settings = SettingsLoader.defaultsWith(assignments).http().at(0, "");
        ConnectionLimiter connectionLimiter =
                new ConnectionLimiter(settings, new ConnectionMetrics(metrics), countsOwn);
        Router router = Router.router(vertx);
        new CommonHandlers(new Random(), connectionLimiter, InstantSource.system()).mount(router);
        router.get("/held").handler(ctx -> held.incrementAndGet());
        router.get("/").handler(ctx -> ctx.end("welcome").onFailure(gone -> {}));
        HttpServer server = vertx.createHttpServer(CommonHandlers.options(settings))
                .connectionHandler(connectionLimiter::opened)
                .requestHandler(router);
        return await(server.listen()).actualPort();
    }

    /** Opens a connection whose request is not answered. */
    private void hold(int port) throws IOException {
        int before = held.get();
        connect(port).getOutputStream().write(GET.replace("/ ", "/held ").getBytes(StandardCharsets.US_ASCII));
        awaitUntil("the request is under way", () -> held.get() > before);
    }

    private double count(String what, String tag, String value) {
        return metrics.counter("fanfare.http.connections." + what, tag, value).count();
    }

    private String ask(int port) {
        try {
            return reply(connect(port), GET);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @CanIgnoreReturnValue
    private Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        sockets.add(socket);
        return socket;
    }

    /** Head and body, both of which are short. */
    private static String reply(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder reply = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            reply.append((char) c);
            boolean whole = reply.indexOf("\r\n\r\n") > 0 && (reply.toString().endsWith("welcome") || c == '}');
            if (whole) {
                break;
            }
        }
        return reply.toString();
    }
}

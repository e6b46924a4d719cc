package io.fanfare.server.http;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On two event loops, over sockets that read when the test says so. */
class PacedRequestDecoderTest {
    private static final int SEND_BUFFER_BYTES = 64 << 10;
    private static final int ANSWER_BYTES = 32 << 10;

    /** Netty's mark from which on a channel takes no more; what is written when it is just below goes beyond it. */
    private static final int MARK_BYTES = 64 << 10;

    private static final int HEAD_BYTES_MAX = 1 << 10;

    /** Any free port, the same for all event loops. */
    private static final int ONE_FOR_ALL = -1;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Queue<Channel> channels = new ConcurrentLinkedQueue<>();
    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicInteger run = new AtomicInteger();

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        await(vertx.close());
    }

    @Tag("slow")
    @Test
    void ofAClientThatReadsNoAnswersNoFurtherRequestsAreTaken() throws Exception {
        int port = serve(request -> run.incrementAndGet() > 0 ? body(request.path()) : null);
        int requests = 1_000;
        Socket silent = connect(port);
        Thread sending = send(
                silent,
                IntStream.range(0, requests)
                        .mapToObj(PacedRequestDecoderTest::get)
                        .toList());

        awaitUntil(
                "nothing more is read",
                () -> !channels.isEmpty()
                        && !channels.peek().config().isAutoRead()
                        && !channels.peek().isWritable());
        assertThat(unsent(channels.peek())).isLessThan(MARK_BYTES + ANSWER_BYTES + HEAD_BYTES_MAX);
        assertThat(run.get()).as("requests run").isLessThan(requests / 2);
        Socket other = connect(port);
        send(other, List.of(get(7))).join();
        assertThat(answer(other)).isEqualTo("/7");

        for (int i = 0; i < requests; i++) {
            assertThat(answer(silent)).isEqualTo("/" + i);
        }
        sending.join();
        assertThat(channels.peek().config().isAutoRead()).isTrue();
    }

    @Test
    void requestsThatComeTogetherAreRunOneAfterTheOther() throws Exception {
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        int port = serveLater(request -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            return request.body()
                    .compose(body -> vertx.timer(1).map(body))
                    .onComplete(body -> atOnce.decrementAndGet())
                    .map(body -> body(request.path() + body));
        });
        Socket socket = connect(port);
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            requests.add(get(i));
            requests.add("POST /" + i + " HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
            requests.add("POST /" + i
                    + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n");
        }
        send(socket, requests).join();

        for (int i = 0; i < 100; i++) {
            assertThat(answer(socket)).isEqualTo("/" + i);
            assertThat(answer(socket)).isEqualTo("/" + i + "hello");
            assertThat(answer(socket)).isEqualTo("/" + i + "hello");
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void whenAllTogetherHoldTooMuchThoseThatHoldMostAreClosed() throws Exception {
        // Of the smaller answer the kernel takes the better part.
        int port = serve(
                request -> Buffer.buffer(new byte[request.path().equals("/0") ? 200 << 10 : 600 << 10]),
                "http.unsent-max-bytes=8388608",
                "http.event-loops=2");
        Socket modest = connect(port);
        send(modest, List.of(get(0))).join();
        // Two event loops accept: what is connected next may be accepted before.
        awaitUntil("it is accepted", () -> !channels.isEmpty());
        for (int i = 0; i < 40; i++) {
            send(connect(port), List.of(get(1), get(2), get(3), get(4), get(5), get(6), get(7), get(8), get(9)));
        }

        awaitUntil(
                "connections are closed",
                () -> metrics.counter("fanfare.http.connections.closed", "reason", "unsent")
                                .count()
                        > 0);
        awaitUntil(
                "the rest may stay",
                () -> channels.stream()
                                .mapToLong(PacedRequestDecoderTest::unsent)
                                .sum()
                        <= 8 << 20);
        assertThat(channels.peek().isOpen()).as("who holds less").isTrue();
    }

    @Test
    void aWebSocketIsReadWhateverCameRightBehindItsUpgrade() throws Exception {
        Socket socket = connect(serve(request -> null));
        String upgrade = """
                GET / HTTP/1.1
                Host: x
                Upgrade: websocket
                Connection: Upgrade
                Sec-WebSocket-Version: 13
                Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==

                """;
        StringBuilder sent = new StringBuilder(upgrade.replace("\n", "\r\n"));
        int messages = 200;
        for (int i = 0; i < messages; i++) {
            // One frame of 100 characters, masked with zeroes.
            sent.append((char) 0x81)
                    .append((char) (0x80 | 100))
                    .append("\0\0\0\0")
                    .append(String.format("%0100d", i));
        }
        socket.getOutputStream().write(sent.toString().getBytes(StandardCharsets.ISO_8859_1));

        assertThat(head(socket)).startsWith("HTTP/1.1 101");
        // Vert.x drops those that come before it has taken over: clients have to wait for the answer.
        String last = String.format("%0100d", messages - 1);
        String frame = "";
        while (!frame.endsWith(last)) {
            frame = new String(socket.getInputStream().readNBytes(102), StandardCharsets.ISO_8859_1);
            assertThat(frame).hasSize(102);
        }
    }

    private static String get(int number) {
        return "GET /" + number + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    private static Buffer body(String text) {
        return Buffer.buffer(text).appendBytes(new byte[ANSWER_BYTES - text.length()]);
    }

    private static long unsent(Channel channel) {
        var queue = channel.unsafe().outboundBuffer();
        return queue == null ? 0 : queue.totalPendingWriteBytes();
    }

    private int serve(Function<HttpServerRequest, Buffer> service, String... assignments) {
        return serveLater(request -> Future.succeededFuture(service.apply(request)), assignments);
    }

    private int serveLater(Function<HttpServerRequest, Future<Buffer>> service, String... assignments) {
        Settings.Http settings = SettingsLoader.defaultsWith(assignments).http().at(0, "");
        AtomicInteger port = new AtomicInteger();
        String id = await(vertx.deployVerticle(
                () -> new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        ConnectionLimiter connectionLimiter =
                                new ConnectionLimiter(settings, new ConnectionMetrics(metrics));
                        // The kernel would take more than a whole answer once it has seen packets out of order.
                        HttpServerOptions options = options(settings);
                        options.setSendBufferSize(SEND_BUFFER_BYTES);
                        return vertx.createHttpServer(options)
                                .connectionHandler(connection -> opened(connectionLimiter, connection))
                                .webSocketHandler(socket -> socket.textMessageHandler(
                                        text -> socket.writeTextMessage(text).onFailure(gone -> {})))
                                .requestHandler(request -> service.apply(request)
                                        .compose(body -> request.response().end(body))
                                        .onFailure(gone -> {}))
                                .listen(ONE_FOR_ALL)
                                .onSuccess(listening -> port.set(listening.actualPort()));
                    }
                },
                new DeploymentOptions().setInstances(2)));
        assertThat(id).isNotEmpty();
        return port.get();
    }

    private void opened(ConnectionLimiter connectionLimiter, HttpConnection connection) {
        connectionLimiter.opened(connection);
        channels.add(((HttpServerConnection) connection).channelHandlerContext().channel());
    }

    private Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(30_000);
        Socket speaking = speaking(socket);
        // Kept: one of TLS that nobody holds is closed by the collector.
        sockets.add(speaking);
        return speaking;
    }

    /** How the server listens. */
    HttpServerOptions options(Settings.Http settings) {
        return CommonHandlers.options(settings);
    }

    /** How a client speaks that is connected. */
    Socket speaking(Socket connected) throws IOException {
        return connected;
    }

    /** On a thread of its own: sending waits for a server that does not read. */
    @CanIgnoreReturnValue
    private static Thread send(Socket socket, List<String> requests) {
        Thread sending = new Thread(() -> {
            try {
                socket.getOutputStream().write(String.join("", requests).getBytes(StandardCharsets.US_ASCII));
            } catch (IOException closed) {
                // The server, or the end of the test.
            }
        });
        sending.setDaemon(true);
        sending.start();
        return sending;
    }

    /** The text of the next answer, without what fills it up. */
    private static String answer(Socket socket) throws IOException {
        assertThat(head(socket)).startsWith("HTTP/1.1 200");
        return new String(socket.getInputStream().readNBytes(ANSWER_BYTES), StandardCharsets.US_ASCII)
                .replace("\0", "");
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = socket.getInputStream().read();
            if (c < 0) {
                throw new IOException("closed after " + head);
            }
            head.append((char) c);
        }
        return head.toString();
    }
}

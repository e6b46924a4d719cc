package io.fanfare.server.runtime;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestCertificate;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.CommonHandlers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that do not end their TLS handshake, on a server of two event loops. */
class LimitedHandshakesTest {
    private static final int WAIT_MILLIS = 30_000;

    /** Longer than a test takes. */
    private static final int NO_DEADLINE = 600_000;

    @TempDir
    static Path dir;

    private static TestCertificate certificate;
    private static SSLContext client;

    private final Vertx vertx = Vertx.vertx();
    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger silent = new AtomicInteger();
    private PendingHandshakes pending;
    private int port;

    @BeforeAll
    static void make() throws IOException, GeneralSecurityException {
        certificate = TestCertificate.in(dir);
        KeyStore trusted = KeyStore.getInstance("JKS");
        try (InputStream in = Files.newInputStream(certificate.trust())) {
            trusted.load(in, null);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        client = SSLContext.getInstance("TLS");
        client.init(null, trust.getTrustManagers(), null);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        await(vertx.close());
    }

    @Test
    void theOldestSilentConnectionMakesRoomForAClientThatSpeaks() throws IOException {
        serve(new PendingHandshakes(6, 3), NO_DEADLINE, "");
        List<Socket> first = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            first.add(connect("127.0.0." + (2 + i / 3)));
            int begun = i + 1;
            awaitUntil("it is pending", () -> pending.size() == begun);
        }
        assertThat(silent).hasValue(0);

        assertThat(ask("127.0.0.9")).isEqualTo("here");

        assertThat(first.get(0).getInputStream().read()).as("the oldest").isEqualTo(-1);
        assertThat(silent).hasValue(1);
        assertThat(refused).hasValue(0);
        awaitUntil("a handshake that has ended takes no place", () -> pending.size() == 5);
        for (int i = 0; i < 20; i++) {
            connect("127.0.1." + i);
        }
        awaitUntil("the limit holds", () -> silent.get() == 1 + 19 && pending.size() == 6);
        assertThat(ask("127.0.0.9")).as("however many come").isEqualTo("here");
    }

    @Test
    void theSixtyFifthOfOneAddressIsClosedOnWhicheverLoopAndOthersAreServed() throws IOException {
        serve(new PendingHandshakes(LimitedHandshakes.MAX, LimitedHandshakes.ADDRESS_MAX), NO_DEADLINE, "");
        for (int i = 0; i < 64; i++) {
            connect("127.0.0.2");
        }
        awaitUntil("all are pending", () -> pending.size() == 64);

        assertThat(connect("127.0.0.2").getInputStream().read())
                .as("closed without a word")
                .isEqualTo(-1);
        assertThat(connect("127.0.0.2").getInputStream().read())
                .as("on the other loop, too")
                .isEqualTo(-1);
        assertThat(ask("127.0.0.3")).isEqualTo("here");
        assertThat(refused).hasValue(2);
        assertThat(silent).hasValue(0);

        sockets.get(0).close();
        awaitUntil("its place is free again", () -> {
            try {
                return ask("127.0.0.2").equals("here");
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    @Test
    void aTrustedProxyCountsForNoAddress() throws IOException {
        serve(new PendingHandshakes(10, 1), NO_DEADLINE, "127.0.0.2");
        for (int i = 0; i < 5; i++) {
            connect("127.0.0.2");
        }
        awaitUntil("all are pending", () -> pending.size() == 5);
        assertThat(refused).hasValue(0);
    }

    @Test
    void aConnectionThatSendsNothingIsClosedAfterTheDeadline() throws IOException {
        serve(new PendingHandshakes(10, 10), 200, "");
        assertThat(connect("127.0.0.2").getInputStream().read()).isEqualTo(-1);
        assertThat(silent).hasValue(1);
        awaitUntil("it takes no place", () -> pending.size() == 0);
    }

    /** The handshake as a whole may take ten seconds here, which its bytes would not reach. */
    @Test
    void aClientHelloThatTricklesIsClosedAfterTheDeadlineOfTheFirstRecord() throws IOException {
        serve(new PendingHandshakes(10, 10), 200, "");
        byte[] hello = clientHello("TLSv1.3");
        Socket slow = connect("127.0.0.2");
        slow.setSoTimeout(20);
        int sent = 0;
        boolean closed = false;
        while (!closed && sent < hello.length - 1) {
            try {
                slow.getOutputStream().write(hello[sent++]);
                closed = slow.getInputStream().read() < 0;
            } catch (SocketTimeoutException waiting) {
                // The next byte follows.
            } catch (IOException reset) {
                closed = true;
            }
        }
        assertThat(closed).isTrue();
        assertThat(silent).hasValue(1);
    }

    @Test
    void aHandshakeInManyRecordsEndsWithItsOwnDeadline() throws IOException {
        serve(new PendingHandshakes(10, 10), NO_DEADLINE, "", options -> options.setSslHandshakeTimeout(300));
        byte[] record = firstRecord(clientHello("TLSv1.3"));
        Socket slow = connect("127.0.0.2");
        slow.getOutputStream().write(record);
        // An alert may come first.
        assertThat(slow.getInputStream().readAllBytes()).hasSizeLessThan(20);
        awaitUntil("it takes no place", () -> pending.size() == 0);
    }

    /** A whole ClientHello is worth more than a part of one. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void ofTwoHandshakesTheOneWithoutAWholeClientHelloMakesRoom(String protocol) throws IOException {
        serve(new PendingHandshakes(2, 2), NO_DEADLINE, "");
        Socket greeted = connect("127.0.0.2");
        greeted.getOutputStream().write(clientHello(protocol));
        assertThat(greeted.getInputStream().read()).as("a handshake record").isEqualTo(22);
        Socket partly = connect("127.0.0.3");
        partly.getOutputStream().write(firstRecord(clientHello(protocol)));
        awaitUntil("both are pending", () -> pending.size() == 2);

        assertThat(ask("127.0.0.4")).isEqualTo("here");

        assertThat(partly.getInputStream().read()).isEqualTo(-1);
        greeted.setSoTimeout(1);
        assertThatThrownBy(() -> greeted.getInputStream().readAllBytes()).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void handshakesThatStallBehindTheirClientHelloMakeRoomToo() throws IOException {
        serve(new PendingHandshakes(2, 2), NO_DEADLINE, "");
        List<Socket> stalled = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Socket socket = connect("127.0.0.2");
            socket.getOutputStream().write(clientHello("TLSv1.3"));
            assertThat(socket.getInputStream().read()).isEqualTo(22);
            stalled.add(socket);
        }
        assertThat(ask("127.0.0.3")).isEqualTo("here");
        assertThat(stalled.get(0).getInputStream().readAllBytes())
                .as("the rest of the answer, and the end")
                .isNotEmpty();
        assertThat(silent).hasValue(1);
    }

    private void serve(PendingHandshakes handshakes, int recordMillis, String proxies) {
        serve(handshakes, recordMillis, proxies, options -> options);
    }

    private void serve(PendingHandshakes handshakes, int recordMillis, String proxies, Change change) {
        pending = handshakes;
        var settings = SettingsLoader.defaultsWith(
                        "http.port=0",
                        "http.tls.certificate=" + certificate.certificate(),
                        "http.tls.key=" + certificate.key())
                .http();
        HttpServerOptions options = ServerTls.load(settings, InstantSource.system())
                .secured(CommonHandlers.options(settings))
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                .setSslHandshakeTimeout(NO_DEADLINE);
        options.setSslEngineOptions(new LimitedHandshakes(
                new ClientAddress(proxies),
                new LimitedHandshakes.Closings(refused::incrementAndGet, silent::incrementAndGet),
                handshakes,
                recordMillis,
                /* countsOwn= */ true));
        // Servers of a negative port share one that is free.
        HttpServerOptions changed = change.of(options).setPort(-1);
        for (int loop = 0; loop < 2; loop++) {
            Loop one = new Loop(changed);
            await(vertx.deployVerticle(one));
            port = one.port;
        }
    }

    /** A change of the options of a server. */
    private interface Change {
        HttpServerOptions of(HttpServerOptions options);
    }

    /** One event loop; those of one port take connections in turn. */
    private static final class Loop extends VerticleBase {
        private final HttpServerOptions options;
        private int port;

        Loop(HttpServerOptions options) {
            this.options = options;
        }

        @Override
        public Future<?> start() {
            return vertx.createHttpServer(options)
                    .requestHandler(request -> request.response().end("here").onFailure(gone -> {}))
                    .listen()
                    .onSuccess(server -> port = server.actualPort());
        }
    }

    @CanIgnoreReturnValue
    private Socket connect(String from) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setSoTimeout(WAIT_MILLIS);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    /** The answer to a request of a client that behaves. */
    private String ask(String from) throws IOException {
        Socket plain = connect(from);
        try (SSLSocket socket =
                (SSLSocket) client.getSocketFactory().createSocket(plain, "localhost", port, /* autoClose= */ true)) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }

    /** As a client sends it, in one record. */
    private static byte[] clientHello(String protocol) throws IOException {
        SSLEngine engine = client.createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(new String[] {protocol});
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        return Arrays.copyOf(hello.array(), hello.position());
    }

    /** A record with the first half of a ClientHello. */
    private static byte[] firstRecord(byte[] hello) {
        byte[] half = Arrays.copyOf(hello, 5 + (hello.length - 5) / 2);
        half[3] = (byte) ((half.length - 5) >> 8);
        half[4] = (byte) (half.length - 5);
        return half;
    }
}

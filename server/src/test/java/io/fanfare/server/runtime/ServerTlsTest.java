package io.fanfare.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestCertificate;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.http.CommonHandlers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which certificates and keys are served, and what becomes of those that cannot be. */
class ServerTlsTest {
    private static final int WAIT_MILLIS = 30_000;

    @TempDir
    static Path made;

    private static TestCertificate first;
    private static TestCertificate second;

    @TempDir
    Path dir;

    private Path certificate;
    private Path key;
    private Instant now = Instant.now();
    private final InstantSource clock = () -> now;

    @BeforeAll
    static void makeTwo() throws IOException {
        first = TestCertificate.in(Files.createDirectory(made.resolve("first")));
        second = TestCertificate.in(Files.createDirectory(made.resolve("second")));
    }

    @AfterAll
    static void forget() {
        first = null;
        second = null;
    }

    @BeforeEach
    void showTheFirst() throws IOException {
        certificate = dir.resolve("certificate.pem");
        key = dir.resolve("key.pem");
        show(first.certificate(), first.key());
    }

    @Test
    void aNewPairIsShownFromTheNextHandshakeOnAndOpenConnectionsStay() throws Exception {
        ServerTls tls = load();
        try (Server server = new Server(tls.secured(options()));
                SSLSocket open = connect(server.port())) {
            assertThat(shown(open)).isEqualTo(read(first));
            assertThat(ask(open)).isEqualTo("here");

            show(second.certificate(), second.key());
            tls.look();

            assertThat(ask(open)).as("on the connection of before").isEqualTo("here");
            try (SSLSocket later = connect(server.port())) {
                assertThat(shown(later)).isEqualTo(read(second));
                assertThat(ask(later)).isEqualTo("here");
            }
        }
    }

    @Test
    void aPairThatDoesNotFitIsNotTakenUpUntilItDoes() throws Exception {
        ServerTls tls = load();
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        assertThat(tls.watched(List.of(), metrics)).hasSize(1);
        // As a program leaves it between its two steps.
        show(second.certificate(), first.key());
        tls.look();
        assertThat(refusedPairs(metrics)).as("the other file may be on its way").isZero();
        tls.look();
        tls.look();
        assertThat(refusedPairs(metrics)).as("told once").isOne();
        assertThat(tls.certificate()).isEqualTo(read(first));

        show(second.certificate(), second.key());
        tls.look();
        assertThat(tls.certificate()).isEqualTo(read(second));

        Files.delete(certificate);
        tls.look();
        tls.look();
        tls.look();
        assertThat(refusedPairs(metrics)).isEqualTo(2);
        assertThat(tls.certificate()).isEqualTo(read(second));

        show(first.certificate(), first.key());
        tls.look();
        assertThat(tls.certificate()).isEqualTo(read(first));
        assertThat(metrics.get("fanfare.http.tls.end").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo((double) read(first).getNotAfter().toInstant().getEpochSecond());
    }

    @Test
    void aPairThatBeginsLaterIsTakenUpWhenItsTimeHasCome() throws Exception {
        ServerTls tls = load();
        now = read(second).getNotBefore().toInstant().minusSeconds(60);
        show(second.certificate(), second.key());
        for (int look = 0; look < 3; look++) {
            tls.look();
            assertThat(tls.certificate()).isEqualTo(read(first));
        }
        now = Instant.now();
        tls.look();
        assertThat(tls.certificate()).isEqualTo(read(second));
    }

    @Test
    void aCertificateThatCannotBeServedEndsTheStartWithASentence() throws Exception {
        show(first.certificate(), second.key());
        refuses("is not that of the first certificate in");
        show(first.key(), first.key());
        refuses("there is no certificate in");
        show(first.certificate(), first.certificate());
        refuses("there is no private key in");
        Files.writeString(key, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
        refuses("is encrypted: decrypt it with openssl pkey");
        Files.writeString(
                key,
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n");
        refuses("is encrypted: decrypt it with openssl pkey");
        Files.writeString(key, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        refuses("the private key in " + key + " is damaged");
        Files.writeString(key, "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n");
        refuses("the private key in " + key + " is damaged");
        show(first.certificate(), first.key());
        Files.writeString(certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        refuses("is damaged");
        Files.writeString(certificate, Files.readString(first.certificate()) + Files.readString(second.certificate()));
        refuses("certificate 2 in " + certificate + " is not the issuer of the one before it");
        Files.writeString(certificate, "x".repeat(TlsIdentity.FILE_BYTES_MAX + 1));
        refuses("is larger than");
        Files.writeString(certificate, Files.readString(first.certificate()).repeat(TlsIdentity.CHAIN_MAX + 1));
        refuses("there are 11 certificates");
        Files.delete(certificate);
        refuses("does not exist: name the right one");
    }

    @Test
    void aCertificateThatHasEndedOrNotBegunEndsTheStart() throws Exception {
        now = read(first).getNotAfter().toInstant().plusSeconds(1);
        refuses("ended at");
        now = read(first).getNotBefore().toInstant().minusSeconds(1);
        refuses("begins at");
    }

    @Test
    void anOldCertificateThatEndsWhileItIsShownStays() throws Exception {
        ServerTls tls = load();
        now = read(first).getNotAfter().toInstant().minus(ServerTls.ENDS_SOON).plusSeconds(1);
        tls.look();
        now = read(first).getNotAfter().toInstant().plusSeconds(1);
        tls.look();
        assertThat(tls.certificate()).isEqualTo(read(first));
    }

    @Test
    void theKeyMayBeInTheFileOfTheCertificate() throws Exception {
        Files.writeString(certificate, Files.readString(first.key()) + Files.readString(first.certificate()));
        ServerTls both = ServerTls.load(settings(certificate, certificate), clock);
        assertThat(both.certificate()).isEqualTo(read(first));
    }

    @Test
    void theFirstNameForOtherMachinesIsTheHost() throws Exception {
        assertThat(host("dns:localhost,ip:127.0.0.1,dns:*.example.org,ip:192.0.2.7,dns:social.example"))
                .contains("192.0.2.7");
        assertThat(host("dns:social.example,ip:192.0.2.7")).contains("social.example");
        assertThat(host("ip:::1,ip:2001:db8::7")).contains("[2001:db8:0:0:0:0:0:7]");
        assertThat(host("dns:localhost,ip:127.0.0.1")).isEmpty();
    }

    private Optional<String> host(String names) throws IOException {
        TestCertificate named = TestCertificate.in(Files.createTempDirectory(dir, "named"), names);
        return TlsIdentity.read(named.certificate(), named.key(), Instant.now()).host();
    }

    @Test
    void oneOfTheTwoSettingsAloneIsNone() {
        assertThatThrownBy(() -> SettingsLoader.defaultsWith("http.tls.certificate=a.pem"))
                .hasMessageContaining("http.tls.certificate and http.tls.key go together");
    }

    @Test
    void olderProtocolsAreRefusedAndHttp11IsAgreedOn() throws Exception {
        try (Server server = new Server(load().secured(options()))) {
            try (SSLSocket old = socket(server.port())) {
                old.setEnabledProtocols(new String[] {"TLSv1.1"});
                assertThatThrownBy(old::startHandshake).isInstanceOf(SSLHandshakeException.class);
            }
            for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
                try (SSLSocket socket = socket(server.port())) {
                    socket.setEnabledProtocols(new String[] {protocol});
                    SSLParameters parameters = socket.getSSLParameters();
                    parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
                    socket.setSSLParameters(parameters);
                    assertThat(ask(socket)).isEqualTo("here");
                    assertThat(socket.getApplicationProtocol()).isEqualTo("http/1.1");
                    assertThat(socket.getSession().getCipherSuite()).contains("GCM");
                }
            }
        }
    }

    /** A new handshake costs what the first one did; with TLS 1.2 a client could ask for one after the other. */
    @Test
    void aClientCannotRenegotiate() throws Exception {
        try (Server server = new Server(load().secured(options()));
                SSLSocket socket = socket(server.port())) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            assertThat(ask(socket)).isEqualTo("here");
            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        assertThat(ask(socket) + ask(socket)).isEqualTo("not reached");
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    private void refuses(String sentence) {
        assertThatThrownBy(this::load).isInstanceOf(StartFailed.class).hasMessageContaining(sentence);
    }

    private ServerTls load() {
        return ServerTls.load(settings(certificate, key), clock);
    }

    private static Settings.Http settings(Path certificate, Path key) {
        return SettingsLoader.defaultsWith("http.tls.certificate=" + certificate, "http.tls.key=" + key)
                .http();
    }

    private static HttpServerOptions options() {
        return CommonHandlers.options(SettingsLoader.defaultsWith("http.port=0").http())
                .setPort(0);
    }

    private void show(Path newCertificate, Path newKey) throws IOException {
        Files.writeString(certificate, Files.readString(newCertificate));
        Files.writeString(key, Files.readString(newKey));
    }

    private static double refusedPairs(SimpleMeterRegistry metrics) {
        return metrics.get("fanfare.http.tls.refused").counter().count();
    }

    private static X509Certificate read(TestCertificate one) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(one.certificate())) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static X509Certificate shown(SSLSocket socket) throws IOException {
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    private static SSLSocket connect(int port) throws IOException, GeneralSecurityException {
        SSLSocket socket = socket(port);
        socket.startHandshake();
        return socket;
    }

    /** A socket of a client that trusts both certificates, and has no session to resume. */
    private static SSLSocket socket(int port) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("first", read(first));
        trusted.setCertificateEntry("second", read(second));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout(WAIT_MILLIS);
        return socket;
    }

    /** A request on a connection that stays open; the body of its answer. */
    private static String ask(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("closed after " + head);
            }
            head.append((char) next);
        }
        return new String(socket.getInputStream().readNBytes("here".length()), StandardCharsets.US_ASCII);
    }

    private static final class Server implements AutoCloseable {
        private final Vertx vertx = Vertx.vertx();
        private final HttpServer http;

        Server(HttpServerOptions options) {
            http = TestRedis.await(vertx.createHttpServer(options)
                    .requestHandler(request -> request.response().end("here").onFailure(gone -> {}))
                    .listen());
        }

        int port() {
            return http.actualPort();
        }

        @Override
        public void close() {
            TestRedis.await(vertx.close());
        }
    }
}

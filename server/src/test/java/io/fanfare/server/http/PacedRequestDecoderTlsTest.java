package io.fanfare.server.http;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestCertificate;
import io.fanfare.server.runtime.ServerTls;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.InstantSource;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The same of a connection that is encrypted: what waits to be encrypted or sent counts, and nothing more is read. */
class PacedRequestDecoderTlsTest extends PacedRequestDecoderTest {
    @TempDir
    static Path dir;

    private static TestCertificate certificate;
    private static SSLContext trusting;

    @BeforeAll
    static void makeCertificate() throws IOException, GeneralSecurityException {
        certificate = TestCertificate.in(dir);
        KeyStore trusted = KeyStore.getInstance("JKS");
        try (InputStream in = Files.newInputStream(certificate.trust())) {
            trusted.load(in, null);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        trusting = SSLContext.getInstance("TLS");
        trusting.init(null, trust.getTrustManagers(), null);
    }

    @Override
    HttpServerOptions options(Settings.Http settings) {
        Settings.Http files = SettingsLoader.defaultsWith(
                        "http.tls.certificate=" + certificate.certificate(), "http.tls.key=" + certificate.key())
                .http();
        return ServerTls.load(files, InstantSource.system()).secured(super.options(settings));
    }

    @Override
    Socket speaking(Socket connected) throws IOException {
        return trusting.getSocketFactory()
                .createSocket(connected, "localhost", connected.getPort(), /* autoClose= */ true);
    }
}

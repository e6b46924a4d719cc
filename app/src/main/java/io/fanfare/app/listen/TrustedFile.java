package io.fanfare.app.listen;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in the certificates of one PEM file, and in no other. The file may also have the key of the server. */
final class TrustedFile {
    private static final Pattern CERTIFICATE =
            Pattern.compile("(?s)-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\\R?");

    private TrustedFile() {}

    static SSLContext context(Path file) {
        try {
            String certificates = CERTIFICATE
                    .matcher(Files.readString(file, StandardCharsets.US_ASCII))
                    .results()
                    .map(MatchResult::group)
                    .collect(Collectors.joining("\n"));
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificates.getBytes(StandardCharsets.US_ASCII)))) {
                trusted.setCertificateEntry(Integer.toString(trusted.size()), certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(file + " has no certificates that can be read", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.fanfare.app.listen;

import io.fanfare.server.runtime.StartFailed;
import io.fanfare.server.runtime.TlsIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in the certificates of one PEM file, and in no other. The file may also have the key of the server. */
final class TrustedFile {
    private TrustedFile() {}

    /** Throws {@link StartFailed} when the file has no certificates that can be read. */
    static SSLContext context(Path file) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate certificate : TlsIdentity.certificates(file)) {
                trusted.setCertificateEntry(Integer.toString(trusted.size()), certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new StartFailed("the certificates in " + file + " cannot be used (" + e.getMessage() + ")");
        }
    }
}

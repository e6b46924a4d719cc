package io.fanfare.redis.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A certificate of its own making for {@code localhost} and 127.0.0.1, in the forms that servers and clients read.
 *
 * @param keys PKCS12, with {@link #PASSWORD}
 * @param certificate PEM
 * @param key PEM
 * @param trust of who trusts it, JKS: {@code javax.net.ssl.trustStore}, which needs no password
 */
public record TestCertificate(Path keys, Path certificate, Path key, Path trust) {
    public static final String PASSWORD = "keystore-password";

    private static final String ALIAS = "redis";

    /** Makes a new one in a folder. */
    public static TestCertificate in(Path dir) {
        return in(dir, "dns:localhost,ip:127.0.0.1");
    }

    /** Makes a new one for these names instead, which keytool reads: {@code dns:localhost,ip:127.0.0.1}. */
    public static TestCertificate in(Path dir, String names) {
        Path keys = dir.resolve("keys.p12");
        try {
            generate(keys, names, dir.resolve("keytool.log"));
            KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
            KeyStore trusted = KeyStore.getInstance("JKS");
            trusted.load(null, null);
            trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
            Path trust = dir.resolve("trust.jks");
            try (OutputStream out = Files.newOutputStream(trust)) {
                trusted.store(out, PASSWORD.toCharArray());
            }
            return new TestCertificate(
                    keys,
                    pem(
                            dir.resolve("certificate.pem"),
                            "CERTIFICATE",
                            store.getCertificate(ALIAS).getEncoded()),
                    pem(
                            dir.resolve("key.pem"),
                            "PRIVATE KEY",
                            store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()),
                    trust);
        } catch (IOException | GeneralSecurityException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void generate(Path keys, String names, Path log) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        // It lives for half a second: the second compiler takes half of it.
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        ALIAS,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=" + names,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!keytool.waitFor(1, TimeUnit.MINUTES) || keytool.exitValue() != 0) {
            throw new AssertionError(Files.readString(log));
        }
    }

    private static Path pem(Path file, String kind, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                file,
                "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n",
                StandardCharsets.US_ASCII);
    }
}

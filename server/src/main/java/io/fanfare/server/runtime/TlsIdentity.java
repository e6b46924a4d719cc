package io.fanfare.server.runtime;

import io.fanfare.failure.Reason;
import io.netty.util.NetUtil;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * The identity of a server: its certificate, those of its issuers, and its private key. Read from PEM files of at most
 * {@link #FILE_BYTES_MAX} bytes, which may be one and the same, and checked: files that cannot work are refused with a
 * {@link StartFailed} that says what to do. Immutable.
 *
 * @param chain the server's own first, each signed by the next; at most {@link #CHAIN_MAX}
 * @param key RSA or EC
 */
public record TlsIdentity(List<X509Certificate> chain, PrivateKey key) {
    static final int FILE_BYTES_MAX = 256 << 10;
    static final int CHAIN_MAX = 10;

    // Kinds of a subject's alternative names (RFC 5280, section 4.2.1.6).
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final byte[] PROBE = "the signer of this has the key".getBytes(StandardCharsets.US_ASCII);

    public TlsIdentity {
        chain = List.copyOf(chain);
    }

    /** The server's own certificate. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /** When it ends. */
    public Instant end() {
        return certificate().getNotAfter().toInstant();
    }

    /**
     * The first name or address in the certificate by which other machines reach the server, in the form of a URL's
     * host; a wildcard names no host, and {@code localhost} leads elsewhere from there.
     */
    public Optional<String> host() {
        try {
            Collection<List<?>> names = certificate().getSubjectAlternativeNames();
            return names == null
                    ? Optional.empty()
                    : names.stream()
                            .map(TlsIdentity::host)
                            .filter(host -> !host.isEmpty())
                            .findFirst();
        } catch (CertificateParsingException e) {
            return Optional.empty();
        }
    }

    /** The host that a name stands for; empty = none that other machines can use. */
    private static String host(List<?> name) {
        int kind = (Integer) name.get(0);
        if (kind == DNS_NAME) {
            String host = (String) name.get(1);
            return host.equals("localhost") || host.contains("*") ? "" : host;
        }
        if (kind == IP_ADDRESS) {
            InetAddress address = NetUtil.createInetAddressFromIpAddressString((String) name.get(1));
            if (address == null || address.isLoopbackAddress() || address.isAnyLocalAddress()) {
                return "";
            }
            return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
        }
        return "";
    }

    /** Reads both files; {@code now} decides what has expired. */
    public static TlsIdentity read(Path certificateFile, Path keyFile, Instant now) {
        return of(certificateFile, bytes(certificateFile, "certificate"), keyFile, bytes(keyFile, "private key"), now);
    }

    static TlsIdentity of(Path certificateFile, byte[] certificatePem, Path keyFile, byte[] keyPem, Instant now) {
        List<X509Certificate> chain = chain(certificateFile, certificatePem);
        PrivateKey key = key(keyFile, keyPem);
        TlsIdentity identity = new TlsIdentity(chain, key);
        identity.check(certificateFile, keyFile, now);
        return identity;
    }

    /** The bytes of a file; {@code what} it should be, for the sentence when there is none. */
    static byte[] bytes(Path file, String what) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
            if (bytes.length > FILE_BYTES_MAX) {
                throw new StartFailed(file + " is larger than " + FILE_BYTES_MAX + " bytes, so it is no PEM file of a "
                        + what + ": name the right one");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new StartFailed("the file of the TLS " + what + ", " + file
                    + ", does not exist: name the right one, or clear http.tls.certificate and http.tls.key");
        } catch (IOException e) {
            throw new StartFailed("the file of the TLS " + what + ", " + file + ", cannot be read (" + Reason.of(e)
                    + "): give the user of this process the right to read it");
        }
    }

    /** The certificates in a PEM file, which may also have a key; at least one. */
    public static List<X509Certificate> certificates(Path file) {
        return certificates(file, bytes(file, "certificate"));
    }

    private static List<X509Certificate> certificates(Path file, byte[] pem) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Block block : blocks(file, pem)) {
            if (block.kind().equals("CERTIFICATE") || block.kind().equals("X509 CERTIFICATE")) {
                certificates.add(certificate(file, block));
            }
        }
        if (certificates.isEmpty()) {
            throw new StartFailed("there is no certificate in " + file
                    + ": it must be a PEM file, with -----BEGIN CERTIFICATE----- in it");
        }
        return certificates;
    }

    private static List<X509Certificate> chain(Path file, byte[] pem) {
        List<X509Certificate> chain = certificates(file, pem);
        if (chain.size() > CHAIN_MAX) {
            throw new StartFailed("there are " + chain.size() + " certificates in " + file + ": leave the server's own"
                    + " and those between it and the root, at most " + CHAIN_MAX);
        }
        return chain;
    }

    private static X509Certificate certificate(Path file, Block block) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(block.der()));
        } catch (GeneralSecurityException e) {
            throw new StartFailed("a certificate in " + file + " is damaged (" + e.getMessage() + "): copy it again");
        }
    }

    private static PrivateKey key(Path file, byte[] pem) {
        for (Block block : blocks(file, pem)) {
            Optional<byte[]> pkcs8 = pkcs8(file, block);
            if (pkcs8.isPresent()) {
                return decoded(file, pkcs8.get());
            }
        }
        throw new StartFailed("there is no private key in " + file
                + ": it must be a PEM file, with -----BEGIN PRIVATE KEY----- in it");
    }

    /** The key of a block as PKCS #8; empty when the block is something else. */
    private static Optional<byte[]> pkcs8(Path file, Block block) {
        if (block.isEncrypted()) {
            throw new StartFailed(
                    "the private key in " + file
                            + " is encrypted: decrypt it with openssl pkey -in FILE -out NEW, and let only this user read the new file");
        }
        try {
            return switch (block.kind()) {
                case "PRIVATE KEY" -> Optional.of(block.der());
                case "RSA PRIVATE KEY" ->
                    Optional.of(new PrivateKeyInfo(
                                    new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                                    ASN1Sequence.getInstance(block.der()))
                            .getEncoded());
                case "EC PRIVATE KEY" -> {
                    ECPrivateKey key = ECPrivateKey.getInstance(block.der());
                    ASN1Encodable curve = key.getParametersObject();
                    yield Optional.of(
                            new PrivateKeyInfo(new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve), key)
                                    .getEncoded());
                }
                default -> Optional.empty();
            };
        } catch (IOException | RuntimeException e) {
            throw damagedKey(file);
        }
    }

    private static PrivateKey decoded(Path file, byte[] pkcs8) {
        String algorithm;
        try {
            boolean rsa = PrivateKeyInfo.getInstance(pkcs8)
                    .getPrivateKeyAlgorithm()
                    .getAlgorithm()
                    .equals(PKCSObjectIdentifiers.rsaEncryption);
            boolean ec = PrivateKeyInfo.getInstance(pkcs8)
                    .getPrivateKeyAlgorithm()
                    .getAlgorithm()
                    .equals(X9ObjectIdentifiers.id_ecPublicKey);
            algorithm = rsa ? "RSA" : ec ? "EC" : "";
        } catch (RuntimeException e) {
            throw damagedKey(file);
        }
        if (algorithm.isEmpty()) {
            throw new StartFailed("the private key in " + file
                    + " is neither RSA nor EC, and Java serves no other: ask for a certificate of an EC key (P-256)");
        }
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (GeneralSecurityException e) {
            throw damagedKey(file);
        }
    }

    private static StartFailed damagedKey(Path file) {
        return new StartFailed("the private key in " + file + " is damaged: copy it again");
    }

    private void check(Path certificateFile, Path keyFile, Instant now) {
        if (!keyFits()) {
            throw new StartFailed(
                    "the private key in " + keyFile + " is not that of the first certificate in " + certificateFile
                            + ": name the two files that were issued together, the server's own certificate first");
        }
        for (int i = 1; i < chain.size(); i++) {
            if (!isSignedBy(chain.get(i - 1), chain.get(i))) {
                throw new StartFailed(
                        "certificate " + (i + 1) + " in " + certificateFile
                                + " is not the issuer of the one before it: put the server's own first, and each issuer behind what it signed");
            }
        }
        if (now.isAfter(end())) {
            throw new StartFailed("the certificate in " + certificateFile + " ended at " + end()
                    + ": renew it, and if it has not ended, set the clock of this machine");
        }
        Instant begin = certificate().getNotBefore().toInstant();
        if (now.isBefore(begin)) {
            throw new StartFailed("the certificate in " + certificateFile + " begins at " + begin
                    + ": wait until then, or set the clock of this machine");
        }
    }

    private boolean keyFits() {
        if (!key.getAlgorithm().equals(certificate().getPublicKey().getAlgorithm())) {
            return false;
        }
        try {
            Signature signature =
                    Signature.getInstance(key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA");
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate().getPublicKey());
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static boolean isSignedBy(X509Certificate certificate, X509Certificate issuer) {
        try {
            certificate.verify(issuer.getPublicKey());
            return certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The text between a BEGIN and its END. */
    private record Block(Path file, String kind, String text) {
        boolean isEncrypted() {
            return kind.equals("ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED");
        }

        byte[] der() {
            try {
                return Base64.getMimeDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
            } catch (IllegalArgumentException e) {
                throw new StartFailed("the PEM block " + kind + " in " + file + " is damaged: copy the file again");
            }
        }
    }

    private static List<Block> blocks(Path file, byte[] pem) {
        List<Block> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1));
        while (block.find()) {
            blocks.add(new Block(file, block.group(1), block.group(2)));
        }
        return blocks;
    }
}

package io.fanfare.app;

import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.failure.Reason;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.StartFailed;
import io.fanfare.server.runtime.TlsIdentity;
import io.netty.util.NetUtil;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * {@code DATA/tls}: a certification authority (CA) of this machine's own, and the certificate that it has signed for
 * the names of the machine; readable for their owner only. A CA stays, since people have to tell their devices to trust
 * it; it can vouch for numeric addresses and for names of local networks and of this machine, and for no others, should
 * its key get into wrong hands.
 *
 * <ul>
 *   <li>{@code ca.pem}: the CA with its key.
 *   <li>{@code ca.crt}: the CA alone, for devices.
 *   <li>{@code server.pem}: the certificate of the server, the CA's, and the server's key.
 * </ul>
 *
 * @param ca the file for devices
 * @param fingerprint SHA-256 of the CA, as devices show it
 * @param isNew whether devices have to be told of the CA (again)
 */
record LocalCertificate(Path ca, String fingerprint, boolean isNew) {
    /** Phones refuse a server's certificate of more than 825 days, and some of more than 398. */
    private static final Duration SERVER_LIFE = Duration.ofDays(397);

    private static final Duration CA_LIFE = Duration.ofDays(3650);

    /** What ends within this is made anew. */
    private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

    /** Clocks of devices may be behind. */
    private static final Duration BEGUN_BEFORE = Duration.ofDays(1);

    /** Names that nobody can own in the public DNS: {@code localhost}, and those of networks at home. */
    private static final List<String> LOCAL_DOMAINS = List.of("localhost", "local", "lan", "home.arpa", "internal");

    private static final String SERVER = "server.pem";
    private static final int SERIAL_BITS = 127;
    private static final AlgorithmIdentifier ECDSA = new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);

    /** The settings that {@code up --tls} implies for a data folder. */
    static SettingsLayer settings(Path data) {
        String server = file(data).toString();
        return SettingsLayer.of(
                "--tls", Map.of("http.host", "0.0.0.0", "http.tls.certificate", server, "http.tls.key", server));
    }

    /** What both files of {@code http.tls} are with {@code up --tls}. */
    static Path file(Path data) {
        return ServerTls.localFolder(data).resolve(SERVER);
    }

    /**
     * Makes what is missing, damaged, about to end, or for other names than these. To be called by who owns the data
     * folder.
     */
    static LocalCertificate in(Path data, MachineNames names, Instant now, SecureRandom random) {
        Path folder = ServerTls.localFolder(data);
        try {
            PrivateFiles.createDirectories(folder);
            PrivateFiles.restrict(folder);
            Issuing issuing = new Issuing(now, random);
            Optional<TlsIdentity> kept = read(folder.resolve("ca.pem"), now).filter(ca -> mayStay(ca, names, now));
            TlsIdentity ca = kept.isPresent() ? kept.get() : issuing.authority(names);
            if (kept.isEmpty()) {
                write(folder.resolve("ca.pem"), pem(ca));
            }
            write(
                    ServerTls.localAuthority(data),
                    pem("CERTIFICATE", ca.certificate().getEncoded()));
            boolean good = read(folder.resolve(SERVER), now)
                    .filter(server -> isGood(server, ca, names, now))
                    .isPresent();
            if (!good) {
                write(folder.resolve(SERVER), pem(issuing.server(ca, names)));
            }
            return new LocalCertificate(ServerTls.localAuthority(data), fingerprint(ca.certificate()), kept.isEmpty());
        } catch (IOException | GeneralSecurityException e) {
            throw new StartFailed("the certificate of this machine cannot be made in " + folder + ": " + Reason.of(e));
        }
    }

    private static Optional<TlsIdentity> read(Path file, Instant now) {
        try {
            return Files.exists(file) ? Optional.of(TlsIdentity.read(file, file, now)) : Optional.empty();
        } catch (StartFailed unfit) {
            return Optional.empty();
        }
    }

    private static boolean mayStay(TlsIdentity ca, MachineNames names, Instant now) {
        List<String> domains = domains(ca.certificate());
        return ca.end().isAfter(now.plus(RENEWED_BEFORE))
                && names.names().stream().allMatch(name -> domains.stream()
                        .anyMatch(domain -> name.equals(domain) || name.endsWith("." + domain)));
    }

    /** The domains whose names the CA can vouch for. */
    private static List<String> domains(X509Certificate ca) {
        byte[] value = ca.getExtensionValue(Extension.nameConstraints.getId());
        if (value == null) {
            return List.of();
        }
        NameConstraints constraints =
                NameConstraints.getInstance(ASN1OctetString.getInstance(value).getOctets());
        return Stream.of(constraints.getPermittedSubtrees())
                .map(subtree -> subtree.getBase().getName().toString())
                .toList();
    }

    private static boolean isGood(TlsIdentity server, TlsIdentity ca, MachineNames names, Instant now) {
        try {
            Set<String> vouchedFor = new LinkedHashSet<>();
            for (List<?> name : server.certificate().getSubjectAlternativeNames()) {
                vouchedFor.add(name.get(1).toString());
            }
            return server.chain().size() == 2
                    && server.chain().get(1).equals(ca.certificate())
                    && server.end().isAfter(now.plus(RENEWED_BEFORE))
                    && vouchedFor.containsAll(names.names())
                    && vouchedFor.containsAll(names.addresses());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static String fingerprint(X509Certificate certificate) throws GeneralSecurityException {
        return HexFormat.ofDelimiter(":")
                .withUpperCase()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    }

    private static void write(Path file, String text) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        boolean unused = Files.deleteIfExists(part);
        PrivateFiles.create(part);
        Path unusedToo = Files.writeString(part, text, StandardCharsets.US_ASCII);
        Path unusedAsWell = Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String pem(TlsIdentity identity) throws GeneralSecurityException {
        StringBuilder all = new StringBuilder();
        for (X509Certificate certificate : identity.chain()) {
            all.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        return all.append(pem("PRIVATE KEY", identity.key().getEncoded())).toString();
    }

    private static String pem(String kind, byte[] der) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
    }

    /** Makes certificates, all at one moment. */
    private record Issuing(Instant now, SecureRandom random) {
        TlsIdentity authority(MachineNames names) throws GeneralSecurityException, IOException {
            KeyPair keys = keys();
            Set<String> domains = new LinkedHashSet<>(LOCAL_DOMAINS);
            domains.addAll(names.names());
            GeneralSubtree[] permitted = domains.stream()
                    .map(domain -> new GeneralSubtree(new GeneralName(GeneralName.dNSName, domain)))
                    .toArray(GeneralSubtree[]::new);
            // Its own number in the name: a device that has met an earlier CA of this machine tells them apart.
            String host = names.names().get(names.names().size() > 1 ? 1 : 0);
            X500Name self =
                    new X500Name("CN=Fanfare on " + host + " " + HexFormat.of().toHexDigits(random.nextInt()));
            return new TlsIdentity(
                    List.of(certificate(
                            self,
                            keys.getPublic(),
                            self,
                            keys,
                            CA_LIFE,
                            extension(Extension.basicConstraints, true, new BasicConstraints(0)),
                            extension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign)),
                            extension(Extension.nameConstraints, true, new NameConstraints(permitted, null)),
                            extension(
                                    Extension.subjectKeyIdentifier,
                                    false,
                                    new SubjectKeyIdentifier(identifier(keys.getPublic()))))),
                    keys.getPrivate());
        }

        TlsIdentity server(TlsIdentity ca, MachineNames names) throws GeneralSecurityException, IOException {
            KeyPair keys = keys();
            PublicKey issuer = ca.certificate().getPublicKey();
            X509Certificate signed = certificate(
                    new X500Name("CN=Fanfare"),
                    keys.getPublic(),
                    X500Name.getInstance(
                            ca.certificate().getSubjectX500Principal().getEncoded()),
                    new KeyPair(issuer, ca.key()),
                    SERVER_LIFE,
                    extension(Extension.basicConstraints, true, new BasicConstraints(false)),
                    extension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature)),
                    extension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth)),
                    extension(Extension.subjectAlternativeName, false, alternatives(names)),
                    extension(
                            Extension.subjectKeyIdentifier,
                            false,
                            new SubjectKeyIdentifier(identifier(keys.getPublic()))),
                    extension(Extension.authorityKeyIdentifier, false, new AuthorityKeyIdentifier(identifier(issuer))));
            return new TlsIdentity(List.of(signed, ca.certificate()), keys.getPrivate());
        }

        private static GeneralNames alternatives(MachineNames names) {
            List<GeneralName> all = new ArrayList<>();
            for (String name : names.names()) {
                all.add(new GeneralName(GeneralName.dNSName, name));
            }
            for (String address : names.addresses()) {
                byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
                all.add(new GeneralName(GeneralName.iPAddress, new DEROctetString(bytes)));
            }
            return new GeneralNames(all.toArray(GeneralName[]::new));
        }

        private X509Certificate certificate(
                X500Name subject,
                PublicKey key,
                X500Name issuer,
                KeyPair issuerKeys,
                Duration life,
                Extension... extensions)
                throws GeneralSecurityException, IOException {
            V3TBSCertificateGenerator generator = new V3TBSCertificateGenerator();
            generator.setSerialNumber(new ASN1Integer(new BigInteger(SERIAL_BITS, random).setBit(0)));
            generator.setSignature(ECDSA);
            generator.setIssuer(issuer);
            generator.setSubject(subject);
            generator.setStartDate(new Time(Date.from(now.minus(BEGUN_BEFORE))));
            generator.setEndDate(new Time(Date.from(now.plus(life).minus(BEGUN_BEFORE))));
            generator.setSubjectPublicKeyInfo(SubjectPublicKeyInfo.getInstance(key.getEncoded()));
            generator.setExtensions(new Extensions(extensions));
            TBSCertificate content = generator.generateTBSCertificate();
            byte[] signature = sign(content.getEncoded(), issuerKeys.getPrivate());
            byte[] der =
                    new DERSequence(new ASN1Encodable[] {content, ECDSA, new DERBitString(signature)}).getEncoded();
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        }

        private byte[] sign(byte[] content, PrivateKey key) throws GeneralSecurityException {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key, random);
            signature.update(content);
            return signature.sign();
        }

        private KeyPair keys() throws GeneralSecurityException {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        }

        private static byte[] identifier(PublicKey key) throws GeneralSecurityException {
            SubjectPublicKeyInfo info = SubjectPublicKeyInfo.getInstance(key.getEncoded());
            return MessageDigest.getInstance("SHA-1")
                    .digest(info.getPublicKeyData().getBytes());
        }

        private static Extension extension(ASN1ObjectIdentifier kind, boolean critical, ASN1Encodable value)
                throws IOException {
            return new Extension(kind, critical, value.toASN1Primitive().getEncoded());
        }
    }
}

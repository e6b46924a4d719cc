package io.fanfare.server.runtime;

import io.fanfare.common.settings.Settings;
import io.fanfare.server.http.ClientAddress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.KeyCertOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of the public servers of a process: their certificate and protocol. The files of {@code http.tls} are looked at
 * every {@link #LOOK_MILLIS} ms on a worker thread; a new pair is shown from the next handshake on, and open
 * connections keep what they have. A pair that does not fit is logged once, when it is still the same at the next look
 * (the two files are seldom replaced in one step), and the one before stays. A certificate that ends within
 * {@link #ENDS_SOON} is logged once, and once more when it has ended. Safe for every thread.
 *
 * <p>HTTP/1.1 only ({@code docs/adr/0024-tls.md}).
 */
public final class ServerTls {
    /** For servers that speak plain HTTP. */
    public static final ServerTls NONE = new ServerTls();

    static final Duration ENDS_SOON = Duration.ofDays(14);

    private static final long LOOK_MILLIS = 10_000;
    private static final int HANDSHAKE_SECONDS_MAX = 10;
    private static final String CERTIFICATE = "certificate";
    private static final String KEY = "private key";
    private static final Logger log = LoggerFactory.getLogger(ServerTls.class);

    private static final Set<String> PROTOCOLS = Set.of("TLSv1.3", "TLSv1.2");

    /** Cipher suites with forward secrecy and authenticated encryption, best first. */
    private static final List<String> CIPHER_SUITES = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private final Path certificateFile;
    private final Path keyFile;
    private final InstantSource clock;
    private final LimitedHandshakes handshakes;
    // Written by one look at a time, read by every handshake.
    private volatile Shown shown;
    private volatile Counter refusedHandshakes;
    private volatile Counter closedHandshakes;
    private volatile Counter refusedPairs;

    // Of the looks, of which one begins when the one before has ended.
    private String refused = "";
    private String suspect = "";
    private Instant reportedSoon = Instant.MIN;
    private Instant reportedEnded = Instant.MIN;

    /**
     * The identity that handshakes use. A handshake reads an alias first, and then the pair of the alias: a new pair
     * may come in between, so the former one is kept.
     *
     * @param alias names this pair alone
     * @param print of the bytes of the files
     */
    private record Shown(String alias, String print, TlsIdentity identity, Shown before) {}

    /**
     * Refuses new handshakes on connections that have one: a client that asks for one over and over (TLS 1.2) would
     * cost what each of them costs. The JDK reads this at its first use of TLS, as a client too, so a program is to
     * call it before anything else.
     */
    public static void refuseRenegotiation() {
        String unused = System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private ServerTls() {
        this.certificateFile = null;
        this.keyFile = null;
        this.clock = null;
        this.handshakes = null;
    }

    private ServerTls(Settings.Http settings, InstantSource clock) {
        refuseRenegotiation();
        this.certificateFile = Path.of(settings.tls().certificate()).toAbsolutePath();
        this.keyFile = Path.of(settings.tls().key()).toAbsolutePath();
        this.clock = clock;
        this.handshakes = new LimitedHandshakes(
                new ClientAddress(settings.trustedProxies()),
                new LimitedHandshakes.Closings(() -> increment(refusedHandshakes), () -> increment(closedHandshakes)));
        byte[] certificate = TlsIdentity.bytes(certificateFile, CERTIFICATE);
        byte[] key = TlsIdentity.bytes(keyFile, KEY);
        TlsIdentity identity = TlsIdentity.of(certificateFile, certificate, keyFile, key, clock.instant());
        this.shown = new Shown("1", print(certificate, key), identity, null);
        warnIfReadByAll();
        reportEnd(clock.instant());
    }

    /**
     * Loads the files that the settings name; fails with {@link StartFailed} when they cannot be served. Blocks: reads
     * the files.
     */
    public static ServerTls load(Settings.Http settings, InstantSource clock) {
        return settings.tls().isSet() ? new ServerTls(settings, clock) : NONE;
    }

    /**
     * When the certificate in the files of the settings ends; fails with {@link StartFailed} when it cannot be served.
     * Blocks: reads the files.
     */
    public static Instant end(Settings.Http settings, Instant now) {
        Path certificate = Path.of(settings.tls().certificate()).toAbsolutePath();
        Path key = Path.of(settings.tls().key()).toAbsolutePath();
        return TlsIdentity.of(
                        certificate, TlsIdentity.bytes(certificate, CERTIFICATE), key, TlsIdentity.bytes(key, KEY), now)
                .end();
    }

    /** The options with TLS, or as they are where none is spoken. */
    public HttpServerOptions secured(HttpServerOptions options) {
        if (this == NONE) {
            return options;
        }
        CIPHER_SUITES.forEach(options::addEnabledCipherSuite);
        return options.setSsl(true)
                .setKeyCertOptions(KeyCertOptions.wrap(new Keys()))
                .setSslEngineOptions(handshakes)
                .setEnabledSecureTransportProtocols(PROTOCOLS)
                .setSslHandshakeTimeout(HANDSHAKE_SECONDS_MAX)
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                .setUseAlpn(true)
                .setAlpnVersions(List.of(HttpVersion.HTTP_1_1));
    }

    /** These parts and, where TLS is spoken, the one that looks after the files. To be called once. */
    public List<Component> watched(List<Component> parts, MeterRegistry metrics) {
        if (this == NONE) {
            return parts;
        }
        refusedHandshakes = Counter.builder("fanfare.http.connections.refused")
                .description("Connections refused, by the limit that was reached")
                .tag("limit", "handshakes")
                .register(metrics);
        closedHandshakes = Counter.builder("fanfare.http.connections.closed")
                .description("Connections closed in favour of others, by the reason")
                .tag("reason", "handshake")
                .register(metrics);
        refusedPairs = Counter.builder("fanfare.http.tls.refused")
                .description("Changed files of http.tls that were not taken up, since they do not work")
                .register(metrics);
        TimeGauge.builder("fanfare.http.tls.end", this, TimeUnit.SECONDS, tls -> tls.shown
                        .identity()
                        .end()
                        .getEpochSecond())
                .description("When the certificate that is shown ends, Unix time")
                .register(metrics);
        List<Component> all = new ArrayList<>(parts);
        all.add(new Component("certificate", Watch::new, 1, HealthProbe.NONE, /* writes= */ false));
        return List.copyOf(all);
    }

    /** The certificate that the next handshake shows. */
    X509Certificate certificate() {
        return shown.identity().certificate();
    }

    /** Looks at the files once. Blocks. Not while another look is under way. */
    void look() {
        Instant now = clock.instant();
        try {
            byte[] certificate = TlsIdentity.bytes(certificateFile, CERTIFICATE);
            byte[] key = TlsIdentity.bytes(keyFile, KEY);
            String print = print(certificate, key);
            if (print.equals(shown.print())) {
                forgive();
            } else {
                // Also one that was refused before: its time may have come.
                take(print, certificate, key, now);
            }
        } catch (StartFailed unreadable) {
            complain(unreadable.getMessage(), unreadable);
        }
        reportEnd(now);
    }

    private void take(String print, byte[] certificate, byte[] key, Instant now) {
        TlsIdentity identity;
        try {
            identity = TlsIdentity.of(certificateFile, certificate, keyFile, key, now);
        } catch (StartFailed unfit) {
            complain(print, unfit);
            return;
        }
        Shown before = new Shown(shown.alias(), shown.print(), shown.identity(), null);
        shown = new Shown(Integer.toString(Integer.parseInt(before.alias()) + 1), print, identity, before);
        forgive();
        log.info("new TLS certificate end={} file={}", identity.end(), certificateFile);
    }

    private void forgive() {
        refused = "";
        suspect = "";
    }

    /** @param print of what is unfit, the same as long as it does not change */
    private void complain(String print, StartFailed unfit) {
        if (print.equals(refused)) {
            return;
        }
        if (!print.equals(suspect)) {
            suspect = print;
            return;
        }
        refused = print;
        increment(refusedPairs);
        log.error(
                "the changed files of http.tls are not taken up, the certificate of before stays end={}: {}",
                shown.identity().end(),
                unfit.getMessage());
    }

    private static String print(byte[] certificate, byte[] key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(certificate);
            digest.update((byte) 0);
            digest.update(key);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void reportEnd(Instant now) {
        Instant end = shown.identity().end();
        if (now.isAfter(end)) {
            if (!end.equals(reportedEnded)) {
                reportedEnded = end;
                log.error(
                        "the TLS certificate has ended, clients refuse it: renew it end={} file={}",
                        end,
                        certificateFile);
            }
        } else if (now.isAfter(end.minus(ENDS_SOON)) && !end.equals(reportedSoon)) {
            reportedSoon = end;
            log.warn("the TLS certificate ends soon: renew it end={} file={}", end, certificateFile);
        }
    }

    private void warnIfReadByAll() {
        try {
            if (Files.getPosixFilePermissions(keyFile).contains(PosixFilePermission.OTHERS_READ)) {
                log.warn("every user of the machine can read the private key of TLS: chmod o-r file={}", keyFile);
            }
        } catch (IOException | UnsupportedOperationException e) {
            log.debug("rights of {} are not known", keyFile, e);
        }
    }

    private static void increment(Counter counter) {
        if (counter != null) {
            counter.increment();
        }
    }

    /** Answers from the pair that is shown; the key of a handshake is that of its certificate. */
    private final class Keys extends X509ExtendedKeyManager {
        @Override
        public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
            Shown now = shown;
            return now.identity().key().getAlgorithm().equals(keyType) ? now.alias() : null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            TlsIdentity identity = identity(alias);
            return identity == null ? null : identity.chain().toArray(X509Certificate[]::new);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            TlsIdentity identity = identity(alias);
            return identity == null ? null : identity.key();
        }

        private TlsIdentity identity(String alias) {
            for (Shown one = shown; one != null; one = one.before()) {
                if (one.alias().equals(alias)) {
                    return one.identity();
                }
            }
            return null;
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return chooseEngineServerAlias(keyType, issuers, null);
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            String alias = chooseEngineServerAlias(keyType, issuers, null);
            return alias == null ? null : new String[] {alias};
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return null;
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return null;
        }
    }

    /** The look after the files. Confined to one event loop. */
    private final class Watch extends VerticleBase {
        private long timer;
        private boolean looking;

        @Override
        public Future<?> start() {
            timer = vertx.setPeriodic(LOOK_MILLIS, id -> begin());
            return Future.succeededFuture();
        }

        @Override
        public Future<?> stop() {
            boolean unused = vertx.cancelTimer(timer);
            return Future.succeededFuture();
        }

        private void begin() {
            if (looking) {
                return;
            }
            looking = true;
            vertx.executeBlocking(() -> {
                        look();
                        return true;
                    })
                    .onFailure(e -> log.error("the files of http.tls could not be looked at", e))
                    .onComplete(ended -> looking = false);
        }
    }
}

package io.fanfare.server.http;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.settings.Settings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes audit events: one line each under the logger {@value #LOGGER}, and one counter for each kind. Confined to one
 * event loop.
 *
 * <p>What strangers can cause at will is bounded on its own, so that a flood neither fills a disk nor crowds the other
 * events out; the next line says how many were left out.
 *
 * <p>An address is a keyed digest unless {@code log.audit-addresses} says otherwise: the same in every process that has
 * the key for a UTC day, and another one the next day.
 */
public final class AuditLines {
    /** Its level does not follow {@code log.level}. */
    public static final String LOGGER = "fanfare.audit";

    /** The value of a field that is empty. */
    public static final String NOTHING = "-";

    /** Lines at once, and then each second, per event loop and bound: at most about 500 MB a day and event loop. */
    private static final int LINES_AT_ONCE_MAX = 200;

    private static final int LINES_PER_SECOND = 10;

    private static final String HMAC = "HmacSHA256";
    private static final int PSEUDONYM_BYTES = 8;
    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    /** Which lines share an allowance. */
    public enum Bound {
        /** Somebody without an account can cause it as often as they like. */
        STRANGERS,
        /** The bound on lines about actions of users. */
        USERS,
        /** None: what operators do. */
        NONE
    }

    private final ClientAddress addresses;
    private final boolean full;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Mac mac;
    private final Allowance strangers;
    private final Allowance users;
    private final Map<String, Counter> counters = new HashMap<>();
    private final Counter leftOut;

    /**
     * @param nanos elapsed time: the wall clock may be set back
     * @param events the kinds of events, as they are logged
     */
    public AuditLines(
            Settings settings,
            SigningKeys keys,
            MeterRegistry metrics,
            InstantSource clock,
            LongSupplier nanos,
            List<String> events) {
        this.addresses = new ClientAddress(settings.http().trustedProxies());
        this.full = settings.log().auditAddresses() == Settings.Log.Addresses.FULL;
        this.clock = clock;
        this.nanos = nanos;
        this.mac = mac(keys.drawn("audit-address"));
        this.strangers = new Allowance(nanos.getAsLong());
        this.users = new Allowance(nanos.getAsLong());
        for (String event : events) {
            counters.put(
                    event,
                    Counter.builder("fanfare.audit.events")
                            .description("Audit events, those left out of the log among them.")
                            .tag("event", event)
                            .register(metrics));
        }
        leftOut = Counter.builder("fanfare.audit.left.out")
                .description("Audit events that were counted, but not logged because there were too many.")
                .register(metrics);
    }

    /**
     * Counts the event, and logs it unless there were too many.
     *
     * @param fields {@code name=value} with spaces between; without line breaks
     */
    public void write(String event, Bound bound, Supplier<String> fields) {
        counters.get(event).increment();
        if (bound != Bound.NONE && !mayLog(bound == Bound.STRANGERS ? strangers : users)) {
            leftOut.increment();
            return;
        }
        LOG.info("event={} {}", event, fields.get());
    }

    private boolean mayLog(Allowance allowance) {
        if (!allowance.take(nanos.getAsLong())) {
            return false;
        }
        long missing = allowance.leftOut();
        if (missing > 0) {
            LOG.info("event=left-out lines={}", missing);
        }
        return true;
    }

    /** How a constant is written in a line. */
    public static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The client's address, in the form that {@code log.audit-addresses} sets. */
    public String address(HttpServerRequest request) {
        if (full) {
            return addresses.numeric(request);
        }
        long day = Duration.ofMillis(clock.millis()).toDays();
        byte[] digest = mac.doFinal((day + " " + addresses.of(request)).getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().formatHex(Arrays.copyOf(digest, PSEUDONYM_BYTES));
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            // Every JDK has it, and the key is one of its kind.
            throw new IllegalStateException(e);
        }
    }

    /** Lines of one kind of callers. */
    private static final class Allowance {
        private final TokenBucket lines;
        private long leftOut;

        Allowance(long now) {
            lines = new TokenBucket(LINES_AT_ONCE_MAX, LINES_PER_SECOND, now);
        }

        boolean take(long now) {
            boolean taken = lines.take(now);
            leftOut += taken ? 0 : 1;
            return taken;
        }

        /** The number of lines left out since the last call. */
        long leftOut() {
            long count = leftOut;
            leftOut = 0;
            return count;
        }
    }
}

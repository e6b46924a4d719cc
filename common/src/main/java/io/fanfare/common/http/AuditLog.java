package io.fanfare.common.http;

import io.fanfare.common.auth.Principal;
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
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit events: who logged in, who was refused, which passwords and tokens changed. One line each under the logger
 * {@value #LOGGER}, and one counter for each kind. Every line has the same fields in the same order, and none holds a
 * text of a user: ids, words of this class, an address and the request id. Confined to one event loop.
 *
 * <pre>{@code
 * event=login-failed reason=wrong-password account=42 token=- app=Zk3v address=5d0c5e8a1f3b77e2 request=4f2a11-7
 * }</pre>
 *
 * <p>What strangers can cause at will is bounded on its own, so that a flood neither fills a disk nor crowds the other
 * events out; the next line says how many were left out.
 *
 * <p>An address is a keyed digest unless {@code log.audit-addresses} says otherwise: the same in every process for a
 * UTC day, and another one the next day.
 */
public final class AuditLog {
    /** Its level does not follow {@code log.level}. */
    static final String LOGGER = "fanfare.audit";

    /**
     * Lines at once, and then each second, per event loop and kind of event: at most about 500 MB a day and event loop.
     */
    private static final int LINES_AT_ONCE_MAX = 200;

    private static final int LINES_PER_SECOND = 10;

    private static final String HMAC = "HmacSHA256";
    private static final int PSEUDONYM_BYTES = 8;
    private static final String NOTHING = "-";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    /** What happened. */
    public enum Event {
        SIGNED_UP(false),
        LOGIN_SUCCEEDED(false),
        LOGIN_FAILED(true),
        LOGIN_REFUSED(true),
        PASSWORD_CHANGED(false),
        TOKEN_ISSUED(false),
        TOKEN_REVOKED(false),
        CODE_REPLAYED(false),
        APP_REGISTERED(true),
        CLIENT_REFUSED(true),
        SCOPE_REFUSED(true);

        private final boolean atWill;

        /** @param atWill whether somebody without an account can cause it as often as they like */
        Event(boolean atWill) {
            this.atWill = atWill;
        }
    }

    /** Why something was refused, or how a token came about. */
    public enum Reason {
        NONE,
        /** No account has the name or the address of mail. */
        UNKNOWN_NAME,
        WRONG_PASSWORD,
        UNKNOWN_CLIENT,
        /** A rate limit. */
        RATE,
        /** The queue of the hashes is full, or Redis cannot count. */
        UNAVAILABLE,
        /** The password grant from a page of another site. */
        FOREIGN_ORIGIN,
        WRONG_SECRET,
        BEYOND_TOKEN,
        BEYOND_APP,
        SIGN_UP,
        PASSWORD_GRANT,
        /** Somebody logged in to our own pages. */
        SESSION,
        CODE_GRANT,
        CLIENT_GRANT
    }

    /**
     * Whom an event is about.
     *
     * @param account 0 = nobody
     * @param token id of a token, never the token; empty = none
     * @param app client id; empty = none
     */
    public record Subject(long account, String token, String app) {
        public static final Subject NOBODY = new Subject(0, "", "");

        public static Subject of(Principal principal) {
            return new Subject(principal.userId(), principal.tokenId(), principal.clientId());
        }

        public static Subject app(String clientId) {
            return new Subject(0, "", clientId);
        }
    }

    private final ClientAddress addresses;
    private final boolean full;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Mac mac;
    private final Allowance atWill;
    private final Allowance others;
    private final Map<Event, Counter> counters = new EnumMap<>(Event.class);
    private final Counter leftOut;

    /** @param nanos elapsed time: the wall clock may be set back */
    public AuditLog(
            Settings settings, SigningKeys keys, MeterRegistry metrics, InstantSource clock, LongSupplier nanos) {
        this.addresses = new ClientAddress(settings.http().trustedProxies());
        this.full = settings.log().auditAddresses() == Settings.Log.Addresses.FULL;
        this.clock = clock;
        this.nanos = nanos;
        this.mac = mac(keys.drawn("audit-address"));
        this.atWill = new Allowance(nanos.getAsLong());
        this.others = new Allowance(nanos.getAsLong());
        for (Event event : Event.values()) {
            counters.put(
                    event,
                    Counter.builder("fanfare.audit.events")
                            .description("Audit events, those left out of the log among them.")
                            .tag("event", word(event))
                            .register(metrics));
        }
        leftOut = Counter.builder("fanfare.audit.left.out")
                .description("Audit events that were counted, but not logged because there were too many.")
                .register(metrics);
    }

    public void note(HttpServerRequest request, Event event, Subject subject) {
        note(request, event, Reason.NONE, subject);
    }

    /** Counts the event, and logs it unless there were too many. */
    public void note(HttpServerRequest request, Event event, Reason reason, Subject subject) {
        counters.get(event).increment();
        Allowance allowance = event.atWill ? atWill : others;
        if (!allowance.take(nanos.getAsLong())) {
            leftOut.increment();
            return;
        }
        long missing = allowance.leftOut();
        if (missing > 0) {
            LOG.info("event=left-out lines={}", missing);
        }
        LOG.info(
                "event={} reason={} account={} token={} app={} address={} request={}",
                word(event),
                reason == Reason.NONE ? NOTHING : word(reason),
                subject.account() == 0 ? NOTHING : Long.toString(subject.account()),
                plain(subject.token()),
                plain(subject.app()),
                address(request),
                plain(request.response().headers().get(CommonHandlers.REQUEST_ID)));
    }

    private String address(HttpServerRequest request) {
        if (full) {
            return addresses.numeric(request);
        }
        long day = Duration.ofMillis(clock.millis()).toDays();
        byte[] digest = mac.doFinal((day + " " + addresses.of(request)).getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().formatHex(Arrays.copyOf(digest, PSEUDONYM_BYTES));
    }

    /** Ids are of these characters; anything else is not one of ours and is not logged. */
    private static String plain(String id) {
        return id != null && PLAIN.matcher(id).matches() ? id : NOTHING;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
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

    /** So many lines at once, and then at an even pace. */
    private static final class Allowance {
        private static final long NANOS_PER_LINE = Duration.ofSeconds(1).toNanos() / LINES_PER_SECOND;
        private static final long NANOS_MAX = NANOS_PER_LINE * LINES_AT_ONCE_MAX;

        private long saved = NANOS_MAX;
        private long at;
        private long leftOut;

        Allowance(long now) {
            this.at = now;
        }

        boolean take(long now) {
            saved = Math.min(NANOS_MAX, saved + Math.max(0, now - at));
            at = now;
            if (saved < NANOS_PER_LINE) {
                leftOut++;
                return false;
            }
            saved -= NANOS_PER_LINE;
            return true;
        }

        /** How many were left out since this was asked last. */
        long leftOut() {
            long count = leftOut;
            leftOut = 0;
            return count;
        }
    }
}

package io.fanfare.server.http;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.settings.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The audit events of accounts: who logged in, who was refused, which passwords and tokens changed; {@link AuditLines}
 * writes and counts them. Every line has the same fields in the same order, and none holds a text of a user: ids, words
 * of this class, an address and the request id. Confined to one event loop.
 *
 * <pre>{@code
 * event=login-failed reason=wrong-password account=42 token=- app=Zk3v address=5d0c5e8a1f3b77e2 request=4f2a11-7
 * }</pre>
 */
public final class AuditLog {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** The recorded action. */
    public enum Event {
        SIGNED_UP(false),
        LOGIN_SUCCEEDED(false),
        LOGIN_FAILED(true),
        LOGIN_REFUSED(true),
        /** A password was right, and a code of the second factor is asked. */
        CODE_NEEDED(false),
        /** A code of a second factor was not accepted. */
        CODE_REFUSED(false),
        RECOVERY_CODE_USED(false),
        FACTOR_ENABLED(false),
        FACTOR_REMOVED(false),
        RECOVERY_CODES_DRAWN(false),
        PASSWORD_CHANGED(false),
        /** Somebody has requested a link by which a password is reset. */
        RESET_REQUESTED(true),
        /** An account has another password by a mailed link. */
        PASSWORD_RESET(false),
        /** An account has requested a link by which it gets another e-mail address. */
        ADDRESS_REQUESTED(false),
        /** An account has another e-mail address. */
        ADDRESS_CHANGED(false),
        /** The former e-mail address of an account is restored by a mailed link, and all its sessions have ended. */
        ADDRESS_RESTORED(false),
        /** Somebody has deleted their account. */
        ACCOUNT_DELETED(false),
        TOKEN_ISSUED(false),
        TOKEN_REVOKED(false),
        CODE_REPLAYED(false),
        APP_REGISTERED(true),
        CLIENT_REFUSED(true),
        SCOPE_REFUSED(true),
        /** Somebody takes along all that their account has. */
        ACCOUNT_EXPORTED(false),
        /** Somebody has reported an account to the operator. */
        REPORTED(false),
        /** An account with a role has acted; the log of acts says how. */
        MODERATED(false);

        private final boolean atWill;

        /** @param atWill whether somebody without an account can cause it as often as they like */
        Event(boolean atWill) {
            this.atWill = atWill;
        }
    }

    /** Why something was refused, or how a token came about. */
    public enum Reason {
        NONE,
        /** No account has the name or the e-mail address. */
        UNKNOWN_NAME,
        WRONG_PASSWORD,
        /** A code of the second factor that is wrong, or was used before. */
        WRONG_CODE,
        /** The log-in was begun with another password, or before the second factor changed. */
        OUTDATED,
        /** The password grant for an account with a second factor. */
        SECOND_FACTOR,
        UNKNOWN_CLIENT,
        /** A rate limit. */
        RATE,
        /** The password was right, and the account is suspended. */
        SUSPENDED,
        /** The account of this name is deleted. */
        DELETED,
        /** The password was right, and the account waits for approval. */
        PENDING,
        /** The queue of the hashes is full, or Redis cannot count. */
        UNAVAILABLE,
        /** The password grant from a page of another site. */
        FOREIGN_ORIGIN,
        WRONG_SECRET,
        BEYOND_TOKEN,
        /** All tokens of an account but the one that asks for it. */
        OTHERS,
        BEYOND_APP,
        SIGN_UP,
        PASSWORD_GRANT,
        /** Somebody logged in to our own pages. */
        SESSION,
        CODE_GRANT,
        CLIENT_GRANT
    }

    /**
     * The subject of an event.
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

    private final AuditLines lines;

    /** @param nanos elapsed time: the wall clock may be set back */
    public AuditLog(
            Settings settings, SigningKeys keys, MeterRegistry metrics, InstantSource clock, LongSupplier nanos) {
        this.lines = new AuditLines(
                settings,
                keys,
                metrics,
                clock,
                nanos,
                Stream.of(Event.values()).map(AuditLines::label).toList());
    }

    public void note(HttpServerRequest request, Event event, Subject subject) {
        note(request, event, Reason.NONE, subject);
    }

    /** Counts the event, and logs it unless there were too many. */
    public void note(HttpServerRequest request, Event event, Reason reason, Subject subject) {
        AuditLines.Bound bound = event.atWill ? AuditLines.Bound.STRANGERS : AuditLines.Bound.USERS;
        lines.write(
                AuditLines.label(event),
                bound,
                () -> "reason=" + (reason == Reason.NONE ? AuditLines.NOTHING : AuditLines.label(reason))
                        + " account=" + (subject.account() == 0 ? AuditLines.NOTHING : Long.toString(subject.account()))
                        + " token=" + plain(subject.token())
                        + " app=" + plain(subject.app())
                        + " address=" + lines.address(request)
                        + " request=" + plain(request.response().headers().get(CommonHandlers.REQUEST_ID)));
    }

    /** Ids are of these characters; anything else is not one of ours and is not logged. */
    private static String plain(String id) {
        return id != null && PLAIN.matcher(id).matches() ? id : AuditLines.NOTHING;
    }
}

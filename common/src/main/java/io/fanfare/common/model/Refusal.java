package io.fanfare.common.model;

import java.util.List;
import java.util.Map;

/**
 * The caller's mistake, or a state that the caller must wait out: what was wrong and what to do, in one whole sentence
 * fit for the caller. Travels as a failed Future; carries no stack trace. Only the API's {@code Problems} knows which
 * HTTP status a reason has.
 */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why; {@code Problems} has the status of each. */
    public enum Reason {
        /** Missing or malformed parameter or body. */
        MALFORMED,
        /** No, bad or revoked token. */
        UNAUTHENTICATED,
        /** Wrong scope or not the owner. */
        FORBIDDEN,
        /** The account that somebody logs in to is deleted. */
        DELETED,
        /** The account that somebody logs in to, or has a token of, waits for approval. */
        PENDING,
        /** The address of the account that somebody has a token of has to be confirmed first. */
        UNCONFIRMED,
        /** Unknown, or not visible to the caller: the same answer. */
        NOT_FOUND,
        /** The route exists, the method does not. */
        WRONG_METHOD,
        /** The body comes more slowly than it may. */
        TOO_SLOW,
        /** Body or URL over its limit. */
        TOO_LARGE,
        /** Body of a type or coding that is not read here. */
        WRONG_TYPE,
        /** Understood, but the values are not acceptable; {@link #details()} may say which. */
        INVALID,
        /** Over a rate limit. */
        TOO_MANY,
        /** Redis is away or full, or this process is at its limit: try again later. */
        OVERLOADED
    }

    /**
     * One thing wrong with one field; {@code error} is one of Mastodon's codes such as ERR_TAKEN, ERR_BLANK,
     * ERR_INVALID, ERR_TOO_LONG, ERR_TOO_SHORT.
     */
    public record Detail(String error, String description) {}

    private final Reason reason;
    private final transient Map<String, List<Detail>> details;
    private final long retrySeconds;

    public Refusal(Reason reason, String message) {
        this(reason, message, Map.of());
    }

    public Refusal(Reason reason, String message, Map<String, List<Detail>> details) {
        this(reason, message, details, 0);
    }

    private Refusal(Reason reason, String message, Map<String, List<Detail>> details, long retrySeconds) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.reason = reason;
        this.details = Map.copyOf(details);
        this.retrySeconds = retrySeconds;
    }

    /** For who has used up a limit that comes back by itself. */
    public static Refusal tooMany(String message, long retrySeconds) {
        return new Refusal(Reason.TOO_MANY, message, Map.of(), retrySeconds);
    }

    /** For what this process cannot take on at the moment. */
    public static Refusal overloaded(String message, long retrySeconds) {
        return new Refusal(Reason.OVERLOADED, message, Map.of(), retrySeconds);
    }

    /**
     * For what does not exist, and for what the viewer may not see: the same answer, whatever it was that was looked
     * for.
     */
    public static Refusal unknown() {
        return new Refusal(Reason.NOT_FOUND, "Record not found: it does not exist, or you may not see it.");
    }

    /** Whether something failed with a refusal for this reason. */
    public static boolean isFor(Reason reason, Throwable cause) {
        return cause instanceof Refusal refusal && refusal.reason == reason;
    }

    public Reason reason() {
        return reason;
    }

    /** The faults by field; empty when the message suffices. */
    public Map<String, List<Detail>> details() {
        return details;
    }

    /** The seconds after which another try is worth while; 0 = not given. */
    public long retrySeconds() {
        return retrySeconds;
    }
}

package io.fanfare.redis;

import java.util.List;

/**
 * An error that Redis answered instead of a value, or the reason why Redis could not be reached. Carries no stack
 * trace. {@link Kind} says whether the command may have been executed and what the caller may do.
 */
public final class RedisError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Classes of failure, each with its policy. */
    public enum Kind {
        /** The command itself was refused (wrong type, script error): our bug or corrupt data. Executed: no. */
        COMMAND,
        /** EVALSHA of an unknown script; the link repeats it as EVAL, callers never see it. */
        NOSCRIPT,
        /** The slot lives elsewhere; the link follows, callers see it only when following did not help. */
        MOVED,
        ASK,
        /**
         * The slot is on its way to another server, and its keys lie on both. The link waits a moment, see
         * {@link MovingSlots}; callers see it while the move goes on. Executed: no.
         */
        TRYAGAIN,
        /** maxmemory reached: writes are refused, housekeeping goes on. Executed: no. */
        OOM,
        /** Redis answers nothing for the moment: it is loading, failing over or busy with a script. Executed: no. */
        NOT_NOW,
        /**
         * Writes are refused, reads go on: a replica, a disk that cannot be written to, replicas that are missing.
         * Executed: no.
         */
        READ_ONLY,
        /**
         * A right of the user of {@code redis.url} is missing. Executed: no, or a part of a script that has no check
         * (see {@link Script}).
         */
        RIGHTS,
        /** The clocks of Redis and of this process differ too much for ids to be given out. Executed: no. */
        CLOCKS,
        /** Not connected, nothing was sent. Executed: no. */
        UNAVAILABLE,
        /** The in-flight window is full, nothing was sent. Executed: no. */
        SATURATED,
        /** The connection ended or received nothing for {@code redis.command-timeout}. Executed: unknown. */
        LOST
    }

    private static final String REPLICA = "READONLY";

    /**
     * The error of a script that reads a key which has left while its slot moves; a script that writes is not begun.
     */
    private static final String KEY_HAS_LEFT = "ERR Script attempted to access a non local key";

    /** The text that Redis uses in place of NOPERM inside a script. */
    private static final String IN_A_SCRIPT = "The user executing the script can't";

    /** The codes, and what Redis says instead inside of a script. */
    private static final List<String> RIGHTS =
            List.of("NOPERM", "NOAUTH", "WRONGPASS", "max number of clients reached", IN_A_SCRIPT);

    private final Kind kind;

    public RedisError(Kind kind, String message) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.kind = kind;
    }

    /** The error of a reply line such as {@code MOVED 3999 127.0.0.1:6381}; its first word decides the kind. */
    static RedisError of(String line) {
        int space = line.indexOf(' ');
        String code = space < 0 ? line : line.substring(0, space);
        if (line.startsWith(KEY_HAS_LEFT)) {
            return new RedisError(Kind.TRYAGAIN, line);
        }
        return new RedisError(line.contains(IN_A_SCRIPT) ? Kind.RIGHTS : kindOf(code), line);
    }

    private static Kind kindOf(String code) {
        return switch (code) {
            case "NOSCRIPT" -> Kind.NOSCRIPT;
            case "MOVED" -> Kind.MOVED;
            case "ASK" -> Kind.ASK;
            case "TRYAGAIN" -> Kind.TRYAGAIN;
            case "OOM" -> Kind.OOM;
            case "LOADING", "CLUSTERDOWN", "MASTERDOWN", "BUSY", "UNBLOCKED" -> Kind.NOT_NOW;
            case "CLOCKS" -> Kind.CLOCKS;
            case "NOPERM" -> Kind.RIGHTS;
            case "READONLY", "MISCONF", "NOREPLICAS" -> Kind.READ_ONLY;
            default -> Kind.COMMAND;
        };
    }

    /** Whether the error comes from a replica. */
    boolean isOfReplica() {
        return getMessage().startsWith(REPLICA);
    }

    /**
     * Whether a master takes no writes and serves reads: its disk is full, replicas or rights are missing. A script
     * that may write is refused before it begins, even when it would only read.
     */
    public boolean isOfReadingMaster() {
        return kind == Kind.RIGHTS || (kind == Kind.READ_ONLY && !isOfReplica());
    }

    /** Whether the key of the command holds another type than the command is for. Executed: no. */
    public boolean isWrongType() {
        return getMessage().contains("WRONGTYPE");
    }

    /**
     * Whether the server does not let the service do what it does: a right or a password is missing, or it has too many
     * clients. Not the fault of the command: the operator must mend it. Executed: no.
     */
    public boolean isOfRights() {
        String text = getMessage();
        return kind == Kind.RIGHTS || RIGHTS.stream().anyMatch(text::contains);
    }

    /** Whether the shard of the command moves to another server. Executed: no. */
    public boolean isOfMove() {
        return kind == Kind.TRYAGAIN || kind == Kind.ASK;
    }

    public Kind kind() {
        return kind;
    }

    /** Whether Redis, full, read-only or short of a right, takes no writes while reads go on. */
    public boolean refusesWrites() {
        return kind == Kind.OOM || kind == Kind.READ_ONLY || kind == Kind.RIGHTS;
    }

    /** Whether Redis is away or full: not the request's fault, the same request is fine later. */
    public boolean passing() {
        return kind != Kind.COMMAND;
    }
}

package io.fanfare.core.moderation;

import io.fanfare.common.model.Warning.Action;
import io.fanfare.core.moderation.Act.Actor;
import java.time.Duration;

/**
 * Accounts that a moderator has selected, and the one act on them.
 *
 * @param number ascending with time
 * @param madeMillis Unix time
 * @param by the account that has selected them; 0 = an operator
 * @param criteria for people and for the log of acts, such as {@code signed up from 192.0.2.0/24}
 * @param count selected accounts
 * @param found the reach of the search
 * @param act null = none has begun
 */
public record Selection(
        long number, long madeMillis, long by, String criteria, int count, Found found, SelectionAct act) {
    /** Accounts of one selection: half a second of work for Redis, and a tenth of the log of acts by default. */
    public static final int MAX = 5000;

    /** For how long after the begin of an act its undo can begin. */
    public static final Duration UNDO_LIFE = Duration.ofHours(24);

    /**
     * The reach of the search for the accounts.
     *
     * @param more whether it has left out accounts, since there are more than {@link #MAX}
     * @param complete whether it came to its end in time
     * @param postsSinceMillis the time of the earliest event of the log that was searched for a text; 0 = none was
     */
    public record Found(boolean more, boolean complete, long postsSinceMillis) {}

    /** The state of an act, or of its undo. */
    public enum Phase {
        RUNNING,
        /** Its actor is no moderator any more. Another one may repeat the request. */
        STOPPED,
        DONE
    }

    /**
     * The act on a selection.
     *
     * @param action sensitive, silence or suspend
     * @param undo whether its undo has begun: {@code phase}, {@code actor}, {@code why} and {@code settled} are those
     *     of the undo then
     * @param text the message to the accounts; may be empty
     * @param startedMillis of the act, Unix time
     * @param settled accounts that are done
     * @param changed accounts that the act has restricted
     * @param gone accounts that were deleted
     * @param skipped accounts that the actor's role does not reach, and the actor's own
     * @param restored accounts whose restriction the undo has lifted
     */
    public record SelectionAct(
            Action action,
            boolean undo,
            Phase phase,
            Actor actor,
            String why,
            String text,
            long startedMillis,
            int settled,
            int changed,
            int gone,
            int skipped,
            int restored) {
        /** Unix time from which on the act cannot be undone any more. */
        public long undoUntilMillis() {
            return startedMillis + UNDO_LIFE.toMillis();
        }
    }

    /** The word of an act in the log: {@code limit} for Mastodon's {@code silence}. */
    static String verb(Action action) {
        return action == Action.SILENCE ? "limit" : action.wire();
    }
}

package io.fanfare.stream.wire;

/**
 * A stretch of the stream that a client cannot get any more.
 *
 * @param from first seq that is missing; 0 when it is not known, because the client's numbers are not ours
 * @param to last seq that is missing; 0 when it is not known
 */
public record Gap(Reason reason, long from, long to) {
    /** The reason of a gap. */
    public enum Reason {
        /** It has left the log. */
        EXPIRED("expired"),
        /** Redis has lost the log; numbers restarted. */
        EPOCH("epoch"),
        /** The cursor is not one of ours. */
        INVALID("invalid"),
        /** The cursor is ahead of the log. */
        FUTURE("future");

        private final String wire;

        Reason(String wire) {
            this.wire = wire;
        }

        String wire() {
            return wire;
        }
    }

    /** A bound that is not known. */
    public static final long UNKNOWN = 0;
}

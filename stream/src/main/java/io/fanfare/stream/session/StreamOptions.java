package io.fanfare.stream.session;

import io.fanfare.server.http.Parameters;
import io.fanfare.stream.match.InvalidFilter;
import io.fanfare.stream.wire.Dialect;

/**
 * The options of a client for its stream.
 *
 * @param endsAtGap whether the stream ends, with code 4, instead of going on behind a gap when its reader is too slow
 * @param warns whether a slow reader is warned; readers of lines must request it, as from Twitter
 * @param perSecondMax events of one second that the client wants, or gets, at most; 0 = all
 * @param votes whether it gets votes as well
 * @param until seq after which the stream ends, with code 9; {@link Long#MAX_VALUE} = never
 */
public record StreamOptions(boolean endsAtGap, boolean warns, int perSecondMax, boolean votes, long until) {
    public static final StreamOptions USUAL = new StreamOptions(false, true, 0, false, Long.MAX_VALUE);

    public static final String MAX_RATE_UNKNOWN =
            "This stream has no words for what max_rate leaves out: leave it away, or take a native stream such as /api/v1/streaming/home.";

    private static final int PER_SECOND_MAX = 1_000_000;

    /**
     * Throws {@link InvalidFilter} for invalid values, or for options that the dialect cannot send.
     *
     * @param quota what the stream may have of one second, whatever the client wants; 0 = all
     */
    public static StreamOptions of(Parameters parameters, Dialect dialect, int quota) {
        return new StreamOptions(
                EnumParameter.of(parameters, "overflow", "gap", "disconnect").equals("disconnect"),
                parameters.flag("stall_warnings", dialect == Dialect.NATIVE),
                least(perSecondMax(parameters.text("max_rate", ""), dialect), dialect.sendsLimits() ? quota : 0),
                dialect.sendsVotes() && parameters.flag("votes", false),
                Long.MAX_VALUE);
    }

    private static int least(int wanted, int quota) {
        return wanted == 0 || quota == 0 ? wanted + quota : Math.min(wanted, quota);
    }

    private static int perSecondMax(String given, Dialect dialect) {
        if (given.isEmpty()) {
            return 0;
        }
        if (!dialect.sendsLimits()) {
            throw InvalidFilter.unacceptable("max_rate", MAX_RATE_UNKNOWN);
        }
        int perSecond = given.matches("\\d{1,7}") ? Integer.parseInt(given) : 0;
        if (perSecond < 1 || perSecond > PER_SECOND_MAX) {
            throw InvalidFilter.unacceptable(
                    "max_rate", "The max_rate must be a whole number of events a second, 1 to " + PER_SECOND_MAX + ".");
        }
        return perSecond;
    }

    /** Whether the stream ends by itself. */
    boolean ends() {
        return until != Long.MAX_VALUE;
    }

    public StreamOptions until(long seq) {
        StreamOptions options = new StreamOptions(endsAtGap, warns, perSecondMax, votes, seq);
        // Streams stay open for long, and nearly all are the same in this.
        return options.equals(USUAL) ? USUAL : options;
    }
}

package io.fanfare.stream.session;

import io.fanfare.common.event.LogState;
import io.fanfare.stream.wire.Gap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a connection starts. A cursor is exclusive: the seq of the last event that the client has seen,
 * {@code <epoch>-<seq>} as in {@code id:} lines, or a seq alone for the epoch that holds. One that ends in {@code -end}
 * is where a stream has told all that it was asked for. Whatever is wrong with a cursor is told in-band and the stream
 * goes on: an error status would end an EventSource for good.
 *
 * @param after seq after which events are delivered
 * @param gap what the client cannot get; null when nothing is missing
 */
public record StartPosition(String epoch, long after, boolean resumed, Gap gap) {
    private static final Pattern CURSOR = Pattern.compile("(?:([0-9a-f]{8})-)?(\\d{1,18})(-end)?");

    /**
     * The position that a client names. A cursor that is not valid, or of another epoch, starts now with a gap.
     *
     * @param cursor null or empty = from now on
     */
    public static StartPosition of(String cursor, LogState log) {
        if (cursor == null || cursor.isEmpty()) {
            return new StartPosition(log.epoch(), log.tip(), false, null);
        }
        Matcher parts = CURSOR.matcher(cursor);
        if (!parts.matches()) {
            return fromNow(log, new Gap(Gap.Reason.INVALID, 0, 0));
        }
        if (parts.group(1) != null && !parts.group(1).equals(log.epoch())) {
            return fromNow(log, new Gap(Gap.Reason.EPOCH, 0, log.tip()));
        }
        long seq = Long.parseLong(parts.group(2));
        if (seq > log.tip()) {
            return fromNow(log, new Gap(Gap.Reason.FUTURE, 0, log.tip()));
        }
        if (seq < log.floor() - 1) {
            return new StartPosition(
                    log.epoch(), log.floor() - 1, false, new Gap(Gap.Reason.EXPIRED, seq + 1, log.floor() - 1));
        }
        return new StartPosition(log.epoch(), seq, true, null);
    }

    /** Lowest seq that can be had: whoever has just asked the log knows better than what was known before. */
    long floor(LogState known) {
        return gap != null && gap.reason() == Gap.Reason.EXPIRED ? after + 1 : known.floor();
    }

    /** Whether the client has been told there all that it asked for. */
    static boolean isEnd(String cursor) {
        return cursor.endsWith("-end") && CURSOR.matcher(cursor).matches();
    }

    private static StartPosition fromNow(LogState log, Gap gap) {
        return new StartPosition(log.epoch(), log.tip(), false, gap);
    }
}

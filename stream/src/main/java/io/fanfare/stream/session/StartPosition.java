package io.fanfare.stream.session;

import io.fanfare.common.event.EventId;
import io.fanfare.common.event.LogState;
import io.fanfare.stream.relay.FormerEpochs;
import io.fanfare.stream.wire.Gap;
import java.util.OptionalLong;

/**
 * The start of a connection. A cursor is exclusive: the {@link EventId} of the last event that the client has seen, as
 * in {@code id:} lines, or a seq alone for the epoch that holds. A fault of a cursor is reported in-band and the stream
 * goes on: an error status would end an EventSource for good.
 *
 * @param after seq after which events are delivered
 * @param gap the events that the client cannot get; null when none is missing
 */
public record StartPosition(String epoch, long after, boolean resumed, Gap gap) {
    /** The position that a client names in a log that knows of no former epoch. */
    public static StartPosition of(String cursor, LogState log) {
        return of(cursor, log, new FormerEpochs());
    }

    /**
     * The position that a client names. A cursor of a former epoch continues behind the last shared event, with a gap.
     * A cursor that is not valid, or of an unknown epoch, starts now with a gap.
     *
     * @param cursor null or empty = from now on
     */
    static StartPosition of(String cursor, LogState log, FormerEpochs former) {
        if (cursor == null || cursor.isEmpty()) {
            return new StartPosition(log.epoch(), log.tip(), false, null);
        }
        EventId last = EventId.parse(cursor).orElse(null);
        if (last == null) {
            return fromNow(log, new Gap(Gap.Reason.INVALID, 0, 0));
        }
        if (last.hasEpoch() && !last.epoch().equals(log.epoch())) {
            return ofFormer(last, log, former);
        }
        long seq = last.seq();
        if (seq > log.tip()) {
            return fromNow(log, new Gap(Gap.Reason.FUTURE, 0, log.tip()));
        }
        if (seq < log.floor() - 1) {
            return new StartPosition(
                    log.epoch(), log.floor() - 1, false, new Gap(Gap.Reason.EXPIRED, seq + 1, log.floor() - 1));
        }
        return new StartPosition(log.epoch(), seq, true, null);
    }

    /** The lowest seq in the log; a fresh read of the log outweighs the known state. */
    long floor(LogState known) {
        return gap != null && gap.reason() == Gap.Reason.EXPIRED ? after + 1 : known.floor();
    }

    private static StartPosition ofFormer(EventId last, LogState log, FormerEpochs former) {
        OptionalLong shared = former.after(last.epoch(), last.seq());
        if (shared.isEmpty()) {
            return fromNow(log, new Gap(Gap.Reason.EPOCH, 0, log.tip()));
        }
        long after = Math.max(shared.getAsLong(), log.floor() - 1);
        return new StartPosition(log.epoch(), after, false, new Gap(Gap.Reason.EPOCH, last.seq() + 1, Gap.UNKNOWN));
    }

    private static StartPosition fromNow(LogState log, Gap gap) {
        return new StartPosition(log.epoch(), log.tip(), false, gap);
    }
}

package io.fanfare.redis;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slots that are on their way to another server, by TRYAGAIN replies. A small slot has moved in a moment, and its
 * commands wait. Later commands of a longer move fail at once: a shard may take minutes, and waiting commands would
 * hold up others. Nothing needs to say that a move has ended, since each command is sent and Redis decides. Confined to
 * the loop.
 */
final class MovingSlots {
    private static final Logger log = LoggerFactory.getLogger(MovingSlots.class);

    /** How long after the first sign of a move commands are sent again. */
    static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** After so long without a sign the next one is of another move. */
    static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<Integer, Move> moves = new HashMap<>();

    private record Move(long sinceNanos, long seenNanos) {}

    /**
     * Takes note of a TRYAGAIN.
     *
     * @return until when its command, and others of the slot, may be sent again
     */
    long seen(int slot, long nowNanos) {
        Move known = moves.get(slot);
        if (known == null || nowNanos - known.seenNanos() > QUIET_NANOS) {
            moves.values().removeIf(move -> nowNanos - move.seenNanos() > QUIET_NANOS);
            log.warn("redis slot moves to another server, its shard is answered 503 until it is there slot={}", slot);
            known = new Move(nowNanos, nowNanos);
        }
        moves.put(slot, new Move(known.sinceNanos(), nowNanos));
        return known.sinceNanos() + GRACE_NANOS;
    }
}

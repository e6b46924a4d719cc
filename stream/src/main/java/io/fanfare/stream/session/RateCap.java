package io.fanfare.stream.session;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;

/**
 * The most events that a client wants of any second ({@code max_rate}) or is given ({@code stream.quota}), and how many
 * it was not told for that. Seconds are those of the log, so a stream that comes back is told what one that stayed was
 * told. Deletes always pass: whoever has the status must drop it. Confined to one event loop.
 */
public final class RateCap {
    /** How often the client is told what is left out, at most. */
    static final long NOTICE_EVERY_MILLIS = 1000;

    private static final long NOTICE_EVERY_NANOS =
            Duration.ofMillis(NOTICE_EVERY_MILLIS).toNanos();

    private final int perSecond;
    private final Dialect dialect;

    private long second = -1;
    private int passed;

    // An event that did not fit into a turn is asked about again in the next.
    private String judgedEpoch = "";
    private long judgedSeq;
    private boolean answer;

    private long leftOut;
    private long leftOutAtMillis;
    private long reported;
    private long reportedAtNanos;

    /** @param dialect one that has words for what is left out */
    public RateCap(int perSecond, Dialect dialect) {
        this.perSecond = perSecond;
        this.dialect = dialect;
    }

    /**
     * The events that the filter wants, up to the cap. Must be called with events in order, once or twice in a row for
     * each.
     */
    public StreamFilter over(StreamFilter filter) {
        return new StreamFilter() {
            @Override
            public boolean wants(StreamEvent event) {
                return filter.wants(event) && passes(event);
            }

            @Override
            public int weight() {
                return filter.weight();
            }

            @Override
            public int cost() {
                return filter.cost();
            }

            @Override
            public boolean wantsRedacted(StreamEvent event) {
                return filter.wantsRedacted(event);
            }

            @Override
            public LoggedEvent replacement(StreamEvent event) {
                return filter.replacement(event);
            }
        };
    }

    /** Whether an event that is wanted is sent. */
    boolean passes(StreamEvent event) {
        LoggedEvent logged = event.logged();
        if (event.kind() == Event.Kind.DELETE || !dialect.sends(event.kind())) {
            return true;
        }
        if (logged.seq() != judgedSeq || !logged.epoch().equals(judgedEpoch)) {
            judgedSeq = logged.seq();
            judgedEpoch = logged.epoch();
            answer = count(logged.appendedAtMillis());
        }
        return answer;
    }

    private boolean count(long millis) {
        if (millis / 1000 != second) {
            second = millis / 1000;
            passed = 0;
        }
        if (passed == perSecond) {
            leftOut++;
            leftOutAtMillis = millis;
            return false;
        }
        passed++;
        return true;
    }

    /** Whether something is left out that the client was not told of. */
    boolean owes() {
        return reported != leftOut;
    }

    /** The limit notice that the client should get now, once a second at most; null = nothing new. */
    public Buffer notice(long nanos) {
        return reported > 0 && nanos - reportedAtNanos < NOTICE_EVERY_NANOS ? null : lastNotice(nanos);
    }

    /** The same, however lately it was told: for the end of the stream. */
    public Buffer lastNotice(long nanos) {
        if (!owes()) {
            return null;
        }
        reported = leftOut;
        reportedAtNanos = nanos;
        return dialect.limit(leftOut, leftOutAtMillis);
    }
}

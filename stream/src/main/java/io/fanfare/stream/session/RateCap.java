package io.fanfare.stream.session;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;

/**
 * The most events of any second that a client wants ({@code max_rate}) or gets ({@code stream.quota}), and the number
 * that was left out. Seconds are those of the log, so a stream that comes back receives the same as one that stayed.
 * Deletes always pass: a client that has the status must drop it. Confined to one event loop.
 */
public final class RateCap {
    /** The shortest time between two limit notices. */
    static final long NOTICE_EVERY_MILLIS = 1000;

    private static final long NOTICE_EVERY_NANOS =
            Duration.ofMillis(NOTICE_EVERY_MILLIS).toNanos();

    private final int perSecond;
    private final Dialect dialect;

    private long second = -1;
    private int passed;

    // An event that did not fit into a turn is judged again in the next.
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

    /** Whether more is left out than the last notice said. */
    boolean owes() {
        return reported != leftOut;
    }

    /** The limit notice that the client should get now, once a second at most; null = nothing new. */
    public Buffer notice(long nanos) {
        return reported > 0 && nanos - reportedAtNanos < NOTICE_EVERY_NANOS ? null : lastNotice(nanos);
    }

    /** The same, however recent the last one is: for the end of the stream. */
    public Buffer lastNotice(long nanos) {
        if (!owes()) {
            return null;
        }
        reported = leftOut;
        reportedAtNanos = nanos;
        return dialect.limit(leftOut, leftOutAtMillis);
    }
}

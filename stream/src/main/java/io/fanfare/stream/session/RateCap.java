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
    static final long TELL_EVERY_MILLIS = 1000;

    private static final long TELL_EVERY_NANOS =
            Duration.ofMillis(TELL_EVERY_MILLIS).toNanos();

    private final int perSecond;
    private final Dialect dialect;

    private long second = -1;
    private int passed;

    // An event that did not fit into a turn is asked about again in the next.
    private String askedEpoch = "";
    private long askedSeq;
    private boolean answer;

    private long leftOut;
    private long leftOutAtMillis;
    private long told;
    private long toldAtNanos;

    /** @param dialect one that has words for what is left out */
    public RateCap(int perSecond, Dialect dialect) {
        this.perSecond = perSecond;
        this.dialect = dialect;
    }

    /** What the filter wants, up to the cap. To be asked about events in order, once or twice in a row about each. */
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
            public LoggedEvent told(StreamEvent event) {
                return filter.told(event);
            }
        };
    }

    /** Whether an event that is wanted is sent. */
    boolean passes(StreamEvent event) {
        LoggedEvent logged = event.logged();
        if (event.kind() == Event.Kind.DELETE || !dialect.sends(event.kind())) {
            return true;
        }
        if (logged.seq() != askedSeq || !logged.epoch().equals(askedEpoch)) {
            askedSeq = logged.seq();
            askedEpoch = logged.epoch();
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
        return told != leftOut;
    }

    /** What the client should be told now, once a second at most; null = nothing new. */
    public Buffer word(long nanos) {
        return told > 0 && nanos - toldAtNanos < TELL_EVERY_NANOS ? null : lastWord(nanos);
    }

    /** The same, however lately it was told: for the end of the stream. */
    public Buffer lastWord(long nanos) {
        if (!owes()) {
            return null;
        }
        told = leftOut;
        toldAtNanos = nanos;
        return dialect.limit(leftOut, leftOutAtMillis);
    }
}

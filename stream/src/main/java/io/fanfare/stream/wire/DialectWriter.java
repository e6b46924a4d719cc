package io.fanfare.stream.wire;

import com.google.errorprone.annotations.Immutable;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.buffer.Buffer;

/**
 * The frames of a dialect. A method answers null when the dialect has none: an event is then passed over; a gap or a
 * disconnect ends the stream, which makes a client of that dialect reload. Immutable; buffers are shared between
 * connections and never changed.
 */
@Immutable
interface DialectWriter {
    String EVENT_STREAM = "text/event-stream; charset=utf-8";

    /** The content type of the HTTP response. */
    String contentType();

    /** The first bytes of a stream. */
    Buffer greeting(Hello hello);

    /** One event, of a kind that the dialect {@link #sends}. */
    Buffer event(LoggedEvent event);

    /** Whether the dialect has events of that kind, which is not internal. */
    boolean sends(Event.Kind kind);

    /**
     * Keeps a silent stream open. {@code cursor} is a seq up to which everything has been looked at for the connection.
     */
    Buffer heartbeat(String epoch, long cursor);

    /** Reports events that the client can no longer get. */
    default Buffer gap(Gap gap) {
        return null;
    }

    /** The client reads too slowly: so much of the window it may stay behind in is used up. */
    default Buffer warning(int percentFull) {
        return null;
    }

    /**
     * The number of wanted events left out, because the client wants, or gets, no more a second; {@code millis} is when
     * the newest of them was appended.
     */
    default Buffer limit(long leftOut, long millis) {
        return null;
    }

    /** How an article stands that has been voted on: no event of the log, so that it moves no cursor. */
    default Buffer vote(long article, long author, long votes, long score) {
        return null;
    }

    /** The viewer's filters have changed: no event of the log, so that it moves no cursor. */
    default Buffer filtersChanged() {
        return null;
    }

    /**
     * Moves the client's cursor to the end of a stream that has sent everything requested, so that a client that comes
     * back from there is recognised.
     */
    default Buffer finished(String epoch, long cursor) {
        return null;
    }

    /**
     * The last bytes of a stream that the server ends. {@code stream} is its name, {@code retryMillis} when to come
     * back.
     */
    default Buffer disconnect(Disconnect why, String stream, long retryMillis) {
        return null;
    }
}

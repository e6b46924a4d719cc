package io.fanfare.stream.wire;

import com.google.errorprone.annotations.Immutable;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.buffer.Buffer;

/**
 * The words of a dialect. A method answers null when the dialect has none for the thing: an event is then passed over;
 * a gap or a disconnect is told by ending the stream, which makes a client of that dialect reload. Immutable; buffers
 * are shared between connections and never changed.
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
     * How many events that were wanted the client was not told, because it wants, or is given, no more a second;
     * {@code millis} is when the newest of them was appended.
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
     * Moves the client's cursor to where a stream ends that has told all it was asked for, so that who comes back from
     * there is known by it.
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

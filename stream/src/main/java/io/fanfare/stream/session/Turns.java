package io.fanfare.stream.session;

import io.fanfare.stream.filter.StreamFilter;

/** The calls of a stream to the loop that serves it. Confined to one event loop. */
interface Turns {
    /** Serves the stream in the next turn: it has something to send, and its socket takes it. */
    void wake(Subscriber stream);

    /** Serves the stream when the others have had their turn. */
    void later(Subscriber stream);

    /**
     * From the next event on the index calls the stream, which need not look at every event any more. False, and
     * nothing is changed, when it wants too much for that.
     */
    boolean join(Subscriber stream, StreamFilter filter);

    /** Undoes {@link #join}: the stream looks at every event again, if it has not ended. */
    void leave(Subscriber stream, StreamFilter filter);

    /** The stream has ended. Doing it twice is harmless. */
    void remove(Subscriber stream);

    /** Seq up to which the index has called. */
    long evaluated();
}

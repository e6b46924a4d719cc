package io.fanfare.stream.filter;

import java.util.ArrayDeque;

/**
 * Bounds the memory of what filters have made of the texts of events: the forms of a text take many times the memory of
 * the text, and events stay in memory for long after their last match. The newest are kept; others are made again when
 * they are needed. Confined to one event loop.
 */
public final class Documents {
    /** The approximate memory of all documents. */
    private static final long BYTES_MAX = 8 << 20;

    /**
     * Bytes for each character of the worst text: words of one letter, or a long text in which keywords are looked for
     * one by one.
     */
    private static final int BYTES_PER_CHAR = 128;

    private static final int BYTES_BESIDES = 512;

    private final long seed;
    private final ArrayDeque<StreamEvent> kept = new ArrayDeque<>();
    private final Failures failures = new Failures();
    private long bytes;

    /** @param seed of the hashes of what filters look for, drawn by chance */
    public Documents(long seed) {
        this.seed = seed;
    }

    public long seed() {
        return seed;
    }

    /** The failures of the event loop that these documents belong to. */
    public Failures failures() {
        return failures;
    }

    /** The event has made its document, which is to be forgotten when others have made many. */
    void keep(StreamEvent event) {
        kept.add(event);
        bytes += bytes(event);
        while (bytes > BYTES_MAX && kept.size() > 1) {
            StreamEvent oldest = kept.poll();
            bytes -= bytes(oldest);
            oldest.forgetDocument();
        }
    }

    private static long bytes(StreamEvent event) {
        int kept = event.event().body().length() + event.event().match().length();
        return BYTES_BESIDES + kept + (long) BYTES_PER_CHAR * event.document().length();
    }
}

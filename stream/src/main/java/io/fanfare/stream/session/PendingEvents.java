package io.fanfare.stream.session;

/**
 * Numbers of the events that the index has found for one stream and that wait for its socket, in order. Bounded: beyond
 * {@link #MOST} the stream has to look for itself. Confined to one event loop.
 */
final class PendingEvents {
    static final int MOST = 1024;

    private static final int FIRST_ROOM = 8;

    private long[] seqs = new long[FIRST_ROOM];
    private int from;
    private int to;
    private boolean overrun;

    /** Adds the number of an event that is newer than all that wait. */
    void add(long seq) {
        if (to < seqs.length || makeRoom()) {
            seqs[to++] = seq;
        } else {
            overrun = true;
        }
    }

    /** Whether this number was added last and still waits: the index may find an event twice. */
    boolean isNewest(long seq) {
        return to > from && seqs[to - 1] == seq;
    }

    private boolean makeRoom() {
        int waiting = to - from;
        if (waiting == MOST) {
            return false;
        }
        long[] roomier = waiting > seqs.length / 2 ? new long[seqs.length * 2] : seqs;
        System.arraycopy(seqs, from, roomier, 0, waiting);
        seqs = roomier;
        from = 0;
        to = waiting;
        return true;
    }

    /**
     * Whether more was found than may wait. The stream leaves the index in its next turn then, not while the index is
     * still calling.
     */
    boolean isOverrun() {
        return overrun;
    }

    boolean isEmpty() {
        return from == to;
    }

    int size() {
        return to - from;
    }

    /** The oldest that waits; there must be one. */
    long first() {
        return seqs[from];
    }

    /** Takes {@link #first} out. */
    long poll() {
        return seqs[from++];
    }
}

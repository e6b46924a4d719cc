package io.fanfare.stream.relay;

import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import java.util.ArrayList;
import java.util.List;

/**
 * The newest slice of a ring for each kind of connection. Many connections of one kind stand at the same place: what
 * was made for one of them fits the next. Kept for few kinds, since most servers have few. Confined to one event loop.
 */
final class SharedSlices {
    /** More kinds than this take turns, and each connection gets slices of its own. */
    private static final int KINDS_MAX = 4;

    private final List<Kind> kinds = new ArrayList<>(KINDS_MAX);
    private int oldest;

    /** Connections that get the same bytes at the same place. */
    static final class Kind {
        private final StreamFilter filter;
        private final Dialect dialect;
        private EventRing.Slice slice; // null = none that is still right
        private long after;
        private long edge = -1;

        private Kind(StreamFilter filter, Dialect dialect) {
            this.filter = filter;
            this.dialect = dialect;
        }

        /** The slice after {@code seq}, if it is there and does not go beyond {@code last}; else null. */
        EventRing.Slice find(long seq, long last) {
            return slice != null && after == seq && slice.upTo() <= last ? slice : null;
        }

        /**
         * Whether the furthest slice so far ended there. Slices that begin there are compressed as one block. The edge
         * only moves forward, so that no event is compressed twice in such a block, however many slow connections there
         * are.
         */
        boolean isEdge(long seq) {
            return seq == edge;
        }

        void keep(long seq, EventRing.Slice made) {
            slice = made;
            after = seq;
            edge = Math.max(edge, made.upTo());
        }
    }

    Kind of(StreamFilter filter, Dialect dialect) {
        for (int i = 0; i < kinds.size(); i++) {
            Kind kind = kinds.get(i);
            if (kind.dialect == dialect && kind.filter.equals(filter)) {
                return kind;
            }
        }
        Kind fresh = new Kind(filter, dialect);
        if (kinds.size() < KINDS_MAX) {
            kinds.add(fresh);
        } else {
            kinds.set(oldest, fresh);
            oldest = (oldest + 1) % KINDS_MAX;
        }
        return fresh;
    }

    /** The events have changed: no slice is right any more. */
    void changed() {
        for (int i = 0; i < kinds.size(); i++) {
            kinds.get(i).slice = null;
        }
    }

    /** Other numbers begin. */
    void forget() {
        kinds.clear();
    }
}

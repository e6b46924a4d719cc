package io.fanfare.stream.relay;

import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import java.util.ArrayList;
import java.util.List;

/**
 * The newest slice of a ring for each kind of connection, for a bounded number of kinds. Many connections of one kind
 * stand at the same place: what was made for one of them fits the next. Confined to one event loop.
 */
final class SharedSlices {
    private final int kindsMax;
    private final List<Kind> kinds = new ArrayList<>();
    private int oldest;

    /** @param kindsMax another kind takes the place of the oldest one */
    SharedSlices(int kindsMax) {
        this.kindsMax = kindsMax;
    }

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

        private void keep(long seq, EventRing.Slice made) {
            slice = made;
            after = seq;
            edge = Math.max(edge, made.upTo());
        }
    }

    /** The kind, or null when none of its slices is kept. */
    Kind find(StreamFilter filter, Dialect dialect) {
        for (int i = 0; i < kinds.size(); i++) {
            Kind kind = kinds.get(i);
            if (kind.dialect == dialect && kind.filter.equals(filter)) {
                return kind;
            }
        }
        return null;
    }

    /** Keeps the slice after {@code seq} as the newest one of its kind. */
    void keep(StreamFilter filter, Dialect dialect, long seq, EventRing.Slice slice) {
        Kind kind = find(filter, dialect);
        if (kind == null) {
            kind = new Kind(filter, dialect);
            if (kinds.size() < kindsMax) {
                kinds.add(kind);
            } else {
                kinds.set(oldest, kind);
                oldest = (oldest + 1) % kindsMax;
            }
        }
        kind.keep(seq, slice);
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

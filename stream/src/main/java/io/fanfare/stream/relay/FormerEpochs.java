package io.fanfare.stream.relay;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogPage;
import io.fanfare.common.event.LogState;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.filter.StreamEvent;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The events that the epoch of the log shares with former ones. After a failover the log lacks its last events, and has
 * new ones under their numbers: up to the last event before these, both epochs number the same events. Streams and
 * cursors of a former epoch continue there, so that they miss nothing that the log has. Confined to one event loop.
 */
public final class FormerEpochs {
    /** Epochs in memory, the newest; each one ended with a failover. */
    private static final int EPOCHS_MAX = 8;

    /** Events of the log that one read compares. */
    private static final int PAGE_EVENTS = 500;

    /** Reads on their way together, since streams wait for the last one. Bounds the pages in memory. */
    private static final int READS_AT_ONCE = 8;

    /** Seq of the last shared event, by former epoch. The oldest epoch comes first. */
    private final Map<String, Long> shared = new LinkedHashMap<>();

    /**
     * Compares the ring, which has events of another epoch, with the log: answers the last event that is the same in
     * both, before the first one that differs. Empty when the ring has no event that the log has inherited. Fails when
     * the log begins a further epoch meanwhile. A read for each 500 events of the ring, 8 of them at once; pages with
     * reposts or quotes take a second round trip.
     *
     * @param ring unchanged until the answer
     */
    static Future<OptionalLong> lastShared(EventLog log, EventRing ring, LogState state) {
        return new Comparison(log, ring, state).readAfter(Math.max(ring.first(), state.floor()) - 1);
    }

    /** One walk through the ring and the log. */
    private static final class Comparison {
        private final EventLog log;
        private final EventRing ring;
        private final String epoch;
        private final long end;
        private OptionalLong last = OptionalLong.empty();

        Comparison(EventLog log, EventRing ring, LogState state) {
            this.log = log;
            this.ring = ring;
            this.epoch = state.epoch();
            this.end = Math.min(ring.tip(), state.inherited());
        }

        Future<OptionalLong> readAfter(long seq) {
            List<Future<LogPage>> pages = new ArrayList<>();
            for (long after = seq; after < end && pages.size() < READS_AT_ONCE; after += PAGE_EVENTS) {
                pages.add(log.read(after, PAGE_EVENTS));
            }
            return pages.isEmpty()
                    ? Future.succeededFuture(last)
                    : Future.all(pages).compose(all -> compare(seq, all.list()));
        }

        /** Compares pages that were read for one seq after the other, each {@link #PAGE_EVENTS} behind the last. */
        private Future<OptionalLong> compare(long after, List<LogPage> pages) {
            long compared = after;
            for (int i = 0; i < pages.size() && after + (long) i * PAGE_EVENTS <= compared; i++) {
                LogPage page = pages.get(i);
                if (!page.state().epoch().equals(epoch)) {
                    return Future.failedFuture("The event log began another epoch while it was compared.");
                }
                if (differs(page)) {
                    return Future.succeededFuture(last);
                }
                compared = Math.max(compared, page.upTo());
            }
            return compared == after ? Future.succeededFuture(last) : readAfter(compared);
        }

        /** Whether an event differs. One that the ring lacks, since it was deleted, proves nothing. */
        private boolean differs(LogPage page) {
            for (LoggedEvent logged : page.events()) {
                StreamEvent known = logged.seq() > end ? null : ring.event(logged.seq());
                if (known != null && !logged.isSameAs(known.logged())) {
                    return true;
                }
                // A page ends with a whole batch, so that the next one may begin before its end.
                last = known == null ? last : OptionalLong.of(Math.max(last.orElse(0), logged.seq()));
            }
            return false;
        }
    }

    /**
     * Notes the change from an epoch to the next.
     *
     * @param last the last event that both have; empty when it is not known, which ends the relation to all former ones
     */
    void ended(String epoch, OptionalLong last) {
        if (last.isEmpty()) {
            shared.clear();
            return;
        }
        shared.replaceAll((former, seq) -> Math.min(seq, last.getAsLong()));
        shared.put(epoch, last.getAsLong());
        if (shared.size() > EPOCHS_MAX) {
            shared.remove(shared.keySet().iterator().next());
        }
    }

    /**
     * The seq of the current epoch behind which a reader of a former one continues; empty when it is not known.
     *
     * @param seq of the former epoch: the last event that the reader has received
     */
    public OptionalLong after(String epoch, long seq) {
        Long last = shared.get(epoch);
        return last == null ? OptionalLong.empty() : OptionalLong.of(Math.min(seq, last));
    }
}

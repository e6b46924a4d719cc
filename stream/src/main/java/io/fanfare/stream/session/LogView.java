package io.fanfare.stream.session;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogState;
import io.fanfare.common.settings.Settings;
import io.fanfare.stream.relay.EventRelay;
import io.fanfare.stream.relay.EventRing;
import io.fanfare.stream.relay.FormerEpochs;
import io.fanfare.stream.relay.ReplayBudget;
import io.fanfare.stream.relay.ReplayPages;

/**
 * The event log as one event loop sees it: the newest events in memory, older ones in pages that are read for all
 * streams together. Confined to that event loop.
 */
public final class LogView {
    private final EventLog log;
    private final EventRing ring;
    private final EventRelay relay;
    private final ReplayPages pages;
    private final Settings.Stream settings;

    LogView(EventLog log, EventRing ring, EventRelay relay, ReplayPages pages, Settings.Stream settings) {
        this.log = log;
        this.ring = ring;
        this.relay = relay;
        this.pages = pages;
        this.settings = settings;
    }

    /** The log in Redis, for questions that this view cannot answer. */
    EventLog log() {
        return log;
    }

    public EventRing ring() {
        return ring;
    }

    ReplayPages pages() {
        return pages;
    }

    /** For a stream that begins to read pages. */
    ReplayBudget budget(long nanos) {
        return new ReplayBudget(settings.replayRate(), nanos);
    }

    /** The state of the log as this event loop knows it, a moment old. */
    public LogState known() {
        return relay.known();
    }

    /** Lowest seq from which the log is whole, as far as is known here. */
    long floor() {
        return relay.known().floor();
    }

    /** The relation of the known state to the epochs before it. */
    FormerEpochs formerEpochs() {
        return relay.formerEpochs();
    }

    /** Whether all that comes after {@code seq} is at hand without asking Redis. */
    boolean inMemory(long seq) {
        return seq >= ring.first() - 1;
    }

    /**
     * How much of what the log keeps lies before a stream that has read up to {@code seq}. A log that has lost nothing
     * so far has room for more.
     */
    int percentBehind(long seq) {
        LogState known = relay.known();
        long size = known.tip() - known.floor() + 1;
        long window = Math.max(known.floor() > 1 ? 1 : settings.logEvents(), size);
        return (int) (100 * (known.tip() - seq) / window);
    }
}

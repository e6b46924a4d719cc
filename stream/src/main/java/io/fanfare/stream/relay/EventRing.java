package io.fanfare.stream.relay;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.BlockDeflater;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.GzipBlock;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest events in memory, each encoded once per dialect: what live connections and short reconnects are served
 * from. A deleted status, and the notifications about it, are dead from the moment its delete arrives: they are never
 * handed out again; what shows it beside something of its own is handed out without it. Confined to one event loop.
 */
public final class EventRing {
    private static final Logger LOG = LoggerFactory.getLogger(EventRing.class);

    /** Events looked at in one call, so that a filter that wants nothing cannot hold up the event loop. */
    private static final int SCAN_MAX = 4096;

    /**
     * The most that one call may cost a filter, in terms looked for and characters looked at: some milliseconds. One
     * event is looked at in any case.
     */
    public static final int COST_MAX = 50_000;

    /** Kinds of connections whose newest slice is kept. Another kind copies its frames each time. */
    private static final int KINDS_MAX = 4;

    /** The same for compressed slices, of 64 KiB each at most. Another kind compresses its frames each time. */
    private static final int COMPRESSED_KINDS_MAX = 64;

    /**
     * A run of the ring for one connection.
     *
     * @param bytes ready to be sent; null when the connection wants none of it, or gets a block
     * @param block the same for a connection that is sent compressed blocks; null for any other
     * @param upTo seq up to which everything has been looked at
     * @param events how many there are in it
     */
    public record Slice(Buffer bytes, GzipBlock block, long upTo, int events) {}

    private final RingEntry[] entries;
    private final long bytesMax;
    private final Documents documents;
    private final Map<Long, Long> seqByStatus = new HashMap<>();

    /** Reposts, quotes and notifications by the statuses that they show. */
    private final Map<Long, Set<Long>> seqsShowing = new HashMap<>();

    private String epoch = "";
    private long start;
    private long tip;
    private long bytes;
    private long added;
    private LoggedEvent newest;

    private final SharedSlices shared = new SharedSlices(KINDS_MAX);
    private final SharedSlices sharedBlocks = new SharedSlices(COMPRESSED_KINDS_MAX);

    /**
     * An empty ring.
     *
     * @param eventsMax how many events are kept at most
     * @param bytesMax how much memory they take at most, about
     * @param documents of all rings of the event loop
     */
    public EventRing(int eventsMax, long bytesMax, Documents documents) {
        this.entries = new RingEntry[eventsMax];
        this.bytesMax = bytesMax;
        this.documents = documents;
    }

    /** The epoch of all that is in here; empty before the first {@link #restart}. */
    public String epoch() {
        return epoch;
    }

    /** Seq of the newest event known. */
    public long tip() {
        return tip;
    }

    /** The lowest seq in the ring; {@code tip + 1} when it is empty. */
    public long first() {
        return Math.max(start, tip - entries.length) + 1;
    }

    int eventsMax() {
        return entries.length;
    }

    /** Events ever added. */
    public long added() {
        return added;
    }

    /** The approximate memory of the entries. */
    public long bytes() {
        return bytes;
    }

    /** The event at the tip; null when it is not known (any more). */
    LoggedEvent newest() {
        return newest;
    }

    /** Forgets everything and goes on after {@code seq} of {@code epoch}. */
    void restart(String epoch, long seq) {
        Arrays.fill(entries, null);
        seqByStatus.clear();
        seqsShowing.clear();
        bytes = 0;
        this.epoch = epoch;
        start = seq;
        tip = seq;
        newest = null;
        shared.forget();
        sharedBlocks.forget();
    }

    /**
     * Takes the event that comes next as it lies in the log; numbers left out before it are deleted events. One that
     * cannot be read is left out as well, loudly: it must not end every stream.
     */
    void add(LoggedEvent logged) {
        if (logged.seq() <= tip || !logged.epoch().equals(epoch)) {
            throw new IllegalStateException(
                    "seq " + logged.seq() + " of " + logged.epoch() + " does not follow " + tip + " of " + epoch);
        }
        skipTo(logged.seq() - 1);
        RingEntry entry = entry(logged);
        put(logged.seq(), entry);
        newest = entry == null ? null : entry.event.logged();
        if (entry != null) {
            added++;
            index(entry);
        }
        while (bytes > bytesMax && first() < tip) {
            start = first();
            clear(start);
        }
    }

    /** Null when it cannot be read. */
    private RingEntry entry(LoggedEvent logged) {
        try {
            Event rendered = EventBodies.rendered(logged.event());
            return new RingEntry(
                    new LoggedEvent(logged.epoch(), logged.seq(), logged.appendedAtMillis(), rendered), documents);
        } catch (IllegalArgumentException e) {
            LOG.error("event unreadable seq={} reason={}", logged.seq(), e.getMessage());
            documents.failures().unreadableEvent();
            return null;
        } catch (RuntimeException | StackOverflowError e) {
            documents.failures().add(Failures.Scope.EVENT, e);
            return null;
        }
    }

    private void index(RingEntry entry) {
        Event what = entry.event.event();
        long seq = entry.event.logged().seq();
        if (what.kind() == Event.Kind.STATUS) {
            seqByStatus.put(what.subject(), seq);
        } else if (what.kind() == Event.Kind.DELETE) {
            forget(what.subject());
        }
        for (long shown : what.embedded()) {
            seqsShowing.computeIfAbsent(shown, none -> new HashSet<>()).add(seq);
        }
    }

    /** The event of that number; null when it is dead or not in here. */
    public StreamEvent event(long seq) {
        RingEntry entry = seq < first() || seq > tip ? null : entries[slot(seq)];
        return entry == null ? null : entry.event;
    }

    /**
     * That event, which the filter has wanted, as it is sent; null when it is dead or not in here, has lost what it was
     * wanted for, or the dialect has no words for it. Not to be changed.
     */
    public Buffer frame(long seq, StreamFilter filter, Dialect dialect) {
        RingEntry entry = seq < first() || seq > tip ? null : entries[slot(seq)];
        if (entry == null) {
            return null;
        }
        try {
            return !entry.less || filter.wantsRedacted(entry.event) ? frameFor(entry, filter, dialect) : null;
        } catch (RuntimeException | StackOverflowError e) {
            dropOrThrow(entry, e);
            return null;
        }
    }

    /**
     * A filter has failed on an event. One that cannot be read is left out from now on; else it is the filter that
     * fails, which is its stream's business.
     */
    private void dropOrThrow(RingEntry entry, Throwable cause) {
        if (entry.event.isReadable()) {
            throwAgain(cause);
        }
        drop(entry, cause);
    }

    /**
     * As {@link #dropOrThrow}, for callers that pass the event of that number to filters; false = it is the filter that
     * fails.
     */
    public boolean dropUnreadable(long seq, Throwable cause) {
        RingEntry entry = seq < first() || seq > tip ? null : entries[slot(seq)];
        if (entry == null || entry.event.isReadable()) {
            return entry == null;
        }
        drop(entry, cause);
        return true;
    }

    private void drop(RingEntry entry, Throwable cause) {
        documents.failures().add(Failures.Scope.EVENT, cause);
        eventsChanged();
        clear(entry.event.logged().seq());
    }

    private static void throwAgain(Throwable cause) {
        if (cause instanceof RuntimeException failure) {
            throw failure;
        }
        throw (Error) cause;
    }

    /** Events up to {@code seq} that were not added are deleted ones. */
    void skipTo(long seq) {
        if (seq - tip > entries.length) {
            // Nothing of what is in here would be left.
            restart(epoch, seq);
        }
        while (tip < seq) {
            put(tip + 1, null);
            newest = null;
        }
    }

    /**
     * The events after {@code seq}, which must be at least {@code first() - 1}, up to {@code last}: about
     * {@code bytesMax} bytes at most before compression, but one event at least.
     *
     * @param deflater for a connection that is sent compressed blocks; null for any other
     */
    public Slice after(
            long seq, long last, StreamFilter filter, Dialect dialect, BlockDeflater deflater, int bytesMax) {
        StreamFilter plain = filter.plain();
        boolean alone = !plain.shared();
        SharedSlices slices = deflater == null ? shared : sharedBlocks;
        SharedSlices.Kind kind = alone ? null : slices.find(plain, dialect);
        Slice found = kind == null ? null : kind.find(seq, last);
        if (found != null) {
            return found;
        }
        boolean kept = !alone && last >= tip;
        SliceBuilder events = collect(seq, last, plain, dialect, bytesMax);
        Slice slice = deflater == null
                ? events.plain()
                : events.compressed(deflater, kept && kind != null && kind.isEdge(seq));
        if (kept) {
            slices.keep(plain, dialect, seq, slice);
        }
        return slice;
    }

    private SliceBuilder collect(long seq, long last, StreamFilter filter, Dialect dialect, int bytesMax) {
        long end = Math.min(Math.min(tip, last), seq + SCAN_MAX);
        SliceBuilder slice = new SliceBuilder(dialect);
        int weight = filter.cost();
        int cost = 0;
        long at = seq;
        while (at < end && cost < COST_MAX) {
            RingEntry entry = entries[slot(at + 1)];
            Buffer frame = frame(entry, filter, dialect);
            cost += entry == null ? 0 : cost(entry.event, weight);
            if (frame != null && slice.isFullFor(frame, bytesMax)) {
                break;
            }
            at++;
            if (frame != null) {
                slice.add(entry, frame);
            }
        }
        slice.upTo(at);
        return slice;
    }

    /**
     * The most that a filter costs for the event.
     *
     * @param weight cost of the filter; 0 = it looks at no text
     */
    public static int cost(StreamEvent event, int weight) {
        return weight == 0 ? 0 : weight + event.event().match().length();
    }

    /**
     * Frames as one buffer of just that length, since it may be kept for others; null when there are none. They stay as
     * they are: each belongs to everybody.
     */
    public static Buffer joined(List<Buffer> frames, int length) {
        if (frames.size() < 2) {
            return frames.isEmpty() ? null : frames.get(0);
        }
        Buffer bytes = Buffer.buffer(length);
        frames.forEach(bytes::appendBuffer);
        return bytes;
    }

    private Buffer frame(RingEntry entry, StreamFilter filter, Dialect dialect) {
        if (entry == null) {
            return null;
        }
        try {
            return filter.wants(entry.event) ? frameFor(entry, filter, dialect) : null;
        } catch (RuntimeException | StackOverflowError e) {
            dropOrThrow(entry, e);
            return null;
        }
    }

    private Buffer frameFor(RingEntry entry, StreamFilter filter, Dialect dialect) {
        LoggedEvent replacement = filter.replacement(entry.event);
        return replacement == null ? frame(entry, dialect) : dialect.event(replacement);
    }

    /** Null also when the event cannot be written, in whatever dialect. */
    private Buffer frame(RingEntry entry, Dialect dialect) {
        Buffer frame = entry.frames.get(dialect);
        if (frame == null) {
            try {
                frame = dialect.event(entry.event.logged());
            } catch (RuntimeException | StackOverflowError e) {
                drop(entry, e);
                return null;
            }
            if (frame != null) {
                entry.frames.put(dialect, frame);
            }
        }
        return frame;
    }

    /** No slice that was made is right any more. */
    private void eventsChanged() {
        shared.changed();
        sharedBlocks.changed();
    }

    private void put(long seq, RingEntry entry) {
        clear(seq - entries.length);
        fill(seq, entry);
        tip = seq;
        eventsChanged();
    }

    private void fill(long seq, RingEntry entry) {
        entries[slot(seq)] = entry;
        bytes += entry == null ? 0 : entry.bytes;
    }

    /**
     * Nothing of a deleted status is handed out any more: a notification about it goes with it, anything else that
     * shows it is left without it.
     */
    void forget(long status) {
        eventsChanged();
        Long seq = seqByStatus.get(status);
        if (seq != null) {
            clear(seq);
        }
        for (long showing : Set.copyOf(seqsShowing.getOrDefault(status, Set.of()))) {
            leaveOut(status, showing);
        }
    }

    private void leaveOut(long status, long seq) {
        LoggedEvent logged = entries[slot(seq)].event.logged();
        clear(seq);
        RingEntry left = logged.event().subjectStatus() == status ? null : entryWithout(status, logged);
        if (left != null) {
            fill(seq, left);
            index(left);
        }
    }

    /** Null when it cannot be made: then nothing is left of the event. */
    private RingEntry entryWithout(long status, LoggedEvent logged) {
        LoggedEvent without;
        try {
            without = logged.without(Set.of(status));
        } catch (RuntimeException | StackOverflowError e) {
            documents.failures().add(Failures.Scope.EVENT, e);
            return null;
        }
        return entry(without);
    }

    private void clear(long seq) {
        RingEntry entry = seq < 0 ? null : entries[slot(seq)];
        if (entry != null) {
            Event what = entry.event.event();
            entries[slot(seq)] = null;
            bytes -= entry.bytes;
            seqByStatus.remove(what.subject(), seq);
            what.embedded().forEach(shown -> forgetShowing(shown, seq));
        }
    }

    private void forgetShowing(long status, long seq) {
        Set<Long> seqs = seqsShowing.get(status);
        if (seqs != null && seqs.remove(seq) && seqs.isEmpty()) {
            seqsShowing.remove(status);
        }
    }

    private int slot(long seq) {
        return (int) (seq % entries.length);
    }
}

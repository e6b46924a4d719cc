package io.fanfare.stream.relay;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogPage;
import io.fanfare.common.event.LogState;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.Failures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Pages of the log before the ring, for streams that come back or have fallen behind. Each page is read once for all
 * who want it, and kept a while for those who come next. Pages begin at the same numbers for everybody, so that streams
 * meet in them. A few are read at a time, since the connection to Redis also brings new events, and they are handed out
 * a few at a time. Confined to one event loop.
 */
public final class ReplayPages {
    /** Numbers in a page: about as many events as a stream gets in a turn. */
    public static final int PAGE_EVENTS = 50;

    /** Pages being read and handed out at once. */
    private static final int OPEN_MAX = 8;

    /**
     * Pages of these for streams that search for the place to begin at. A search begins far behind the streams that go
     * on from there; with more pages, those would wait while every search looks at all of the log.
     */
    private static final int SEARCHING_MAX = OPEN_MAX / 2;

    /** Approximate memory of pages that nobody waits for. */
    private static final long KEPT_BYTES_MAX = 8 << 20;

    private final EventLog log;
    private final Documents documents;
    private final StreamCounters counters;
    private final Runnable news;

    /**
     * Pages that somebody waits for, by what comes before them: those to be read, those on the way, and those to be
     * handed out.
     */
    private final Map<Long, Page> wanted = new HashMap<>();

    private final TreeMap<Long, Page> unread = new TreeMap<>();
    private final ArrayDeque<Page> arrived = new ArrayDeque<>();

    /** The one that was wanted longest ago comes first. */
    private final LinkedHashMap<Long, Page> kept = new LinkedHashMap<>();

    private final ArrayDeque<Search> searches = new ArrayDeque<>();
    private int searching;

    private long keptBytes;
    private int onTheWay;
    private boolean sending;

    /** Waits for a page. */
    public interface Reader {
        /** Here it is; it is to be looked at now and not to be kept. */
        void take(Page page);

        /** Redis could not be read. */
        void unread();

        /** The page has come and cannot be read. */
        void broken();
    }

    /** The log between two numbers. */
    public static final class Page {
        private final long after;
        private final ArrayDeque<Reader> readers = new ArrayDeque<>();

        /** Statuses whose deletes arrived while it was on its way. */
        private final List<Long> deleted = new ArrayList<>();

        /** Whether the relay lost events since the page was requested: the page may then contain deleted statuses. */
        private boolean outdated;

        private boolean lasting;
        private LogState state;
        private EventRing events;
        private long bytes;

        private Page(long after) {
            this.after = after;
        }

        /** The state of the log when it was read: events below its floor are missing here. */
        public LogState state() {
            return state;
        }

        /** All that the log had then, less what has been deleted since. */
        public EventRing events() {
            return events;
        }

        /** Whether it has the next events for this cursor. */
        public boolean follows(long cursor) {
            return after <= cursor && cursor < after + PAGE_EVENTS;
        }

        private void fill(LogPage page, Documents documents) {
            long end = after + PAGE_EVENTS;
            state = page.state();
            events = new EventRing(PAGE_EVENTS, Long.MAX_VALUE, documents);
            events.restart(state.epoch(), after);
            for (LoggedEvent event : page.events()) {
                if (event.seq() <= end) {
                    events.add(event);
                }
            }
            events.skipTo(Math.min(end, page.upTo()));
            bytes = events.bytes();
            deleted.forEach(events::forget);
            lasting = page.upTo() >= end && state.floor() <= after + 1;
        }

        private void forget(long status) {
            if (events == null) {
                deleted.add(status);
            } else {
                events.forget(status);
            }
        }
    }

    /** @param news called when {@link #handOut} has something to do */
    public ReplayPages(EventLog log, Documents documents, StreamCounters counters, Runnable news) {
        this.log = log;
        this.documents = documents;
        this.counters = counters;
        this.news = news;
    }

    /** The most numbers in a page requested with this cursor. */
    public static int events(long cursor) {
        return (int) (PAGE_EVENTS - cursor % PAGE_EVENTS);
    }

    /** Passes the page with the events after the cursor to the reader. */
    public void ask(long cursor, Reader reader) {
        long after = cursor - cursor % PAGE_EVENTS;
        Page page = wanted.computeIfAbsent(after, this::open);
        page.readers.add(reader);
        next();
    }

    /**
     * The same for who looks for the place to begin at, where others may have to wait for it: each page takes its turn.
     */
    public void search(long cursor, Reader reader) {
        searches.add(new Search(cursor, reader));
        searchOn();
    }

    private void searchOn() {
        while (searching < SEARCHING_MAX && !searches.isEmpty()) {
            Search next = searches.poll();
            searching++;
            ask(next.cursor, next);
        }
    }

    /** Asks for one page, and leaves its place to the next one when it has it. */
    private final class Search implements Reader {
        private final long cursor;
        private final Reader reader;

        Search(long cursor, Reader reader) {
            this.cursor = cursor;
            this.reader = reader;
        }

        @Override
        public void take(Page page) {
            searching--;
            try {
                reader.take(page);
            } finally {
                searchOn();
            }
        }

        @Override
        public void unread() {
            searching--;
            reader.unread();
            searchOn();
        }

        @Override
        public void broken() {
            searching--;
            reader.broken();
            searchOn();
        }
    }

    private Page open(long after) {
        Page page = kept.remove(after);
        if (page != null) {
            keptBytes -= page.bytes;
            arrived.add(page);
            news.run();
            return page;
        }
        Page fresh = new Page(after);
        unread.put(after, fresh);
        return fresh;
    }

    /**
     * Reads the page of the furthest stream first: it catches up with the others, and from there on they need the same
     * pages.
     */
    private void next() {
        if (sending) {
            // One was answered at once, as all are while Redis is away: the loop goes on, and does not go down instead.
            return;
        }
        sending = true;
        while (onTheWay + arrived.size() < OPEN_MAX && !unread.isEmpty()) {
            Page page = unread.pollFirstEntry().getValue();
            page.outdated = false;
            onTheWay++;
            counters.replays++;
            log.read(page.after, PAGE_EVENTS).onComplete(read -> come(page, read), cause -> fail(page));
        }
        sending = false;
    }

    private void come(Page page, LogPage read) {
        onTheWay--;
        if (page.outdated) {
            readAgain(page);
            next();
            return;
        }
        try {
            page.fill(read, documents);
        } catch (RuntimeException | StackOverflowError e) {
            documents.failures().add(Failures.Scope.PAGE, e);
            wanted.remove(page.after);
            next();
            page.readers.forEach(Reader::broken);
            return;
        }
        arrived.add(page);
        news.run();
    }

    private void readAgain(Page page) {
        page.events = null;
        unread.put(page.after, page);
    }

    private void fail(Page page) {
        onTheWay--;
        wanted.remove(page.after);
        next();
        page.readers.forEach(Reader::unread);
    }

    /** Whether anybody's page is there. */
    public boolean hasArrived() {
        return !arrived.isEmpty();
    }

    /**
     * Hands out pages to so many at most, those of one page one after the other.
     *
     * @param over whether no more should be handed out in this turn; checked behind the first
     */
    public void handOut(int most, BooleanSupplier over) {
        for (int n = 0; n < most && !arrived.isEmpty() && (n == 0 || !over.getAsBoolean()); n++) {
            Page page = arrived.peek();
            Reader reader = page.readers.poll();
            if (page.readers.isEmpty()) {
                arrived.remove();
                wanted.remove(page.after);
                keep(page);
            }
            reader.take(page);
        }
        next();
    }

    private void keep(Page page) {
        if (page.lasting) {
            kept.put(page.after, page);
            keptBytes += page.bytes;
        }
        Iterator<Page> oldest = kept.values().iterator();
        while (keptBytes > KEPT_BYTES_MAX) {
            keptBytes -= oldest.next().bytes;
            oldest.remove();
        }
    }

    /** Something has happened: what has been deleted is not handed out again. */
    public void receive(Event event) {
        if (event.kind() == Event.Kind.DELETE) {
            kept.values().forEach(page -> page.forget(event.subject()));
            wanted.values().forEach(page -> page.forget(event.subject()));
        }
    }

    /**
     * Makes pages outdated after the relay has lost events: streams that wait, or ask from now on, get the log's state
     * of then.
     */
    public void forget() {
        kept.clear();
        keptBytes = 0;
        wanted.values().forEach(page -> page.outdated = true);
        arrived.forEach(this::readAgain);
        arrived.clear();
        next();
    }
}

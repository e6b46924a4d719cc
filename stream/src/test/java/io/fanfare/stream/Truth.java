package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The publisher's knowledge: every event with its number, by which the events of clients are judged. Filters are called
 * one by one and plainly, without any index. Numbers begin again with each epoch, so an event's place is the era - 0
 * for the first epoch - and the number in it. For one thread, but {@link #tip} and {@link #add}, which may run
 * together.
 */
final class Truth {
    /**
     * An event as it is told; without its body, since there are many.
     *
     * @param tweet digest of a status as clients of Twitter's API get it; else the same as the other
     */
    record Form(Event event, int digest, int tweet) {
        static Form of(Event event, String match) {
            byte[] body = EventBodies.rendered(event).body().getBytes(StandardCharsets.UTF_8);
            Event bare = new Event(
                    event.kind(), event.subject(), event.actor(), event.target(), event.visibility(), match, "");
            int digest = Frames.digest(body, 0, body.length);
            return new Form(
                    bare, digest, event.kind() == Event.Kind.STATUS ? tweet(EventBodies.rendered(event)) : digest);
        }

        private static int tweet(Event status) {
            byte[] line =
                    Dialect.TWITTER.event(new LoggedEvent("", 0, 0, status)).getBytes();
            return Frames.digest(line, 0, line.length - 2);
        }

        boolean is(int actual) {
            return actual == digest || actual == tweet;
        }
    }

    /**
     * One event.
     *
     * @param shown another status whose words it has; 0 = none
     * @param less how it is told when that is deleted; null when it shows none
     */
    record Entry(long place, Form whole, long shown, Form less) {
        Event event() {
            return whole.event();
        }

        boolean is(Event.Kind kind) {
            return event().kind() == kind;
        }
    }

    /**
     * The wish of a filter.
     *
     * @param whole whether it wants the event as it was published
     * @param less whether it wants it without the status that it showed, which was deleted
     */
    record Due(Entry entry, boolean whole, boolean less) {
        long place() {
            return entry.place();
        }
    }

    private final Map<Integer, Integer> eras = new HashMap<>();
    private final Map<Long, Entry> byPlace = new HashMap<>();
    private final Map<Long, Entry> statuses = new HashMap<>();
    private final Map<Long, Entry> deletes = new HashMap<>();
    private final Map<StreamFilter, List<Due>> wanted = new LinkedHashMap<>();
    private volatile long tip;
    private volatile int era;

    /** Place of a number in an era. */
    static long place(int era, long seq) {
        return (long) era << 32 | seq;
    }

    static int era(long place) {
        return (int) (place >>> 32);
    }

    static long seq(long place) {
        return place & 0xffff_ffffL;
    }

    /** The log has begun anew under that name; {@link #add} goes on with it. */
    void begin(String epoch) {
        int begun = eras.size();
        eras.put(Integer.parseUnsignedInt(epoch, 16), begun);
        era = begun;
        tip = place(begun, 0);
    }

    /** @param match of a delete: that of its status, which the log has added by itself */
    void add(long seq, Event event, String match) {
        long shown = event.embedded().stream().findFirst().orElse(0L);
        Event less = shown == 0 ? null : event.redacted(Set.of(shown));
        Entry entry = new Entry(
                place(era, seq), Form.of(event, match), shown, less == null ? null : Form.of(less, less.match()));
        byPlace.put(entry.place(), entry);
        if (entry.is(Event.Kind.STATUS)) {
            statuses.put(event.subject(), entry);
        } else if (entry.is(Event.Kind.DELETE)) {
            deletes.put(event.subject(), entry);
        }
        tip = Math.max(tip, entry.place());
    }

    /** The highest place that the publisher has been told of; for any thread. */
    long tip() {
        return tip;
    }

    int size() {
        return byPlace.size();
    }

    /** Place of a {@link Frames#cursor}; -1 when nobody has made that epoch. */
    long placeOf(long cursor) {
        Integer known = eras.get((int) (cursor >>> 32));
        return known == null ? -1 : place(known, seq(cursor));
    }

    /** Null when there is none. */
    Entry at(long place) {
        return byPlace.get(place);
    }

    /** Null when it never got a number. */
    Entry status(long id) {
        return statuses.get(id);
    }

    /** Null when it never got a number. */
    Entry delete(long id) {
        return deletes.get(id);
    }

    /** Asks all filters about everything. */
    void ask(Collection<StreamFilter> filters) {
        wanted.clear();
        Set<StreamFilter> different = new HashSet<>(filters);
        different.forEach(filter -> wanted.put(filter, new ArrayList<>()));
        List<Entry> all = new ArrayList<>(byPlace.values());
        all.sort(Comparator.comparingLong(Entry::place));
        for (Entry entry : all) {
            StreamEvent whole = event(entry, entry.whole());
            StreamEvent less = showsDeleted(entry) ? event(entry, entry.less()) : null;
            wanted.forEach((filter, dues) -> {
                Due due = new Due(entry, filter.wants(whole), less != null && filter.wants(less));
                if (due.whole() || due.less()) {
                    dues.add(due);
                }
            });
        }
    }

    private static StreamEvent event(Entry entry, Form form) {
        return new StreamEvent(new LoggedEvent("", seq(entry.place()), 0, form.event()), new Documents(1));
    }

    private boolean showsDeleted(Entry entry) {
        return entry.less() != null && deletes.containsKey(entry.shown());
    }

    /** Everything that the filter wants, in order; of a filter that was {@link #ask}ed. */
    List<Due> wanted(StreamFilter filter) {
        return wanted.get(filter);
    }

    /** How a filter that was asked wants it; null = not at all. */
    Due due(StreamFilter filter, Entry entry) {
        List<Due> dues = wanted.get(filter);
        int at = Collections.binarySearch(dues, new Due(entry, true, true), Comparator.comparingLong(Due::place));
        return at < 0 ? null : dues.get(at);
    }

    /**
     * A status that was deleted later may have been gone before a client asked for it, and so may what it was wanted
     * for, or not wanted.
     */
    boolean mayBeMissing(Due due) {
        Entry entry = due.entry();
        boolean gone =
                entry.is(Event.Kind.STATUS) && deletes.containsKey(entry.event().subject());
        return gone || (showsDeleted(entry) && !(due.whole() && due.less()));
    }

    /** Whether that is the body of it in a form that is wanted. */
    static boolean isDue(Due due, int digest) {
        return (due.whole() && due.entry().whole().is(digest))
                || (due.less() && due.entry().less().is(digest));
    }
}

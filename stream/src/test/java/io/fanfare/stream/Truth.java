package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** What the publisher knows: every event with its number, by which what clients heard is judged. Filters are asked one by one and plainly, without any index. For one thread, but {@link #tip}. */
final class Truth {
    /**
     * One event.
     *
     * @param digest of its body
     */
    record Entry(long seq, Event event, StreamEvent asked, int digest) {}

    private final TreeMap<Long, Entry> bySeq = new TreeMap<>();
    private final Map<String, Entry> byId = new HashMap<>();
    private final Set<Long> deleted = new HashSet<>();
    private final Map<StreamFilter, List<Entry>> wanted = new HashMap<>();
    private volatile long tip;

    /** @param match of a delete: that of its status, which the log has added by itself */
    void add(long seq, Event event, String match) {
        Event whole = new Event(
                event.kind(), event.subject(), event.actor(), event.target(), event.visibility(), match, event.body());
        Entry entry = new Entry(seq, whole, new StreamEvent(new LoggedEvent("", seq, 0, whole)), digest(event.body()));
        bySeq.put(seq, entry);
        byId.put(event.id(), entry);
        if (event.kind() == Event.Kind.DELETE) {
            deleted.add(event.subject());
        }
        tip = Math.max(tip, seq);
    }

    /** The highest number that the publisher has been told; for any thread. */
    long tip() {
        return tip;
    }

    int size() {
        return bySeq.size();
    }

    Entry at(long seq) {
        return bySeq.get(seq);
    }

    /** Null when it never got a number. */
    Entry of(String eventId) {
        return byId.get(eventId);
    }

    /** Everything that the filter wants, in order. */
    List<Entry> wanted(StreamFilter filter) {
        return wanted.computeIfAbsent(filter, f -> {
            List<Entry> entries = new ArrayList<>();
            for (Entry entry : bySeq.values()) {
                if (f.wants(entry.asked())) {
                    entries.add(entry);
                }
            }
            return entries;
        });
    }

    /** A status that was deleted later may have been gone before a client asked for it. */
    boolean mayBeGone(Entry entry) {
        return entry.event().kind() == Event.Kind.STATUS
                && deleted.contains(entry.event().subject());
    }

    static int digest(String body) {
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }
}

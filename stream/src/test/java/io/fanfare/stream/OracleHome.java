package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a viewer's home tells, by the publisher's books: plain sets, and of each author at most one change, a follow or
 * its end. The graph is changed right before the event of that gets its place, and nothing is published in between. As
 * a filter it wants whatever may be told; {@link #duty} says what of it must.
 */
final class OracleHome implements StreamFilter {
    /** What is said of an event. */
    enum Duty {
        MUST,
        MAY,
        NOT
    }

    private final long viewer;
    private final Set<Long> followedAtFirst;

    /** Where an author was followed or unfollowed. */
    private final Map<Long, Long> changedAt = new ConcurrentHashMap<>();

    OracleHome(long viewer, Set<Long> followedAtFirst) {
        this.viewer = viewer;
        this.followedAtFirst = Set.copyOf(followedAtFirst);
    }

    long viewer() {
        return viewer;
    }

    boolean followedAtFirst(long author) {
        return followedAtFirst.contains(author);
    }

    boolean isChanged(long author) {
        return changedAt.containsKey(author);
    }

    void change(long author, long place) {
        changedAt.put(author, place);
    }

    @Override
    public boolean wants(StreamEvent event) {
        boolean told = event.kind() == Event.Kind.STATUS || event.kind() == Event.Kind.DELETE;
        long author = event.event().actor();
        return told && (followedAtFirst(author) || isChanged(author));
    }

    /**
     * Whether a connection must be told. Whom the viewer follows is read while it is opened, and counts for the past;
     * from there on the order counts. So a change is in force throughout when it was made before the connection was
     * asked for, and from its place on when it was made after the connection had said its first word. Only of one that
     * is made in between nobody can say what holds for what happened before it.
     *
     * @param asked tip of the log when the connection was asked for
     * @param open place that nothing had reached when it had said its first word; the end of all when whom the viewer
     *     follows may have been read again later on
     */
    Duty duty(Truth.Entry entry, long asked, long open) {
        long author = entry.event().actor();
        Long changed = changedAt.get(author);
        boolean atFirst = followedAtFirst(author);
        if (changed == null) {
            return duty(atFirst);
        }
        if (changed <= asked || entry.place() > changed) {
            return duty(!atFirst);
        }
        return changed > open ? duty(atFirst) : Duty.MAY;
    }

    private static Duty duty(boolean followed) {
        return followed ? Duty.MUST : Duty.NOT;
    }
}

package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The events of a viewer's home, by the publisher's books: plain sets, and of each author at most one change, a follow
 * or its end. The graph is changed right before the event of that gets its place, and nothing is published in between.
 * As a filter it wants every event that may be sent; {@link #duty} says which must be.
 */
final class OracleHome implements StreamFilter {
    /** The verdict on an event. */
    enum Duty {
        MUST,
        MAY,
        NOT
    }

    private final long viewer;
    private final Set<Long> followedAtFirst;

    /** By the original: it and its reposts, with their authors. */
    private final Map<Long, Map<Long, Long>> authors = new ConcurrentHashMap<>();

    /** The original of each repost. */
    private final Map<Long, Long> originals = new ConcurrentHashMap<>();

    /** The place at which an author was followed or unfollowed. */
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

    /** Takes note of a status, in the order of the log. */
    void note(Event status) {
        MatchFields match = MatchFields.decode(status.match());
        boolean repost = match.kind() == Post.Kind.REPOST && !match.shown().isEmpty();
        long original = repost ? Math.abs(match.shown().get(0)) : status.subject();
        authors.computeIfAbsent(original, none -> new ConcurrentHashMap<>()).put(status.subject(), status.actor());
        if (repost) {
            originals.put(status.subject(), original);
        }
    }

    /** Whether it is a repost that is left out where another of the same was told lately. */
    private boolean mayBeFolded(long status) {
        Long original = originals.get(status);
        return original != null
                && authors.get(original).entrySet().stream()
                        .anyMatch(other -> other.getKey() != status && wants(other.getValue()));
    }

    @Override
    public boolean wants(StreamEvent event) {
        boolean isOfStatus = event.kind() == Event.Kind.STATUS || event.kind() == Event.Kind.DELETE;
        return isOfStatus && wants(event.event().actor());
    }

    private boolean wants(long author) {
        return followedAtFirst(author) || isChanged(author);
    }

    /**
     * Whether a connection must be told. Whom the viewer follows is read while it is opened, and counts for the past;
     * from there on the order counts. So a change is in force throughout when it was made before the connection was
     * asked for, and from its place on when it was made after the connection had said its first word. Only of one that
     * is made in between nobody can say what holds for what happened before it.
     *
     * @param requested tip of the log when the connection was asked for
     * @param open place that nothing had reached when it had said its first word; the end of all when whom the viewer
     *     follows may have been read again later on
     */
    Duty duty(Truth.Entry entry, long requested, long open) {
        Duty duty = dutyOfFollows(entry, requested, open);
        // Where the other was depends on where the connection has begun.
        boolean mayBeLeftOut =
                entry.is(Event.Kind.STATUS) && mayBeFolded(entry.event().subject());
        return mayBeLeftOut && duty == Duty.MUST ? Duty.MAY : duty;
    }

    private Duty dutyOfFollows(Truth.Entry entry, long requested, long open) {
        long author = entry.event().actor();
        Long changed = changedAt.get(author);
        boolean atFirst = followedAtFirst(author);
        if (changed == null) {
            return duty(atFirst);
        }
        if (changed <= requested || entry.place() > changed) {
            return duty(!atFirst);
        }
        return changed > open ? duty(atFirst) : Duty.MAY;
    }

    private static Duty duty(boolean followed) {
        return followed ? Duty.MUST : Duty.NOT;
    }
}

package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.FilterMatch;
import io.fanfare.common.model.Post;
import io.fanfare.common.text.ViewerFilters;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The filters of one viewer with open streams, as they were read last. Confined to one event loop. */
public final class FilterMarks {
    private final long viewer;
    private final InstantSource clock;
    private final Set<Runnable> listeners = new LinkedHashSet<>();
    private ViewerFilters filters = ViewerFilters.NONE;
    private boolean known;
    private long readings;
    private long applied;

    /** @param clock says which filters have expired */
    public FilterMarks(long viewer, InstantSource clock) {
        this.viewer = viewer;
        this.clock = clock;
    }

    public long viewer() {
        return viewer;
    }

    /** Begins a reading; what an earlier one brings counts until this one has brought something. */
    public long read() {
        return ++readings;
    }

    /** Takes over the result of that reading, and notifies the marks' listeners if it is a change. */
    public void set(long reading, ViewerFilters fresh) {
        if (reading < applied) {
            return;
        }
        applied = reading;
        boolean changed = known && !fresh.version().equals(filters.version());
        filters = fresh;
        known = true;
        if (changed) {
            List.copyOf(listeners).forEach(Runnable::run);
        }
    }

    /** Runs whenever the filters have changed, until it is {@link #forget forgotten}; must not throw. */
    public void whenChanged(Runnable run) {
        boolean unused = listeners.add(run);
    }

    public void forget(Runnable run) {
        boolean unused = listeners.remove(run);
    }

    boolean isEmpty() {
        return filters == ViewerFilters.NONE;
    }

    /** The event of a status with what matches it; null = nothing does. One's own words are never filtered. */
    LoggedEvent marked(StreamEvent event) {
        Event.Kind kind = event.kind();
        if (isEmpty() || (kind != Event.Kind.STATUS && kind != Event.Kind.EDIT)) {
            return null;
        }
        MatchFields fields = event.matchFields();
        boolean repost = fields.kind() == Post.Kind.REPOST;
        long author = repost ? fields.originalAuthorId() : event.event().actor();
        if (author == viewer) {
            return null;
        }
        String text = repost ? fields.originalText() : fields.text();
        String besides = Filtered.besidesText(event.logged());
        long id = event.event().status();
        long subject =
                repost && !fields.shown().isEmpty() ? Math.abs(fields.shown().get(0)) : id;
        String all = besides.isEmpty() ? text : besides + "\n\n" + text;
        List<FilterMatch> matches = filters.matches(all, subject, id, clock.millis());
        return matches.isEmpty() ? null : Filtered.of(event.logged(), matches);
    }
}

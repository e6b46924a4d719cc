package io.fanfare.stream.session;

import io.fanfare.common.event.Event;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.text.ViewerFilters;
import io.fanfare.redis.Redis;
import io.fanfare.stream.filter.FilterMarks;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filters of all viewers with open streams that go by them: read when a stream opens, and again when the event of a
 * change passes by. A status that is sent in the moment between is judged by the filters before. Confined to one event
 * loop.
 */
public final class FilterMarksCache {
    private static final Logger LOG = LoggerFactory.getLogger(FilterMarksCache.class);

    private final InstantSource clock;
    private final ViewerStates<FilterMarks> states;

    /**
     * @param retry does something again after a pause
     * @param clock says which filters have expired
     */
    FilterMarksCache(Redis redis, Consumer<Runnable> retry, InstantSource clock) {
        this.clock = clock;
        this.states = new ViewerStates<>(LOG, "filters", marks -> read(redis, marks), marks -> true, retry);
    }

    /** The marks of a viewer, read. They are kept up as long as somebody holds them. */
    public Future<FilterMarks> of(long viewer) {
        return states.of(viewer, fresh -> new FilterMarks(fresh, clock));
    }

    /** Takes an event of the log into account: terms of an account with itself may be a change of its filters. */
    void receive(Event event) {
        if (event.kind() == Event.Kind.TERMS && event.actor() == event.target()) {
            FilterMarks marks = states.known(event.actor());
            if (marks != null) {
                states.readAgain(marks);
            }
        }
    }

    /** Events have been missed. */
    void readAgain() {
        states.readAllAgain(marks -> {});
    }

    private static Future<Void> read(Redis redis, FilterMarks marks) {
        long reading = marks.read();
        return UserFilters.read(redis, marks.viewer())
                .onSuccess(all -> marks.set(reading, ViewerFilters.of(all.version(), all.filters())))
                .mapEmpty();
    }
}

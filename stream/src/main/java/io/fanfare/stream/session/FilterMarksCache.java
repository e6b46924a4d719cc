package io.fanfare.stream.session;

import io.fanfare.common.event.Event;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.text.ViewerFilters;
import io.fanfare.stream.filter.FilterMarks;
import io.vertx.core.Future;
import java.lang.ref.WeakReference;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
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

    /** Viewers whose filters are read anew at once. */
    private static final int READS_MAX = 32;

    private final Redis redis;
    private final Consumer<Runnable> retry;
    private final InstantSource clock;

    /** Held by nothing but the streams that go by them, so that they go with the last. */
    private final Map<Long, WeakReference<FilterMarks>> held = new HashMap<>();

    private final ArrayDeque<WeakReference<FilterMarks>> unread = new ArrayDeque<>();
    private int onTheWay;
    private int sweepAt = 64;

    /**
     * @param retry does something again after a pause
     * @param clock says which filters have expired
     */
    FilterMarksCache(Redis redis, Consumer<Runnable> retry, InstantSource clock) {
        this.redis = redis;
        this.retry = retry;
        this.clock = clock;
    }

    /** Those of a viewer, read. They are kept up as long as somebody holds them. */
    public Future<FilterMarks> of(long viewer) {
        FilterMarks known = known(viewer);
        if (known != null) {
            return read(known).onFailure(cause -> readLater(known)).map(known);
        }
        sweep();
        FilterMarks marks = new FilterMarks(viewer, clock);
        // Before they are read, so that no change is missed in between.
        held.put(viewer, new WeakReference<>(marks));
        return read(marks).map(marks);
    }

    /** Takes an event of the log into account: terms of an account with itself may be a change of its filters. */
    void hear(Event event) {
        if (event.kind() == Event.Kind.TERMS && event.actor() == event.target()) {
            FilterMarks marks = known(event.actor());
            if (marks != null) {
                readLater(marks);
            }
        }
    }

    private void readLater(FilterMarks marks) {
        unread.add(new WeakReference<>(marks));
        next();
    }

    /** Events have been missed: all are read anew, a few at a time. */
    void readAgain() {
        unread.clear();
        unread.addAll(held.values());
        next();
    }

    private void next() {
        while (onTheWay < READS_MAX && !unread.isEmpty()) {
            FilterMarks marks = unread.poll().get();
            if (marks != null) {
                onTheWay++;
                read(marks).onComplete(read -> goOn(), cause -> putOff(marks, cause));
            }
        }
    }

    private void goOn() {
        onTheWay--;
        next();
    }

    /** Its place stays taken during the pause, so that Redis is not asked the faster for being away. */
    private void putOff(FilterMarks marks, Throwable cause) {
        LOG.warn("filters not read viewer={} reason={}", marks.viewer(), cause.getMessage());
        WeakReference<FilterMarks> again = new WeakReference<>(marks);
        retry.accept(() -> {
            unread.add(again);
            goOn();
        });
    }

    private Future<Void> read(FilterMarks marks) {
        long reading = marks.read();
        return UserFilters.read(redis, marks.viewer())
                .onSuccess(all -> marks.set(reading, ViewerFilters.of(all.version(), all.filters())))
                .mapEmpty();
    }

    private FilterMarks known(long viewer) {
        WeakReference<FilterMarks> reference = held.get(viewer);
        return reference == null ? null : reference.get();
    }

    /** Now and then, so that each opening pays for a constant part of it. */
    private void sweep() {
        if (held.size() >= sweepAt) {
            held.values().removeIf(reference -> reference.get() == null);
            sweepAt = Math.max(64, 2 * held.size());
        }
    }
}

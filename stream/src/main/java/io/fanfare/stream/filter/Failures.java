package io.fanfare.stream.filter;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs the exceptions on one event loop that end a single stream, or leave out a single event or page, while
 * everything else goes on. Each place in the code is logged once; the log holds no message of an exception, since
 * messages may quote texts. Written by that loop alone; other threads read counts that are a moment old.
 */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    /** Places remembered; failures at further ones are only counted. */
    private static final int PLACES_MAX = 100;

    /** The part that an exception ended. */
    public enum Scope {
        /** One stream or socket: its client gets {@code disconnect} 10. */
        STREAM,
        /** One event: streams go on behind it. */
        EVENT,
        /** One page of the log: the streams that need it end. */
        PAGE,
        /** One turn of the hub or the relay: the next one goes on. */
        TURN
    }

    private static final class Count {
        long failures;
    }

    private final Map<Scope, Count> counts = new EnumMap<>(Scope.class);
    private final Set<String> places = new HashSet<>();
    private long unknownEvents;

    public Failures() {
        for (Scope what : Scope.values()) {
            counts.put(what, new Count());
        }
    }

    /** Counts a failure, and logs it when it is the first of its place. */
    public void add(Scope what, Throwable cause) {
        counts.get(what).failures++;
        String place = what + " " + cause.getClass().getName() + " " + place(cause);
        if (places.size() < PLACES_MAX && places.add(place)) {
            LOG.error(
                    "failure of ours, logged once failed={} cause={}",
                    what.name().toLowerCase(Locale.ROOT),
                    cause.getClass().getName(),
                    withoutMessage(cause));
        }
    }

    private static String place(Throwable cause) {
        StackTraceElement[] frames = cause.getStackTrace();
        return frames.length == 0 ? "" : frames[0].toString();
    }

    private static Throwable withoutMessage(Throwable cause) {
        Throwable bare = new Throwable(cause.getClass().getName());
        bare.setStackTrace(cause.getStackTrace());
        return bare;
    }

    /** Counts an event of the log that was left out since it cannot be read; who found it has logged it. */
    public void unreadableEvent() {
        counts.get(Scope.EVENT).failures++;
    }

    /** Counts an event of a kind that only newer versions know. */
    public void unknownEvent() {
        unknownEvents++;
    }

    public long count(Scope what) {
        return counts.get(what).failures;
    }

    public long unknownEvents() {
        return unknownEvents;
    }
}

package io.fanfare.stream.session;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.slf4j.Logger;

/**
 * States that the streams of an event loop use, one for each viewer. A state is read when a viewer's stream opens, and
 * again when it may have changed, a few at a time and until that succeeds. It is kept up as long as somebody holds it.
 * Confined to one event loop.
 */
final class ViewerStates<T> {
    /** Read again at once: the same connection to Redis brings what is new. */
    private static final int READS_MAX = 32;

    private final Logger log;
    private final String what;
    private final Function<T, Future<Void>> reader;
    private final Predicate<T> isDue;
    private final Consumer<Runnable> retry;

    /** Held by nothing but the streams that go by them, so that they go with the last. */
    private final Map<Long, WeakReference<T>> held = new HashMap<>();

    /** By the state itself, which need not have equality. */
    private final IdentityHashMap<T, OpeningRead> openingReads = new IdentityHashMap<>();

    /** The states to be read again. */
    private final ArrayDeque<WeakReference<T>> unread = new ArrayDeque<>();

    /** States that could not be read, and are read again until it succeeds. */
    private final Set<Object> late = new HashSet<>();

    /** A read for streams that open, and the one after it for those that come meanwhile. */
    private static final class OpeningRead {
        /** Null while nobody waits for it. */
        private Promise<Void> next;
    }

    private int onTheWay;
    private boolean failing;
    private int sweepAt = 64;

    /**
     * @param log gets one line for an outage, and one for its end
     * @param what cannot be read then
     * @param reader reads one
     * @param isDue whether one that was to be read again still is
     * @param retry does something again after a pause
     */
    ViewerStates(
            Logger log, String what, Function<T, Future<Void>> reader, Predicate<T> isDue, Consumer<Runnable> retry) {
        this.log = log;
        this.what = what;
        this.reader = reader;
        this.isDue = isDue;
        this.retry = retry;
    }

    /**
     * The state of a viewer, as Redis has it at the time of this call or later. Calls that come while it is read share
     * the next read: a state may have thousands of entries, and a socket may subscribe to twenty streams at once.
     */
    Future<T> of(long viewer, LongFunction<T> fresh) {
        T known = known(viewer);
        if (known != null) {
            return readShared(known).map(known);
        }
        sweep();
        T made = fresh.apply(viewer);
        // Before it is read, so that no change is missed in between.
        held.put(viewer, new WeakReference<>(made));
        return readShared(made).map(made);
    }

    private Future<Void> readShared(T state) {
        OpeningRead current = openingReads.get(state);
        if (current == null) {
            return beginShared(state);
        }
        if (current.next == null) {
            current.next = Promise.promise();
        }
        return current.next.future();
    }

    private Future<Void> beginShared(T state) {
        OpeningRead current = new OpeningRead();
        openingReads.put(state, current);
        return read(state).onComplete(ended -> {
            openingReads.remove(state);
            if (current.next != null) {
                beginShared(state).onComplete(current.next);
            }
        });
    }

    /** That of a viewer, if a stream holds it; else null. */
    T known(long viewer) {
        WeakReference<T> reference = held.get(viewer);
        return reference == null ? null : reference.get();
    }

    /** Has one read again. */
    void readAgain(T state) {
        unread.add(new WeakReference<>(state));
        next();
    }

    /** Events have been missed: has all read again. */
    void readAllAgain(Consumer<T> first) {
        unread.clear();
        held.values().forEach(reference -> {
            T state = reference.get();
            if (state != null) {
                first.accept(state);
                unread.add(reference);
            }
        });
        next();
    }

    private void next() {
        while (onTheWay < READS_MAX && !unread.isEmpty()) {
            T state = unread.poll().get();
            if (state != null && isDue.test(state)) {
                onTheWay++;
                read(state).onComplete(read -> goOn(), cause -> putOff(state, cause));
            }
        }
    }

    private void goOn() {
        onTheWay--;
        next();
    }

    /** Its place stays taken during the pause, so that an outage does not make reads more frequent. */
    private void putOff(T state, Throwable cause) {
        failed(state, cause);
        WeakReference<T> again = new WeakReference<>(state);
        retry.accept(() -> {
            unread.add(again);
            goOn();
        });
    }

    private Future<Void> read(T state) {
        return reader.apply(state).onSuccess(read -> worked(state));
    }

    /** Notes a read that failed, and will be repeated. */
    void failed(Object question, Throwable cause) {
        late.add(question);
        if (!failing) {
            failing = true;
            log.warn("{} not read reason={}", what, cause.getMessage());
        }
    }

    /** An outage may be that of one node among several: it is over when nothing is late any more. */
    void worked(Object question) {
        late.remove(question);
        if (failing && late.isEmpty()) {
            failing = false;
            log.info("{} read again", what);
        }
    }

    /** Now and then, so that each opening pays for a constant part of it. */
    private void sweep() {
        if (held.size() >= sweepAt) {
            held.values().removeIf(reference -> reference.get() == null);
            sweepAt = Math.max(64, 2 * held.size());
        }
    }
}

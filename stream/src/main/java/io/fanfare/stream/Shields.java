package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.fanfare.common.store.Sights;
import io.fanfare.stream.filter.Shield;
import io.vertx.core.Future;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shields of all viewers with open streams: read when a viewer's first stream opens, and kept up by the events of blocks and mutes that pass by. Events only say whom to ask
 * about: they may come in another order than the changes did. Confined to one event loop.
 */
final class Shields {
    private static final Logger LOG = LoggerFactory.getLogger(Shields.class);

    /** Shields being read anew at once: the same connection to Redis brings what is new. */
    private static final int READS_MAX = 32;

    private final Sights sights;
    private final Consumer<Runnable> retry;

    /** Held by nothing but the streams that go by them, so that they go with the last. */
    private final Map<Long, WeakReference<Shield>> held = new HashMap<>();

    /** Those to be read anew. */
    private final ArrayDeque<WeakReference<Shield>> unread = new ArrayDeque<>();

    /** What could not be read, and is asked for again until it is: shields, and how many questions about one account. */
    private final Set<Shield> late = new HashSet<>();

    private int lateQuestions;
    private int onTheWay;
    private boolean failing;
    private int sweepAt = 64;

    /** @param retry does something again after a pause */
    Shields(Sights sights, Consumer<Runnable> retry) {
        this.sights = sights;
        this.retry = retry;
    }

    /** That of a viewer, read. It is kept up as long as somebody holds it. */
    Future<Shield> of(long viewer) {
        Shield known = known(viewer);
        if (known != null) {
            return read(known).map(known);
        }
        sweep();
        Shield shield = new Shield(viewer);
        // Before it is read, so that no change is missed in between.
        held.put(viewer, new WeakReference<>(shield));
        return read(shield).map(shield);
    }

    /** Takes an event of the log into account. */
    void hear(Event event) {
        switch (event.kind()) {
            case BLOCK, UNBLOCK -> {
                turned(event, event.actor(), event.target());
                turned(event, event.target(), event.actor());
            }
            case MUTE, UNMUTE -> turned(event, event.actor(), event.target());
            case STATUS, DELETE, FOLLOW, UNFOLLOW, NOTIFICATION -> {}
        }
    }

    private void turned(Event event, long viewer, long other) {
        Shield shield = known(viewer);
        if (shield == null) {
            return;
        }
        // What is to be hidden is hidden at once; what is to be shown again waits for the store's word.
        if (event.kind() == Event.Kind.BLOCK) {
            shield.block(other);
        } else if (event.kind() == Event.Kind.MUTE) {
            shield.mute(other);
        }
        ask(shield, other, /* again= */ false);
    }

    private void ask(Shield shield, long other, boolean again) {
        long question = shield.ask(other);
        sights.of(shield.viewer(), List.of(other))
                .onComplete(
                        sight -> {
                            lateQuestions -= again ? 1 : 0;
                            worked();
                            shield.set(other, question, sight);
                        },
                        cause -> {
                            lateQuestions += again ? 0 : 1;
                            failed(cause);
                            retry.accept(() -> ask(shield, other, /* again= */ true));
                        });
    }

    /** Events have been missed: all is read anew, a few at a time, and streams wait for the shields that they go by. */
    void readAgain() {
        unread.clear();
        held.values().forEach(reference -> {
            Shield shield = reference.get();
            if (shield != null) {
                shield.doubt();
                unread.add(reference);
            }
        });
        next();
    }

    private void next() {
        while (onTheWay < READS_MAX && !unread.isEmpty()) {
            Shield shield = unread.poll().get();
            // It may have been read for somebody who came meanwhile.
            if (shield != null && !shield.isKnown()) {
                onTheWay++;
                read(shield).onComplete(read -> goOn(), cause -> putOff(shield, cause));
            }
        }
    }

    private void goOn() {
        onTheWay--;
        next();
    }

    /** Its place stays taken during the pause, so that Redis is not asked the faster for being away. */
    private void putOff(Shield shield, Throwable cause) {
        late.add(shield);
        failed(cause);
        WeakReference<Shield> again = new WeakReference<>(shield);
        retry.accept(() -> {
            unread.add(again);
            goOn();
        });
    }

    private void failed(Throwable cause) {
        if (!failing) {
            failing = true;
            LOG.warn("blocks and mutes not read reason={}", cause.getMessage());
        }
    }

    /** An outage may be that of one node among several: it is over when nothing is late any more. */
    private void worked() {
        if (failing && late.isEmpty() && lateQuestions == 0) {
            failing = false;
            LOG.info("blocks and mutes read again");
        }
    }

    private Future<Void> read(Shield shield) {
        long reading = shield.read();
        return sights.allHidden(shield.viewer())
                .onSuccess(hidden -> {
                    late.remove(shield);
                    worked();
                    shield.set(reading, hidden);
                })
                .mapEmpty();
    }

    private Shield known(long viewer) {
        WeakReference<Shield> reference = held.get(viewer);
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

package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.fanfare.common.store.Sights;
import io.fanfare.stream.filter.Shield;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shields of all viewers with open streams: read when a viewer's first stream opens, and kept up by the events of blocks and mutes that pass by. Events only say whom to ask about:
 * they may come in another order than the changes did. Confined to one event loop.
 */
final class Shields {
    private static final Logger LOG = LoggerFactory.getLogger(Shields.class);
    private static final long RETRY_MILLIS = 1000;

    private final Vertx vertx;
    private final Sights sights;

    /** Held by nothing but the streams that go by them, so that they go with the last. */
    private final Map<Long, WeakReference<Shield>> held = new HashMap<>();

    private int sweepAt = 64;

    Shields(Vertx vertx, Sights sights) {
        this.vertx = vertx;
        this.sights = sights;
    }

    /** That of a viewer, ready. It is kept up as long as somebody holds it. */
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
        ask(shield, other);
    }

    private void ask(Shield shield, long other) {
        long question = shield.ask(other);
        sights.of(shield.viewer(), List.of(other))
                .onSuccess(sight -> shield.set(other, question, sight))
                .onFailure(cause -> again(cause, () -> ask(shield, other)));
    }

    /** Events have been missed: all is read anew. */
    void readAgain() {
        List<WeakReference<Shield>> all = new ArrayList<>(held.values());
        all.stream().map(WeakReference::get).filter(Objects::nonNull).forEach(this::readOn);
    }

    private void readOn(Shield shield) {
        read(shield).onFailure(cause -> again(cause, () -> readOn(shield)));
    }

    private void again(Throwable cause, Runnable question) {
        LOG.warn("blocks and mutes not read reason={}", cause.getMessage());
        vertx.setTimer(RETRY_MILLIS, later -> question.run());
    }

    private Future<Void> read(Shield shield) {
        return sights.allHidden(shield.viewer()).onSuccess(shield::set).mapEmpty();
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

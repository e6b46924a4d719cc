package io.fanfare.stream.session;

import io.fanfare.common.event.Event;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.stream.filter.HiddenAccounts;
import io.vertx.core.Future;
import java.lang.ref.WeakReference;
import java.time.InstantSource;
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
 * The hidden accounts of all viewers with open streams: read when a viewer's first stream opens, and kept up by the
 * events of blocks and mutes that pass by. Events only say whom to ask about: they may come in another order than the
 * changes did. Confined to one event loop.
 */
public final class HiddenAccountsCache {
    private static final Logger LOG = LoggerFactory.getLogger(HiddenAccountsCache.class);

    /** Shields being read anew at once: the same connection to Redis brings what is new. */
    private static final int READS_MAX = 32;

    private final ViewerRelationshipsReader viewerRelationships;
    private final Consumer<Runnable> retry;
    private final InstantSource clock;

    /** Held by nothing but the streams that go by them, so that they go with the last. */
    private final Map<Long, WeakReference<HiddenAccounts>> held = new HashMap<>();

    /** Those to be read anew. */
    private final ArrayDeque<WeakReference<HiddenAccounts>> unread = new ArrayDeque<>();

    /**
     * What could not be read, and is asked for again until it is: hidden accounts of viewers, and how many questions
     * about one account.
     */
    private final Set<HiddenAccounts> late = new HashSet<>();

    private int lateQuestions;
    private int onTheWay;
    private boolean failing;
    private int sweepAt = 64;

    /**
     * @param retry does something again after a pause
     * @param clock says which mutes have ended
     */
    public HiddenAccountsCache(
            ViewerRelationshipsReader viewerRelationships, Consumer<Runnable> retry, InstantSource clock) {
        this.clock = clock;
        this.viewerRelationships = viewerRelationships;
        this.retry = retry;
    }

    /** That of a viewer, read. It is kept up as long as somebody holds it. */
    public Future<HiddenAccounts> of(long viewer) {
        HiddenAccounts known = known(viewer);
        if (known != null) {
            return read(known).map(known);
        }
        sweep();
        HiddenAccounts hiddenAccounts = new HiddenAccounts(viewer, clock);
        // Before it is read, so that no change is missed in between.
        held.put(viewer, new WeakReference<>(hiddenAccounts));
        return read(hiddenAccounts).map(hiddenAccounts);
    }

    /** Takes an event of the log into account. */
    void hear(Event event) {
        switch (event.kind()) {
            case BLOCK, UNBLOCK -> {
                turned(event, event.actor(), event.target());
                turned(event, event.target(), event.actor());
            }
            case MUTE, UNMUTE -> turned(event, event.actor(), event.target());
            case STATUS, EDIT, DELETE, FOLLOW, UNFOLLOW, NOTIFICATION, TERMS, CONVERSATION -> {}
        }
    }

    private void turned(Event event, long viewer, long other) {
        HiddenAccounts hiddenAccounts = known(viewer);
        if (hiddenAccounts == null) {
            return;
        }
        // What is to be hidden is hidden at once; what is to be shown again waits for the store's word.
        if (event.kind() == Event.Kind.BLOCK) {
            hiddenAccounts.block(other);
        } else if (event.kind() == Event.Kind.MUTE) {
            hiddenAccounts.mute(other);
        }
        ask(hiddenAccounts, other, /* again= */ false);
    }

    private void ask(HiddenAccounts hiddenAccounts, long other, boolean again) {
        long question = hiddenAccounts.ask(other);
        viewerRelationships
                .of(hiddenAccounts.viewer(), List.of(other))
                .onComplete(
                        relationships -> {
                            lateQuestions -= again ? 1 : 0;
                            worked();
                            hiddenAccounts.set(other, question, relationships);
                        },
                        cause -> {
                            lateQuestions += again ? 0 : 1;
                            failed(cause);
                            retry.accept(() -> ask(hiddenAccounts, other, /* again= */ true));
                        });
    }

    /**
     * Events have been missed: all is read anew, a few at a time, and streams wait for the hidden accounts that they
     * use.
     */
    void readAgain() {
        unread.clear();
        held.values().forEach(reference -> {
            HiddenAccounts hiddenAccounts = reference.get();
            if (hiddenAccounts != null) {
                hiddenAccounts.doubt();
                unread.add(reference);
            }
        });
        next();
    }

    private void next() {
        while (onTheWay < READS_MAX && !unread.isEmpty()) {
            HiddenAccounts hiddenAccounts = unread.poll().get();
            // It may have been read for somebody who came meanwhile.
            if (hiddenAccounts != null && !hiddenAccounts.isKnown()) {
                onTheWay++;
                read(hiddenAccounts).onComplete(read -> goOn(), cause -> putOff(hiddenAccounts, cause));
            }
        }
    }

    private void goOn() {
        onTheWay--;
        next();
    }

    /** Its place stays taken during the pause, so that Redis is not asked the faster for being away. */
    private void putOff(HiddenAccounts hiddenAccounts, Throwable cause) {
        late.add(hiddenAccounts);
        failed(cause);
        WeakReference<HiddenAccounts> again = new WeakReference<>(hiddenAccounts);
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

    private Future<Void> read(HiddenAccounts hiddenAccounts) {
        long reading = hiddenAccounts.read();
        return viewerRelationships
                .allHidden(hiddenAccounts.viewer())
                .onSuccess(hidden -> {
                    late.remove(hiddenAccounts);
                    worked();
                    hiddenAccounts.set(reading, hidden);
                })
                .mapEmpty();
    }

    private HiddenAccounts known(long viewer) {
        WeakReference<HiddenAccounts> reference = held.get(viewer);
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

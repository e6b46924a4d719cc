package io.fanfare.stream.session;

import io.fanfare.common.event.Event;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.stream.filter.HiddenAccounts;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hidden accounts of all viewers with open streams: read when a stream opens, and kept up by the events of blocks
 * and mutes that pass by. Events only say whom to ask about: they may come in another order than the changes did.
 * Confined to one event loop.
 */
public final class HiddenAccountsCache {
    private static final Logger LOG = LoggerFactory.getLogger(HiddenAccountsCache.class);

    private final ViewerRelationshipsReader viewerRelationships;
    private final Consumer<Runnable> retry;
    private final InstantSource clock;
    private final ViewerStates<HiddenAccounts> states;

    /**
     * @param retry does something again after a pause
     * @param clock says which mutes have ended
     */
    public HiddenAccountsCache(
            ViewerRelationshipsReader viewerRelationships, Consumer<Runnable> retry, InstantSource clock) {
        this.clock = clock;
        this.viewerRelationships = viewerRelationships;
        this.retry = retry;
        // One may have been read for somebody who came meanwhile.
        this.states = new ViewerStates<>(
                LOG, "blocks and mutes", this::read, hiddenAccounts -> !hiddenAccounts.isKnown(), retry);
    }

    /** That of a viewer, read. It is kept up as long as somebody holds it. */
    public Future<HiddenAccounts> of(long viewer) {
        return states.of(viewer, fresh -> new HiddenAccounts(fresh, clock));
    }

    /** Takes an event of the log into account. */
    void receive(Event event) {
        switch (event.kind()) {
            case BLOCK, UNBLOCK -> {
                turned(event, event.actor(), event.target());
                turned(event, event.target(), event.actor());
            }
            case MUTE, UNMUTE -> turned(event, event.actor(), event.target());
            default -> {} // Nobody becomes hidden or visible by it.
        }
    }

    private void turned(Event event, long viewer, long other) {
        HiddenAccounts hiddenAccounts = states.known(viewer);
        if (hiddenAccounts == null) {
            return;
        }
        // What is to be hidden is hidden at once; what is to be shown again waits for the store's word.
        if (event.kind() == Event.Kind.BLOCK) {
            hiddenAccounts.block(other);
        } else if (event.kind() == Event.Kind.MUTE) {
            hiddenAccounts.mute(other);
        }
        ask(hiddenAccounts, other, new Object());
    }

    /** @param attempt stands for the question, however often it is repeated */
    private void ask(HiddenAccounts hiddenAccounts, long other, Object attempt) {
        long question = hiddenAccounts.ask(other);
        viewerRelationships
                .of(hiddenAccounts.viewer(), List.of(other))
                .onComplete(
                        relationships -> {
                            states.worked(attempt);
                            hiddenAccounts.set(other, question, relationships);
                        },
                        cause -> {
                            states.failed(attempt, cause);
                            retry.accept(() -> ask(hiddenAccounts, other, attempt));
                        });
    }

    /** Events have been missed: streams wait until the hidden accounts that they use are read again. */
    void readAgain() {
        states.readAllAgain(HiddenAccounts::doubt);
    }

    private Future<Void> read(HiddenAccounts hiddenAccounts) {
        long reading = hiddenAccounts.read();
        return viewerRelationships
                .allHidden(hiddenAccounts.viewer())
                .onSuccess(hidden -> hiddenAccounts.set(reading, hidden))
                .mapEmpty();
    }
}

package io.fanfare.stream.filter;

import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.store.ViewerRelationshipsReader;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The accounts that a viewer hides or is hidden from. Streams use it instead of a query for each event. It shows the
 * present state, also for events that happened before. Shared by all streams of the viewer on an event loop, to which
 * it is confined.
 */
public final class HiddenAccounts {
    private final long viewer;
    private final Set<Long> blocked = new HashSet<>();

    /** Until when, ms. */
    private final Map<Long, Long> muted = new HashMap<>();

    private final InstantSource clock;

    /** Accounts that the store is reading, with the number of the last question: only its answer counts. */
    private final Map<Long, Long> pending = new HashMap<>();

    private long questions;

    /** Streams that wait until it is known. */
    private final List<Runnable> waiting = new ArrayList<>();

    private boolean known;
    private long readings;

    /** Only the answer to this reading, or to a later one, counts. */
    private long due;

    /**
     * One that is not known yet.
     *
     * @param clock says which mutes have ended
     */
    public HiddenAccounts(long viewer, InstantSource clock) {
        this.viewer = viewer;
        this.clock = clock;
    }

    public long viewer() {
        return viewer;
    }

    /** Whether it is as the store says; until then nobody may go by it. */
    public boolean isKnown() {
        return known;
    }

    /** Runs once it is known; at once if it is. */
    public void whenKnown(Runnable then) {
        if (known) {
            then.run();
        } else {
            waiting.add(then);
        }
    }

    /** A change may have been missed: it is known again with the answer to a reading that begins from now on. */
    public void doubt() {
        known = false;
        due = readings + 1;
    }

    /**
     * Begins to read about everybody; answers the number of the reading, for {@link #set(long,
     * ViewerRelationshipsReader.Hidden)}.
     */
    public long read() {
        return ++readings;
    }

    /** Whether it may hide anybody. */
    public boolean hides() {
        return !blocked.isEmpty() || !muted.isEmpty();
    }

    /**
     * Whether the viewer receives it. Deletes pass: a client that has the status must drop it. A status that shows one
     * of a hidden account is hidden, since its words are inside. Whether an event for the viewer alone comes of a muted
     * account was decided when it was published.
     */
    public boolean lets(StreamEvent event) {
        long actor = event.event().actor();
        return switch (event.kind()) {
            case STATUS, EDIT -> !hides(actor) && !hides(event.matchFields().originalAuthorId());
            case DELETE -> true;
            default ->
                switch (event.kind().audience()) {
                    case EVERYBODY -> !hides(actor);
                    case TARGET, CONVERSATIONS -> !blocked.contains(actor);
                    case INTERNAL -> true;
                };
        };
    }

    private boolean hides(long account) {
        return blocked.contains(account) || mutes(account);
    }

    private boolean mutes(long account) {
        Long end = muted.isEmpty() ? null : muted.get(account);
        return end != null && end > clock.millis();
    }

    /** Hides an account at once; to be confirmed. */
    public void block(long account) {
        blocked.add(account);
    }

    /** Hides an account at once; to be confirmed. */
    public void mute(long account) {
        muted.put(account, Long.MAX_VALUE);
    }

    /** Begins a question about an account; answers its number, for {@link #set}. */
    public long ask(long account) {
        pending.put(account, ++questions);
        return questions;
    }

    /** The store's answer about an account. One that a later question has overtaken does not count. */
    public void set(long account, long question, ViewerRelationships relationships) {
        if (pending.remove(account, question)) {
            put(blocked, account, relationships.blocks(account) || relationships.isBlockedBy(account));
            if (relationships.mutes(account)) {
                muted.put(account, relationships.muteEnd(account));
            } else {
                muted.remove(account);
            }
        }
    }

    /**
     * The store's answer about everybody; one that a later reading has overtaken does not count. Accounts with an open
     * question stay as they are until it is answered.
     */
    public void set(long reading, ViewerRelationshipsReader.Hidden hidden) {
        if (reading < due) {
            return;
        }
        due = reading;
        blocked.removeIf(
                account -> !pending.containsKey(account) && !hidden.blocked().contains(account));
        blocked.addAll(hidden.blocked());
        muted.keySet().removeIf(account -> !pending.containsKey(account));
        hidden.muted().forEach(muted::putIfAbsent);
        known = true;
        List<Runnable> ready = List.copyOf(waiting);
        waiting.clear();
        ready.forEach(Runnable::run);
    }

    private static void put(Set<Long> set, long account, boolean in) {
        if (in) {
            set.add(account);
        } else {
            set.remove(account);
        }
    }
}

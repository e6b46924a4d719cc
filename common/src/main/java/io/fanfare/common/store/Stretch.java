package io.fanfare.common.store;

import java.util.List;

/**
 * A run of status ids, newest first, and how far down it can be trusted: every id above {@code bound} (and below where the reading began) that its source holds is in it.
 * Whatever a timeline is put together from - home, profile, later outbox and archive - is read as one of these.
 *
 * @param bound 0 = nothing older exists
 */
public record Stretch(List<Long> ids, long bound) {
    /** The archive, until there is one: it holds nothing, down to the first id. */
    static final Stretch ARCHIVE = new Stretch(List.of(), 0);

    public Stretch {
        ids = List.copyOf(ids);
    }

    /** The newest {@code max} of it; what is cut off raises the bound. */
    Stretch newest(int max) {
        return ids.size() <= max ? this : new Stretch(ids.subList(0, max), Math.max(bound, ids.get(max)));
    }
}

package io.fanfare.core.feed;

import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which statuses of a timeline are shown when it folds reposts: a repost is left out when its original, or another
 * repost of that, is among the {@code window} statuses next below it, be that one left out or not (docs/feeds.md,
 * section 4). It is given the timeline from the top down; a repost is open until so many statuses have come below it,
 * or the timeline has ended. One use per instance; one event loop.
 */
final class RepostFold {
    private final int window;
    private final long floor;
    private final List<Status> statuses = new ArrayList<>(); // Null = it is folded.
    private final BitSet folded = new BitSet();
    private final Map<Long, Integer> lowestRepost = new HashMap<>(); // Of each original.
    private int firstRepost = Integer.MAX_VALUE; // Its place.
    private int decided; // So many statuses from the top are known to be shown or not.
    private boolean ended;

    /**
     * @param window 0 = nothing is left out
     * @param floor statuses up to this are never shown: they only decide about others
     */
    RepostFold(int window, long floor) {
        this.window = window;
        this.floor = floor;
    }

    /** Adds the statuses that come next below. */
    void add(List<Status> page) {
        for (Status status : page) {
            if (window > 0) {
                note(status, statuses.size());
            }
            statuses.add(status);
        }
        decide();
    }

    private void note(Status status, int at) {
        long original = status.subjectId();
        Integer above = lowestRepost.remove(original);
        if (above != null && at - above <= window) {
            folded.set(above);
            statuses.set(above, null);
        }
        if (status.kind() == Post.Kind.REPOST) {
            lowestRepost.put(original, at);
            firstRepost = Math.min(firstRepost, at);
        }
    }

    private void decide() {
        while (decided < statuses.size() && !isOpen(decided)) {
            decided++;
        }
    }

    private boolean isOpen(int at) {
        return !ended
                && window > 0
                && !folded.get(at)
                && statuses.get(at).kind() == Post.Kind.REPOST
                && statuses.size() - 1 - at < window;
    }

    /** The first so many that are shown, as far as that is known. */
    List<Status> shown(int max) {
        List<Status> shown = new ArrayList<>(Math.min(max, decided));
        for (int i = 0; i < decided && shown.size() < max; i++) {
            if (isCandidate(i)) {
                shown.add(statuses.get(i));
            }
        }
        return shown;
    }

    private boolean isCandidate(int at) {
        return !folded.get(at) && statuses.get(at).id() > floor;
    }

    /** Whether it is not known of everything above the floor whether that is shown. */
    boolean isOpen() {
        return decided < statuses.size() && statuses.get(decided).id() > floor;
    }

    /** How many more statuses it takes at least until the first so many are known that are shown. */
    int missing(int max) {
        int possible = 0;
        int forOpen = 0;
        for (int i = 0; i < statuses.size() && possible < max; i++) {
            if (isCandidate(i)) {
                possible++;
                forOpen = isOpen(i) ? window - (statuses.size() - 1 - i) : forOpen;
            }
        }
        return Math.max(max - possible, forOpen);
    }

    /**
     * Whether there are reposts among the first so many that are shown, or above one of them. Of a timeline without a
     * floor; none is known where nothing is left out.
     */
    boolean hasReposts(int max) {
        return firstRepost < max; // What is above the first repost is shown.
    }

    /** The timeline ends here: what is open is shown. */
    void end() {
        ended = true;
        decide();
    }

    /**
     * No more is read: what is above the first open one is all. If that is nothing, the open one is shown, so that a
     * client that goes on below it gets on.
     *
     * @return the id of the first that is left open; 0 = none is
     */
    long stop() {
        if (isOpen() && shown(1).isEmpty()) {
            decided++;
            decide();
        }
        return isOpen() ? statuses.get(decided).id() : 0;
    }
}

package io.fanfare.core.feed;

import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The same as {@link RepostFold} for a timeline that is given from the bottom up: what is shown is known at once, as
 * soon as it is known what stands below the first status. One use per instance; one event loop.
 */
final class UpwardRepostFold {
    private final int window;
    private final Map<Long, Integer> highest = new HashMap<>(); // Place of what was last seen of each original.
    private int count;
    private boolean knowsBelow;

    /** @param window 0 = nothing is left out */
    UpwardRepostFold(int window) {
        this.window = window;
    }

    /** Whether it cannot be told of these, which come next, without {@link #startAbove}. */
    boolean needsBelow(List<Status> next) {
        return !knowsBelow
                && next.stream()
                        .limit(Math.max(0, window - count))
                        .anyMatch(status -> status.kind() == Post.Kind.REPOST);
    }

    /** @param below what stands next below the first status, newest first: as many as the window has, or all */
    void startAbove(List<Status> below) {
        knowsBelow = true;
        for (int i = 0; i < below.size(); i++) {
            highest.putIfAbsent(below.get(i).subjectId(), -1 - i);
        }
    }

    /** The next statuses that are shown. */
    List<Status> shown(List<Status> next) {
        if (window == 0) {
            return next;
        }
        List<Status> shown = new ArrayList<>(next.size());
        for (Status status : next) {
            Integer below = highest.put(status.subjectId(), count);
            boolean folded = status.kind() == Post.Kind.REPOST && below != null && count - below <= window;
            count++;
            if (!folded) {
                shown.add(status);
            }
        }
        return shown;
    }
}

package io.fanfare.common.store;

import io.fanfare.redis.Reply;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The reply of ZMSCORE. */
public final class Scores {
    private Scores() {}

    /** The requested ids that the set has. Must not be changed. */
    public static Set<Long> members(List<Long> requested, Reply scores) {
        List<Reply> items = scores.items();
        Set<Long> members = Set.of(); // Nearly always.
        for (int i = 0; i < requested.size(); i++) {
            if (!items.get(i).isNil()) {
                members = members.isEmpty() ? new HashSet<>() : members;
                members.add(requested.get(i));
            }
        }
        return members;
    }
}

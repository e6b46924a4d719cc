package io.fanfare.common.store;

import io.fanfare.redis.BoundScript;

/** {@code link.lua}: the names of what it takes, and what it answers. */
final class LinkScript {
    /** Pairs of member and edge come after the named arguments. */
    static final BoundScript<KeyName, ArgName> LINK = BoundScript.load("link", KeyName.class, ArgName.class);

    static final long HAS_ENDED = -1;
    static final long DELETED = -3;

    private LinkScript() {}

    /** KEYS. */
    enum KeyName {
        SUBJECT,
        SET,
        ENDED,
        NOTIFICATIONS,
        IDS,
        BLOCKS,
        FORMER,
        SUBSCRIPTIONS,
        STATS,
        LANE,
        DELAYED
    }

    /** ARGV. */
    enum ArgName {
        NOW,
        SHARD,
        LIVING,
        COUNTER,
        NOTIFICATION,
        MAX
    }

    static SubjectEdges.Linked result(long answer) {
        if (answer == DELETED) {
            return SubjectEdges.Linked.DELETED;
        }
        return answer == HAS_ENDED ? SubjectEdges.Linked.HAS_ENDED : new SubjectEdges.Linked(answer, false, false);
    }
}

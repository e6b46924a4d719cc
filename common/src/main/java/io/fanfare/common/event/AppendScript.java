package io.fanfare.common.event;

import io.fanfare.redis.BoundScript;
import io.fanfare.redis.Reply;
import java.util.List;

/** {@code append.lua}: the names of what it takes, and what it answers. */
final class AppendScript {
    /** The hashes of subjects come after the named keys; runs, lines and subjects after the named arguments. */
    static final BoundScript<KeyName, ArgName> APPEND = BoundScript.load("append", KeyName.class, ArgName.class);

    private AppendScript() {}

    /** KEYS. */
    enum KeyName {
        SEQ,
        EPOCH,
        FLOOR,
        LOG,
        BATCHES,
        SUBJECTS_FROM
    }

    /** ARGV. */
    enum ArgName {
        CHANNEL,
        EPOCH,
        EVENTS_MAX,
        BYTES_MAX,
        RETENTION,
        OF_NOTIFICATIONS,
        NOW,
        KINDS,
        OF_A_BATCH,
        SHOWN_BY,
        RUNS
    }

    /** The number of each event after the call, 0, or {@link EventLog#STALE}; see {@link EventLog#append}. */
    static List<Long> seqs(Reply reply) {
        return reply.items().stream().map(Reply::asLong).toList();
    }
}

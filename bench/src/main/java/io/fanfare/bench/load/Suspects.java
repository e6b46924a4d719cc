package io.fanfare.bench.load;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.vertx.core.Future;
import java.util.Collections;

/** Jobs of a worker that died with its hands full. For the command's event loop. */
public final class Suspects {
    /** A worker has died once while it had them, and no run has failed. */
    private static final String ENVELOPE = "1 0 0 ";

    private final RedisLink link;
    private final String list;
    private final String stats;
    private final String line;

    /** Each of them delivers this status to the followers of its author. */
    public Suspects(RedisLink link, long author, long status) {
        this.link = link;
        int shard = Id.shard(author);
        this.list = Keys.lane(shard, "suspect");
        this.stats = Keys.queueStats(shard);
        this.line = ENVELOPE + JobCodec.encode(new Job.FanOut(author, status, 0));
    }

    /** Adds some, so that so many wait. */
    public Future<Void> fill(int count) {
        return link.send(Command.of("LLEN", list)).compose(waiting -> {
            int missing = (int) Math.max(0, count - waiting.asLong());
            return missing == 0 ? Future.succeededFuture() : add(missing);
        });
    }

    private Future<Void> add(int count) {
        return link.send(Command.of(
                        "LPUSH", list, Collections.nCopies(count, line).toArray()))
                .compose(pushed -> link.send(Command.of("HINCRBY", stats, "enqueued", count)))
                .mapEmpty();
    }
}

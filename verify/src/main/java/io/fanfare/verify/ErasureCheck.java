package io.fanfare.verify;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Script;
import io.fanfare.verify.Difference.Kind;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * Finds deleted accounts whose erasure stands still, and starts it again. Jobs that go on with one wait in a queue,
 * where none can be looked for: see {@link Kind#ERASURE}, which is confirmed only while the queue is quiet. One event
 * loop.
 */
final class ErasureCheck {
    /** So long an erasure may take: longer than its job is tried again after failures. */
    static final Duration TIME = Duration.ofHours(6);

    /** Until an erasure begins again: a later look finds its job meanwhile. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private static final Script FACTS = Script.load("erasure_facts");
    private static final Script AGAIN = Script.load("mend_erasure");

    private final Redis redis;

    ErasureCheck(Redis redis) {
        this.redis = redis;
    }

    /** Looks at one account; of one that is not being erased there is nothing to find. */
    Future<Void> look(long account, Findings findings) {
        int shard = Id.shard(account);
        List<String> keys = List.of(Keys.user(account), Keys.timers(shard), Keys.dead(shard));
        return redis.send(FACTS.call(keys, "", account)).map(reply -> {
            long millis = reply.items().get(0).asLong();
            boolean waits = reply.items().get(1).asLong() == 1;
            boolean dead = reply.items().get(2).asLong() == 1;
            if (millis >= 0 && !waits && (dead || millis > TIME.toMillis())) {
                String why = dead ? "its job is a dead letter" : "no job goes on with it";
                String detail = "account " + account + " was deleted " + millis / 60_000
                        + " minutes ago and is not erased: " + why;
                findings.add(new Difference(Kind.ERASURE, account, 0, 0, 0, "", detail));
            }
            return null;
        });
    }

    /** Gives it a job, unless it is erased by now. A dead letter stays where it is: running both does no harm. */
    Future<Void> startAgain(long account) {
        List<String> keys = List.of(Keys.user(account), Keys.timers(Id.shard(account)));
        return redis.send(AGAIN.call(keys, "", account, PAUSE.toMillis())).mapEmpty();
    }
}

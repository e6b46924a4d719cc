package io.fanfare.api.endpoint;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.ServerInfo;
import io.fanfare.vertx.Ticks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches how full Redis is, so that what adds something stops while waiting jobs still have room to drain: over
 * {@value #FULL_PERCENT} % of {@code maxmemory} of a node that it needs. Reads, and whatever takes something away, go
 * on. A server without {@code maxmemory} is never full. Confined to one event loop.
 */
public final class MemoryPressure {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryPressure.class);
    private static final int FULL_PERCENT = 85;
    private static final long LOOK_EVERY_MILLIS = 1_000;

    private final RedisLink redis;
    private final Set<String> full = new HashSet<>();
    private boolean looking;

    /** Looks about once a second from now on, for as long as the context that this is made on lives. */
    public MemoryPressure(Vertx vertx, RedisLink redis) {
        this.redis = redis;
        look();
        Ticks.every(vertx, LOOK_EVERY_MILLIS, this::look);
    }

    /**
     * Refuses while a node is nearly full that has the shard of one of these accounts or statuses, or the event log:
     * what is written goes into both.
     */
    public void check(long... ids) {
        if (full.isEmpty()) {
            return;
        }
        boolean room = !full.contains(redis.nodeOf(Keys.BUS_SEQ));
        for (long id : ids) {
            room &= !full.contains(redis.nodeOf(Keys.user(id)));
        }
        if (!room) {
            throw refusal();
        }
    }

    /** Refuses while any node is nearly full: for what may go anywhere. */
    public void checkAll() {
        if (!full.isEmpty()) {
            throw refusal();
        }
    }

    private static Refusal refusal() {
        return new Refusal(
                Refusal.Reason.OVERLOADED,
                "The server's memory is nearly full: reading and deleting go on, try again later.");
    }

    private void look() {
        if (looking) {
            return;
        }
        looking = true;
        List<String> nodes = redis.nodes();
        full.retainAll(nodes);
        Future.join(nodes.stream().map(this::look).toList()).onComplete(done -> looking = false);
    }

    private Future<String> look(String node) {
        return redis.sendTo(node, Command.routed("INFO", null, "memory"))
                .map(reply -> reply.asString())
                .onSuccess(info -> note(node, isFull(ServerInfo.of(info))))
                // An outage is told by what it breaks; what was known of the memory stays known.
                .onFailure(cause -> LOG.debug("memory not known node={} cause={}", node, cause.getMessage()));
    }

    private static boolean isFull(ServerInfo info) {
        long max = info.number("maxmemory");
        return max > 0 && info.number("used_memory") > max / 100 * FULL_PERCENT;
    }

    private void note(String node, boolean now) {
        boolean changed = now ? full.add(node) : full.remove(node);
        if (changed) {
            LOG.warn(
                    now
                            ? "redis nearly full, what adds to it is refused node={}"
                            : "redis has room again, all is taken node={}",
                    node);
        }
    }
}

package io.fanfare.api.routes;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches how full Redis is, so that new posts stop while waiting jobs still have room to drain: over
 * {@value #FULL_PERCENT} % of {@code maxmemory} on any node. Reads and deletes go on. A server without
 * {@code maxmemory} is never full. Confined to one event loop.
 */
public final class MemoryPressure {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryPressure.class);
    private static final int FULL_PERCENT = 85;
    private static final long LOOK_EVERY_MILLIS = 1_000;

    private final RedisLink redis;
    private boolean looking;
    private boolean full;

    /** Looks about once a second from now on, for as long as the context that this is made on lives. */
    public MemoryPressure(Vertx vertx, RedisLink redis) {
        this.redis = redis;
        vertx.setPeriodic(0, LOOK_EVERY_MILLIS, timer -> look());
    }

    /** Refuses while Redis is nearly full. */
    void check() {
        if (full) {
            throw new Refusal(
                    Refusal.Reason.OVERLOADED,
                    "The server's memory is nearly full: reading and deleting go on, try to post again later.");
        }
    }

    private void look() {
        if (looking) {
            return;
        }
        looking = true;
        List<Future<Boolean>> nodes = redis.nodes().stream().map(this::isFull).toList();
        Future.all(nodes)
                .map(all -> nodes.stream().anyMatch(Future::result))
                .onSuccess(this::note)
                // An outage is told by what it breaks; what was known of the memory stays known.
                .onFailure(cause -> LOG.debug("memory not known cause={}", cause.getMessage()))
                .onComplete(done -> looking = false);
    }

    private Future<Boolean> isFull(String node) {
        return redis.sendTo(node, Command.routed("INFO", null, "memory")).map(reply -> isFullBy(reply.asString()));
    }

    /** Reads the answer of INFO memory: lines of {@code name:value}. */
    static boolean isFullBy(String info) {
        long used = field(info, "used_memory:");
        long max = field(info, "maxmemory:");
        return max > 0 && used > max / 100 * FULL_PERCENT;
    }

    private static long field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
                .findFirst()
                .orElse(0);
    }

    private void note(boolean now) {
        if (now != full) {
            full = now;
            LOG.warn(now ? "redis nearly full, posts are refused" : "redis has room again, posts are taken");
        }
    }
}

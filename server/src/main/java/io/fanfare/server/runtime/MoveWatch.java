package io.fanfare.server.runtime;

import io.fanfare.common.store.Moves;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Rights;
import io.fanfare.vertx.Ticks;
import io.vertx.core.Vertx;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every two seconds whether the data have moved to another Redis ({@code fanfare migrate}), are replaced by a
 * copy that is not complete, or have another number of shards. From then on every link of the process refuses writes,
 * also when the server that was left takes them again. Reads go on, so that a proxy without another process has
 * something to show. Confined to its event loop.
 */
final class MoveWatch {
    private static final Logger LOG = LoggerFactory.getLogger(MoveWatch.class);

    private final Vertx vertx;
    private final RedisLink redis;
    private final Rights rights;
    private final int shards;
    private Optional<Moves.Refusal> refusal = Optional.empty();
    private boolean closed;

    private MoveWatch(Vertx vertx, RedisLink redis, Rights rights, int shards) {
        this.vertx = vertx;
        this.redis = redis;
        this.rights = rights;
        this.shards = shards;
    }

    /**
     * Begins to watch, on the current event loop, which is that of the link.
     *
     * @param shards the number that the process was started with
     */
    static MoveWatch start(Vertx vertx, RedisLink redis, Rights rights, int shards) {
        MoveWatch watch = new MoveWatch(vertx, redis, rights, shards);
        watch.look();
        return watch;
    }

    /** Why writes are refused since the last look that was answered, in a few words; empty = they are not. */
    Optional<String> status() {
        return refusal.map(Moves.Refusal::status);
    }

    void close() {
        closed = true;
        rights.moved(null);
    }

    private void look() {
        if (closed) {
            return;
        }
        // A server that does not answer says nothing: what was known holds.
        Moves.refusal(redis, shards)
                .onSuccess(this::found)
                .onComplete(done -> Ticks.next(vertx, Moves.LOOK_EVERY.toMillis(), this::look));
    }

    private void found(Optional<Moves.Refusal> now) {
        if (closed || now.equals(refusal)) {
            return;
        }
        refusal = now;
        rights.moved(now.map(Moves.Refusal::sentence).orElse(null));
        now.ifPresentOrElse(
                found -> LOG.error("no writes are sent any more: {}", found.sentence()),
                () -> LOG.warn("the data take writes again"));
    }
}

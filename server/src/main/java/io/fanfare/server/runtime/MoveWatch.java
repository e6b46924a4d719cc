package io.fanfare.server.runtime;

import io.fanfare.common.store.Moves;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Rights;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every two seconds whether the data have moved to another Redis ({@code fanfare migrate}), or are replaced by a
 * copy that is not complete. From then on every link of the process refuses writes, also when the server that was left
 * takes them again. Reads go on, so that a proxy without another process has something to show. Confined to its event
 * loop.
 */
final class MoveWatch {
    private static final Logger LOG = LoggerFactory.getLogger(MoveWatch.class);

    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final RedisLink redis;
    private final Rights rights;
    private boolean moved;
    private boolean closed;

    private MoveWatch(Vertx vertx, RedisLink redis, Rights rights) {
        this.vertx = vertx;
        this.redis = redis;
        this.rights = rights;
    }

    /** Begins to watch, on the current event loop, which is that of the link. */
    static MoveWatch start(Vertx vertx, RedisLink redis, Rights rights) {
        MoveWatch watch = new MoveWatch(vertx, redis, rights);
        watch.look();
        return watch;
    }

    /** Whether the data were elsewhere at the last look that was answered. */
    boolean hasMoved() {
        return moved;
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
        Moves.leftFor(redis)
                .onSuccess(this::found)
                .onComplete(done -> vertx.setTimer(PAUSE.toMillis(), over -> look()));
    }

    private void found(Optional<String> sentence) {
        if (closed || sentence.isPresent() == moved) {
            return;
        }
        moved = sentence.isPresent();
        rights.moved(sentence.orElse(null));
        if (moved) {
            LOG.error("no writes are sent any more: {}", sentence.get());
        } else {
            LOG.warn("the data are here again, writes go on");
        }
    }
}

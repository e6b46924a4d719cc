package io.fanfare.redis;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.util.Optional;

/**
 * Whether the user of {@code redis.url} has its rights (Redis: ACL), as far as this process knows: one object for all
 * links of a Vert.x instance that have the same {@code redis.url} and namespace. A link reports each NOPERM and each
 * new connection after an outage. A watcher tries the rights then, and while one is missing every link refuses writes
 * before it sends them: a script that meets a missing right in its middle leaves half of its work. The same holds for
 * data that have moved to another Redis.
 *
 * <p>Without a watcher, as in commands that end soon, nothing is refused here. Safe for every thread.
 */
public final class Rights implements Shareable {
    private static final String MAP = "fanfare.redis.rights";

    private volatile Runnable watcherOrNull;
    private volatile String missingOrNull;
    private volatile String movedOrNull;

    private Rights() {}

    /** The one object of these options. */
    public static Rights of(Vertx vertx, RedisOptions options) {
        return vertx.sharedData()
                .<String, Rights>getLocalMap(MAP)
                .computeIfAbsent(options.namespace().prefix() + options.url().reveal(), url -> new Rights());
    }

    /**
     * Sets the watcher.
     *
     * @param doubted runs on any event loop whenever the rights are to be tried; null = nobody watches any more
     */
    public void watch(Runnable doubted) {
        watcherOrNull = doubted;
        if (doubted == null) {
            missingOrNull = null;
        }
    }

    /** From now on links refuse writes with this sentence. */
    public void missing(String sentence) {
        missingOrNull = sentence;
    }

    /** From now on links send writes. */
    public void granted() {
        missingOrNull = null;
    }

    /**
     * The data have moved to another Redis: whatever the rights are, links refuse writes with this sentence. Null =
     * they have not.
     */
    public void moved(String sentence) {
        movedOrNull = sentence;
    }

    /** Why writes are refused, as a sentence; empty = they are not. */
    public Optional<String> missing() {
        String moved = movedOrNull;
        return Optional.ofNullable(moved == null ? missingOrNull : moved);
    }

    /** A server has refused a command for want of a right: no further write is sent until the watcher has looked. */
    void refused(String message) {
        Runnable watcher = watcherOrNull;
        if (watcher != null) {
            if (missingOrNull == null) {
                missingOrNull = message;
            }
            watcher.run();
        }
    }

    /** The server at the other end of a new connection may have other rights than the one before. */
    void reconnected() {
        Runnable watcher = watcherOrNull;
        if (watcher != null) {
            watcher.run();
        }
    }
}

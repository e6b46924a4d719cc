package io.fanfare.redis;

import io.vertx.core.Future;
import java.util.List;

/**
 * A connection to Redis as stores use it: commands in, replies out. {@link RedisLink} in production; tests put a
 * scheduler of steps in between.
 */
public interface Redis {
    /** The moment of the call, as a {@link #moment}. */
    long NOW = Long.MAX_VALUE;

    /** Sends one command; the future fails with a {@link RedisError} on an error reply. */
    Future<Reply> send(Command command);

    /**
     * The same for a write that takes something away: succeeds only when {@code redis.wait-replicas} replicas have it,
     * so that no failover brings it back. Fails as LOST when they do not have it in time: then it is done, and may be
     * undone.
     */
    default Future<Reply> sendSafely(Command command) {
        return send(command);
    }

    /**
     * Sends many commands, each to its node; one reply per command, in order, errors as {@link Reply.Failure}. Never
     * fails as a whole.
     */
    Future<List<Reply>> pipeline(List<Command> commands);

    /**
     * The same for callers that accept replies that were true at any instant since an earlier {@link #moment}, if they
     * have changed nothing themselves since: {@linkplain Command#tracked tracked} reads then may need no way to Redis
     * at all. Without it they are as true as any others, from the call on.
     */
    default Future<List<Reply>> pipeline(List<Command> commands, long since) {
        return pipeline(commands);
    }

    /** Now, for {@link #pipeline(List, long)}. To be called where the answers come. */
    default long moment() {
        return 0;
    }

    /**
     * Runs a task where the answers come, once all that is being done there at the moment is done: what many callers
     * want to send in one turn of an event loop can leave as one command. May be called from anywhere.
     */
    default void afterTurn(Runnable task) {
        task.run();
    }
}

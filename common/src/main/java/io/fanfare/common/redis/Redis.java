package io.fanfare.common.redis;

import io.vertx.core.Future;
import java.util.List;

/** What a store asks of Redis: commands in, replies out. {@link RedisLink} in production; tests put a scheduler of steps in between. */
public interface Redis {
    /** Sends one command; the future fails with a {@link RedisError} on an error reply. */
    Future<Reply> send(Command command);

    /** Sends many commands, each to its node; one reply per command, in order, errors as {@link Reply.Failure}. Never fails as a whole. */
    Future<List<Reply>> pipeline(List<Command> commands);

    /**
     * Runs a task where the answers come, once all that is being done there at the moment is done: what many callers want to send in one turn of an event loop can leave as one
     * command. May be called from anywhere.
     */
    default void afterTurn(Runnable task) {
        task.run();
    }
}

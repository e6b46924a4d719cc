package io.fanfare.common.store;

import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * One process among many as a test sees it: the commands that its stores send wait here until the test lets them go to
 * Redis, one at a time. A pipeline goes command by command. So other processes can step in anywhere, and the process
 * can be killed anywhere.
 */
public final class Steps implements Redis {
    private final Redis redis;
    private final BiConsumer<Command, Reply> observer;
    private final Deque<Step> waiting = new ArrayDeque<>();
    private boolean killed;

    private record Step(Command command, Promise<Reply> reply) {}

    /** @param observer sees each command with its answer, before the process does */
    public Steps(Redis redis, BiConsumer<Command, Reply> observer) {
        this.redis = redis;
        this.observer = observer;
    }

    @Override
    public Future<Reply> send(Command command) {
        return ask(command)
                .compose(reply -> reply instanceof Reply.Failure failure
                        ? Future.failedFuture(failure.error())
                        : Future.succeededFuture(reply));
    }

    @Override
    public Future<List<Reply>> pipeline(List<Command> commands) {
        List<Future<Reply>> replies = new ArrayList<>();
        commands.forEach(command -> replies.add(ask(command)));
        return Future.all(replies).map(all -> all.list());
    }

    private Future<Reply> ask(Command command) {
        Promise<Reply> reply = Promise.promise();
        waiting.add(new Step(command, reply));
        return reply.future();
    }

    /** Whether a command waits to be let go. */
    public boolean canStep() {
        return !killed && !waiting.isEmpty();
    }

    /** The next command: name of the script or command, a space, the key. */
    public String next() {
        return waiting.element().command().toString();
    }

    /** Lets the next command go; complete when the process has seen the answer and gone on. */
    public Future<Void> step() {
        return step(true);
    }

    /** The next command is executed, but the process dies before the answer arrives. */
    public Future<Void> stepAndDie() {
        killed = true;
        return step(false);
    }

    /** The process dies where it stands. */
    public void kill() {
        killed = true;
    }

    public boolean killed() {
        return killed;
    }

    private Future<Void> step(boolean answered) {
        Step step = waiting.remove();
        return redis.send(step.command())
                .otherwise(Steps::failure)
                .onSuccess(reply -> observer.accept(step.command(), reply))
                .onSuccess(reply -> {
                    if (answered) {
                        step.reply().complete(reply);
                    }
                })
                .mapEmpty();
    }

    private static Reply failure(Throwable cause) {
        if (cause instanceof RedisError error) {
            return new Reply.Failure(error);
        }
        throw new IllegalStateException(cause);
    }
}

package io.fanfare.redis;

import io.fanfare.redis.RedisError.Kind;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Lets long pipelines take turns: many readers of a thousand authors at once would fill the window of a connection, and
 * everything else would be refused. Together they have at most a quarter of {@code redis.in-flight-max} commands on the
 * way, or one pipeline that is longer. Others wait in their order, for at most {@code redis.command-timeout} and behind
 * at most {@value #WINDOWS_WAITING} windows of commands; beyond it they are refused as SATURATED. Confined to the loop.
 */
final class LongPipelines {
    /** Shorter ones, of which one request may send a few, never wait. */
    private static final int LONG = 100;

    private static final int WINDOWS_WAITING = 4;

    private final Connector connector;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int commandsWaiting;
    private int commandsOnTheWay;
    private boolean starting;

    LongPipelines(Connector connector) {
        this.connector = connector;
    }

    private record Waiting(int commands, Promise<List<Reply>> promise, Runnable send, long timer) {}

    /**
     * Sends a pipeline, now or later, unless it is refused.
     *
     * @param promise what {@code send} completes
     */
    void send(int commands, Promise<List<Reply>> promise, Runnable send) {
        if (commands <= LONG) {
            send.run();
        } else if (waiting.isEmpty() && hasRoom(commands)) {
            start(commands, promise, send);
        } else if (commandsWaiting + commands > WINDOWS_WAITING * connector.inFlightMax()) {
            refuse(commands, promise, "too many long pipelines wait for Redis already (redis.in-flight-max)");
        } else {
            commandsWaiting += commands;
            long timer = connector.after(connector.commandTimeoutNanos(), this::giveUp);
            waiting.add(new Waiting(commands, promise, send, timer));
        }
    }

    /** Sends what waits: to a link that is closed, which says so. */
    void close() {
        while (!waiting.isEmpty()) {
            Waiting next = leave();
            connector.cancel(next.timer());
            next.send().run();
        }
    }

    private boolean hasRoom(int commands) {
        return commandsOnTheWay == 0 || commandsOnTheWay + commands <= connector.inFlightMax() / 4;
    }

    private void start(int commands, Promise<List<Reply>> promise, Runnable send) {
        commandsOnTheWay += commands;
        promise.future().onComplete(done -> {
            commandsOnTheWay -= commands;
            startNext();
        });
        send.run();
    }

    /** While Redis is away each ends as it starts: the first call starts them all, not each the next. */
    private void startNext() {
        if (starting) {
            return;
        }
        starting = true;
        while (!waiting.isEmpty() && hasRoom(waiting.peek().commands())) {
            Waiting next = leave();
            connector.cancel(next.timer());
            start(next.commands(), next.promise(), next.send());
        }
        starting = false;
    }

    private Waiting leave() {
        Waiting first = waiting.remove();
        commandsWaiting -= first.commands();
        return first;
    }

    /** Refuses the pipeline that has waited longest. All wait for the same time, so this one is due first. */
    private void giveUp() {
        Waiting first = leave();
        refuse(
                first.commands(),
                first.promise(),
                "Redis had no room for a long pipeline within redis.command-timeout (redis.in-flight-max)");
    }

    private static void refuse(int commands, Promise<List<Reply>> promise, String why) {
        Reply refused = new Reply.Failure(new RedisError(Kind.SATURATED, why));
        promise.complete(Collections.nCopies(commands, refused));
    }
}

package io.fanfare.stream.session;

import io.fanfare.stream.wire.Disconnect;
import io.fanfare.vertx.LoopContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Ends all streams of an event loop, then the sockets that carry none any more, in steps, so that their clients do not
 * come back all at once. Confined to that event loop.
 */
final class DrainSequence {
    private static final long STEP_MILLIS = 20;

    /** Ended in one step at least: a few streams need not wait for the time to go by. */
    private static final int STEP_STREAMS_MIN = 10;

    /**
     * How long the end of the last streams waits for their last words to be sent. A socket whose client does not answer
     * is cut after as long; that timer was set first on the same event loop, so that it comes before this one.
     */
    private static final long END_MILLIS = 1000;

    private final Vertx vertx;
    private final Supplier<List<Subscriber>> streams;
    private final Supplier<List<StreamHub.Socket>> sockets;
    private final int perStep;
    private final List<Future<Void>> ends = new ArrayList<>();
    private final Promise<Void> done = Promise.promise();

    /**
     * @param time that it may take
     * @param streams those that are open
     * @param sockets those that are open
     */
    DrainSequence(
            Vertx vertx, Duration time, Supplier<List<Subscriber>> streams, Supplier<List<StreamHub.Socket>> sockets) {
        this.vertx = vertx;
        this.streams = streams;
        this.sockets = sockets;
        int crowd = streams.get().size() + sockets.get().size();
        long steps = Math.max(1, time.toMillis() / STEP_MILLIS);
        this.perStep = (int) Math.max(STEP_STREAMS_MIN, crowd / steps + 1);
    }

    /** Completes when all clients have been notified, or could not be. */
    Future<Void> run() {
        step();
        return done.future();
    }

    private void step() {
        first(streams.get())
                .forEach(stream -> ends.add(stream.end(Disconnect.SHUTDOWN).otherwiseEmpty()));
        if (streams.get().isEmpty()) {
            first(sockets.get()).forEach(socket -> ends.add(socket.goAway().otherwiseEmpty()));
        }
        if (streams.get().isEmpty() && sockets.get().isEmpty()) {
            LoopContext.current(vertx).within(END_MILLIS, Future.join(ends)).onComplete(ended -> done.complete());
        } else {
            vertx.setTimer(STEP_MILLIS, next -> step());
        }
    }

    private <T> List<T> first(List<T> all) {
        return all.subList(0, Math.min(all.size(), perStep));
    }
}

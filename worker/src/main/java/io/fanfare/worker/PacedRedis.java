package io.fanfare.worker;

import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.worker.handler.Turns;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * Sends long pipelines in parts, one at a time for all callers, so that neither the event loop nor Redis is busy with
 * them for long at a stretch, and what is short comes through in between. While urgent work runs, each part waits for
 * {@value #YIELD_MILLIS} ms, so that this work is done first, and long pipelines are still sent. One event loop.
 */
final class PacedRedis implements Redis {
    /** Keys that the commands of a part name together: about a tenth of a millisecond of Redis for pushes. */
    static final int PART = 150;

    /** A key of a script counts as so many: to take an id out of a home costs Redis twice as much as a push. */
    static final int SCRIPT_WEIGHT = 2;

    /** How long a part waits while urgent work runs: about as long as a job of a small author takes. */
    static final long YIELD_MILLIS = 2;

    private final Redis redis;
    private final BooleanSupplier urgent;
    private final LongFunction<Future<Void>> pause;
    private final Turns turns = new Turns(1);

    /**
     * @param urgent whether work runs on this event loop that is not to wait for long pipelines
     * @param pause completes after so many milliseconds, on the same event loop
     */
    PacedRedis(Redis redis, BooleanSupplier urgent, LongFunction<Future<Void>> pause) {
        this.redis = redis;
        this.urgent = urgent;
        this.pause = pause;
    }

    @Override
    public Future<Reply> send(Command command) {
        return redis.send(command);
    }

    @Override
    public Future<Reply> sendSafely(Command command) {
        return redis.sendSafely(command);
    }

    @Override
    public Future<List<Reply>> pipeline(List<Command> commands) {
        return pipeline(commands, NOW);
    }

    @Override
    public Future<List<Reply>> pipeline(List<Command> commands, long since) {
        List<List<Command>> parts = parts(commands);
        if (parts.size() <= 1) {
            return redis.pipeline(commands, since);
        }
        List<Future<List<Reply>>> sent = parts.stream()
                .map(part -> turns.run(() -> giveWay().compose(done -> redis.pipeline(part, since))))
                .toList();
        return Future.all(sent)
                .map(all ->
                        sent.stream().flatMap(part -> part.result().stream()).toList());
    }

    private static List<List<Command>> parts(List<Command> commands) {
        List<List<Command>> parts = new ArrayList<>();
        int from = 0;
        int keys = 0;
        for (int i = 0; i < commands.size(); i++) {
            int more = weight(commands.get(i));
            if (i > from && keys + more > PART) {
                parts.add(commands.subList(from, i));
                from = i;
                keys = 0;
            }
            keys += more;
        }
        if (from < commands.size()) {
            parts.add(commands.subList(from, commands.size()));
        }
        return parts;
    }

    private static int weight(Command command) {
        return Math.max(1, command.keys()) * (command.isScript() ? SCRIPT_WEIGHT : 1);
    }

    private Future<Void> giveWay() {
        return urgent.getAsBoolean() ? pause.apply(YIELD_MILLIS) : Future.succeededFuture();
    }

    @Override
    public long moment() {
        return redis.moment();
    }

    @Override
    public void afterTurn(Runnable task) {
        redis.afterTurn(task);
    }
}

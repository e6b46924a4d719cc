package io.fanfare.worker;

import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/**
 * Sends long pipelines in parts, one at a time, whoever they are of: so that neither the event loop nor Redis is busy
 * with them for long at a stretch, and what is short comes through in between. While urgent work runs, each part waits
 * for {@value #YIELD_MILLIS} ms, so that this work is done first, and long pipelines are still sent. One event loop.
 */
final class PacedRedis implements Redis {
    /** Commands of a part: about a tenth of a millisecond of Redis. */
    static final int PART = 150;

    /** How long a part waits while urgent work runs: about as long as a job of a small author takes. */
    static final long YIELD_MILLIS = 2;

    /** Runs something later, on the same event loop. */
    @FunctionalInterface
    interface Timer {
        void in(long millis, Runnable task);
    }

    private final Redis redis;
    private final BooleanSupplier urgent;
    private final Timer timer;
    private final Queue<Part> waiting = new ArrayDeque<>();
    private boolean underWay;
    private boolean yielding;
    private boolean hasYielded;

    /** @param urgent whether work runs on this event loop that is not to wait for long pipelines */
    PacedRedis(Redis redis, BooleanSupplier urgent, Timer timer) {
        this.redis = redis;
        this.urgent = urgent;
        this.timer = timer;
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
        if (commands.size() <= PART) {
            return redis.pipeline(commands, since);
        }
        Call call = new Call(new Reply[commands.size()]);
        for (int from = 0; from < commands.size(); from += PART) {
            waiting.add(new Part(call, from, commands.subList(from, Math.min(commands.size(), from + PART)), since));
        }
        sendNext();
        return call.done.future();
    }

    @Override
    public long moment() {
        return redis.moment();
    }

    @Override
    public void afterTurn(Runnable task) {
        redis.afterTurn(task);
    }

    private void sendNext() {
        if (!underWay && !waiting.isEmpty() && !yields()) {
            Part part = waiting.remove();
            underWay = true;
            redis.pipeline(part.commands, part.since)
                    .onComplete(
                            replies -> {
                                underWay = false;
                                part.call.take(part.from, replies);
                                sendNext();
                            },
                            cause -> {
                                underWay = false;
                                part.call.done.tryFail(cause);
                                sendNext();
                            });
        }
    }

    /** Each part once. */
    private boolean yields() {
        if (!yielding && !hasYielded && urgent.getAsBoolean()) {
            yielding = true;
            timer.in(YIELD_MILLIS, () -> {
                yielding = false;
                hasYielded = true;
                sendNext();
            });
        }
        if (!yielding) {
            hasYielded = false;
        }
        return yielding;
    }

    private record Part(Call call, int from, List<Command> commands, long since) {}

    private static final class Call {
        private final Promise<List<Reply>> done = Promise.promise();
        private final Reply[] replies;
        private int answered;

        Call(Reply[] replies) {
            this.replies = replies;
        }

        void take(int from, List<Reply> some) {
            for (int i = 0; i < some.size(); i++) {
                replies[from + i] = some.get(i);
            }
            answered += some.size();
            if (answered == replies.length) {
                done.tryComplete(Arrays.asList(replies));
            }
        }
    }
}

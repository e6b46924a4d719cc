package io.fanfare.app.migrate;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.Meta;
import io.fanfare.common.store.Moves;
import io.fanfare.common.store.Moves.Marks;
import io.fanfare.common.store.ShardRaise;
import io.fanfare.common.store.ShardRaise.Mark;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.Reply;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Raises the number of shards of a data set (see {@link ShardRaise}):
 *
 * <ol>
 *   <li>It marks the data set: no process starts on it, and running ones refuse writes when they next look.
 *   <li>It waits until each of them has looked, and its last write has been answered or has timed out.
 *   <li>It changes the number and removes the mark in one step. Processes that still run were started with the former
 *       number and go on refusing writes.
 * </ol>
 *
 * Whenever it is killed, the same command goes on. For one thread, but for {@link #abort}.
 */
public final class RaiseRun implements AutoCloseable {
    private static final Duration MARGIN = Duration.ofSeconds(1);

    /** The time for repeated removals of a mark: a lost answer ends the connection, and a new one takes a while. */
    private static final Duration REMOVED_WITHIN = Duration.ofSeconds(5);

    private static final long REMOVE_AGAIN_MILLIS = 250;

    private final RedisOptions options;
    private final InstantSource clock;
    private final Consumer<String> progress;
    private final EventLoop loop = new EventLoop();

    // Null before the data set is marked, and after the mark is removed.
    private volatile Mark marked;
    private RedisLink redis;

    public RaiseRun(RedisOptions options, InstantSource clock, Consumer<String> progress) {
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * The result.
     *
     * @param from the number of shards before; the same as {@code to} when nothing had to change
     */
    public record Outcome(int from, int to) {}

    /**
     * Raises the number of shards, or removes the mark of an earlier run when the data set has this number. Fails with
     * a {@link StartFailed} that says which number the data set has, or that the mark may stay, and what to do.
     *
     * @param shards a power of two, at most {@link Id#SHARDS_MAX}
     */
    public Outcome run(int shards) {
        redis = loop.await(() -> RedisLink.open(loop.vertx(), options));
        int from = shardsOfData();
        ShardRaise raise = new ShardRaise(redis);
        Optional<Mark> left = loop.await(raise::mark);
        if (shards < from) {
            throw new StartFailed("the data have " + from + " shards, a number that can only be raised: each account"
                    + " stays in its shard");
        }
        if (shards == from) {
            left.ifPresent(mark -> {
                loop.run(() -> raise.giveUp(mark));
                progress.accept("the mark of an earlier run is removed");
            });
            return new Outcome(from, from);
        }
        requireNotMoving();
        requireNoPause(from);
        left.ifPresent(mark -> progress.accept("an earlier run was cut off before it raised the number"));
        Mark mark = fresh(shards);
        marked = mark;
        boolean raised;
        try {
            if (!loop.await(() -> raise.begin(mark))) {
                throw moving();
            }
            awaitRefusals();
            // Somebody may have paused a lane before the mark was seen.
            requireNoPause(from);
            raised = loop.await(() -> raise.complete(mark));
        } catch (RuntimeException e) {
            throw undone(mark, e);
        }
        marked = null;
        if (!raised) {
            throw new StartFailed(
                    "the data have " + shardsOfData() + " shards: this run was interrupted, or another one"
                            + " has gone on in its place; see that only one runs, and run the command again");
        }
        return new Outcome(from, shards);
    }

    private int shardsOfData() {
        loop.run(() -> new Meta(redis, new SecureRandom()).requireFormat());
        Reply stored = loop.await(() -> redis.send(Command.of("HGET", Keys.META, "shards")));
        if (stored.isNil()) {
            throw new StartFailed("there are no data of Fanfare in the namespace "
                    + redis.namespace().name() + ": the number of shards of new data is the setting redis.shards");
        }
        return Integer.parseInt(stored.asString());
    }

    private void requireNotMoving() {
        Marks marks = loop.await(() -> Moves.read(redis));
        marks.moved().or(marks::arriving).or(marks::moving).ifPresent(mark -> {
            throw moving();
        });
    }

    private static StartFailed moving() {
        return new StartFailed("the data are moving, or have moved: finish `fanfare migrate --to`, or end it with"
                + " `fanfare migrate --reopen`, and run this at the Redis that the site uses");
    }

    /** A pause is stored in each shard, and new shards would not have it. */
    private void requireNoPause(int shards) {
        List<Reply> paused = loop.await(() -> redis.pipeline(IntStream.range(0, shards)
                .mapToObj(shard -> Command.of("HGET", Keys.queueStats(shard), "paused"))
                .toList()));
        for (Reply reply : paused) {
            String lanes = reply.asString();
            if (lanes != null && !lanes.isEmpty()) {
                throw new StartFailed("a lane of the queue is paused (" + lanes + "), and would not be in new shards:"
                        + " end the pause with `fanfare admin queue resume LANE`, and pause it again afterwards");
            }
        }
    }

    private Mark fresh(int shards) {
        byte[] token = new byte[8];
        new SecureRandom().nextBytes(token);
        return new Mark(HexFormat.of().formatHex(token), clock.millis(), shards);
    }

    /**
     * A process may have looked right before the mark and get the answer late; its next look, after the pause, and a
     * write that it sends before the answer to that look take as long again each.
     */
    private void awaitRefusals() {
        Duration wait =
                Moves.LOOK_EVERY.plus(options.commandTimeout().multipliedBy(3)).plus(MARGIN);
        progress.accept("the data set is marked: waiting " + wait.toSeconds()
                + " s, until every running process refuses writes");
        loop.run(() -> loop.vertx().timer(wait.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Removes the mark after a failure, which may be a lost answer. Returns the failure to report. */
    private StartFailed undone(Mark mark, RuntimeException cause) {
        try {
            if (removed(mark)) {
                return new StartFailed(
                        "the number of shards is the former one, and writes go on: " + cause.getMessage());
            }
            if (cause instanceof StartFailed failed) {
                return failed;
            }
            return new StartFailed("the data have " + shardsOfData() + " shards, and no mark of this run: "
                    + cause.getMessage() + ". Run the command again to see whether something is left to do");
        } catch (EventLoop.StepFailed e) {
            return new StartFailed(markMayStay(e) + ". The cause was: " + cause.getMessage());
        }
    }

    /** Whether the data set had the mark, which is removed. */
    private boolean removed(Mark mark) {
        boolean removed = loop.await(() -> remove(mark, clock.instant().plus(REMOVED_WITHIN)));
        marked = null;
        return removed;
    }

    private Future<Boolean> remove(Mark mark, Instant until) {
        return new ShardRaise(redis).giveUp(mark).recover(cause -> {
            boolean again = cause instanceof RedisError error
                    && error.passing()
                    && clock.instant().isBefore(until);
            return again
                    ? loop.vertx()
                            .timer(REMOVE_AGAIN_MILLIS, TimeUnit.MILLISECONDS)
                            .compose(waited -> remove(mark, until))
                    : Future.failedFuture(cause);
        });
    }

    private static String markMayStay(RuntimeException e) {
        return "the mark may stay, so that no process writes or starts (" + e.getMessage()
                + "): run the command again, or with the present number of shards to remove the mark";
    }

    /** Removes the mark when the process ends early. From another thread; takes seconds while Redis is away. */
    public void abort() {
        Mark mark = marked;
        if (mark == null) {
            return;
        }
        try {
            progress.accept(
                    removed(mark)
                            ? "interrupted: the number of shards is the former one, and writes go on"
                            : "interrupted in the last step: `fanfare admin queue stats` says whether it was done");
        } catch (EventLoop.StepFailed e) {
            progress.accept("interrupted: " + markMayStay(e));
        }
    }

    @Override
    public void close() {
        if (redis != null) {
            loop.run(redis::close);
        }
        loop.close();
    }
}

package io.fanfare.bench.load;

import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The baseline of the fan-out: nothing but Redis commands, sent over the project's own link, {@link #PIPELINE} commands
 * in one write and {@link #WRITES} writes under way - enough to keep Redis at a full core, as redis-benchmark -P 100
 * would. One event loop.
 */
public final class RawFanOut {
    private static final int PIPELINE = 100;
    private static final int WRITES = 4;

    private final RedisLink link;
    private final RandomGenerator random;
    private final int homes;
    private final int entries;
    private long lastId;

    /** {@code entries} = how long each home is kept; ids go up from {@code firstId}. */
    public RawFanOut(RedisLink link, RandomGenerator random, int homes, int entries, long firstId) {
        this.link = link;
        this.random = random;
        this.homes = homes;
        this.entries = entries;
        this.lastId = firstId;
    }

    public static String zset(int home) {
        return "raw-zset:" + home;
    }

    static String list(int home) {
        return "raw-list:" + home;
    }

    /** Fills sorted sets and lists to their full length. */
    public Future<Void> fill() {
        Promise<Void> filled = Promise.promise();
        fill(0, filled);
        return filled.future();
    }

    private void fill(int home, Promise<Void> filled) {
        if (home == homes) {
            filled.complete();
            return;
        }
        Object[] scored = new Object[2 * entries];
        Object[] plain = new Object[entries];
        for (int i = 0; i < entries; i++) {
            long id = ++lastId;
            scored[2 * i] = id;
            scored[2 * i + 1] = id;
            plain[i] = id;
        }
        link.pipeline(List.of(Command.of("ZADD", zset(home), scored), Command.of("RPUSH", list(home), plain)))
                .onComplete(replies -> fill(home + 1, filled), filled::fail);
    }

    /** A failed command would make the figures wrong without a word. */
    private static List<Reply> allDone(List<Reply> replies) {
        for (Reply reply : replies) {
            if (reply instanceof Reply.Failure failure) {
                throw failure.error();
            }
        }
        return replies;
    }

    /**
     * Adds new ids to sorted sets drawn at random and trims each after it, until the time is over; answers how many
     * were added.
     */
    public Future<Long> addAndTrim(long nanos) {
        return new Run(nanos, 2) {
            @Override
            void delivery(int home, List<Command> batch) {
                batch.add(Command.of("ZADD", zset(home), lastId, lastId));
                batch.add(Command.of("ZREMRANGEBYRANK", zset(home), 0, -entries - 1));
            }
        }.go();
    }

    /** Pushes new ids onto lists drawn at random, without ever trimming, until the time is over; answers how many. */
    public Future<Long> push(long nanos) {
        return new Run(nanos, 1) {
            @Override
            void delivery(int home, List<Command> batch) {
                batch.add(Command.of("RPUSHX", list(home), lastId));
            }
        }.go();
    }

    private abstract class Run {
        private final Promise<Long> done = Promise.promise();
        private final long endNanos;
        private final int perWrite;
        private int underWay;
        private long delivered;

        Run(long nanos, int commandsEach) {
            this.endNanos = System.nanoTime() + nanos;
            this.perWrite = PIPELINE / commandsEach;
        }

        /** Adds the commands of one delivery of {@code lastId} to this home. */
        abstract void delivery(int home, List<Command> batch);

        Future<Long> go() {
            for (int i = 0; i < WRITES; i++) {
                write();
            }
            return done.future();
        }

        private void write() {
            if (System.nanoTime() >= endNanos) {
                if (underWay == 0) {
                    done.tryComplete(delivered);
                }
                return;
            }
            List<Command> batch = new ArrayList<>(PIPELINE);
            for (int i = 0; i < perWrite; i++) {
                lastId++;
                delivery(random.nextInt(homes), batch);
            }
            underWay++;
            link.pipeline(batch)
                    .map(RawFanOut::allDone)
                    .onComplete(
                            replies -> {
                                underWay--;
                                delivered += perWrite;
                                write();
                            },
                            done::tryFail);
        }
    }
}

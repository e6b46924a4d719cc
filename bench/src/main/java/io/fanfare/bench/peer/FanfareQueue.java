package io.fanfare.bench.peer;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.QueueWorker;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.Comparison;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.Meta;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Our queue, its workers as they run in production: jobs of many authors in the high lane of all shards, claimed under
 * leases. The producer is this process, which enqueues each job by itself and wakes workers, as the API does.
 */
public final class FanfareQueue extends QueuePeer {
    private static final int AUTHORS = 10_000;

    /** Jobs sent in one write, and writes under way. */
    private static final int CHUNK = 100;

    private static final int UNDER_WAY = 4;

    /** Jobs of {@link #pace} that may wait for Redis: half of {@code redis.in-flight-max}. */
    private static final int PACED_UNDER_WAY = 10_000;

    private final EventLoop loop;
    private final JobQueue queue;
    private final int shardCount;
    private long jobs;

    /** Starts the worker processes; none works yet. */
    public FanfareQueue(EventLoop loop, BenchRedis redis, int processes) {
        super(IntStream.range(0, processes)
                .mapToObj(i -> ServerProcess.start(QueueWorker.class, redis.serverEnvironment()))
                .toList());
        this.loop = loop;
        Shards shards = loop.await(() -> new Meta(redis.link(), new SecureRandom())
                .join(redis.settings().redis().shards()));
        this.shardCount = shards.count();
        this.queue = new JobQueue(redis.link(), shards, redis.settings().queue());
    }

    @Override
    public String name() {
        return "fanfare";
    }

    @Override
    public void hold() {
        loop.run(() -> queue.lanePause().set(Lane.HIGH, true));
    }

    @Override
    public void resume() {
        loop.run(() -> queue.lanePause().set(Lane.HIGH, false));
    }

    @Override
    public void add(int number) {
        loop.run(() -> {
            Promise<Void> added = Promise.promise();
            int[] counts = {number, 0};
            for (int i = 0; i < UNDER_WAY; i++) {
                addChunk(counts, added);
            }
            return added.future();
        });
    }

    /** {@code counts}: jobs to add, and jobs under way. */
    private void addChunk(int[] counts, Promise<Void> added) {
        int size = Math.min(CHUNK, counts[0]);
        if (size == 0) {
            if (counts[1] == 0) {
                added.tryComplete();
            }
            return;
        }
        counts[0] -= size;
        counts[1] += size;
        enqueue(size, i -> QueueWorker.UNTIMED)
                .onComplete(
                        done -> {
                            counts[1] -= size;
                            addChunk(counts, added);
                        },
                        added::tryFail);
    }

    @Override
    public void pace(int number, double perSecond) {
        loop.run(() -> {
            long begin = QueueWorker.micros();
            Promise<Void> added = Promise.promise();
            int[] counts = {0, 0};
            long ticker = loop.vertx().setPeriodic(1, timer -> {
                int from = counts[0];
                long due = 1 + (long) ((QueueWorker.micros() - begin) * perSecond / 1e6);
                // What is due beyond that waits here, with its time.
                int until = (int) Math.min(Math.min(number, due), counts[1] + PACED_UNDER_WAY);
                if (until <= from) {
                    return;
                }
                counts[0] = until;
                enqueue(until - from, i -> begin + (long) ((from + i) / perSecond * 1e6))
                        .onComplete(
                                done -> {
                                    counts[1] += until - from;
                                    if (counts[1] == number) {
                                        added.tryComplete();
                                    }
                                },
                                added::tryFail);
            });
            return added.future().onComplete(end -> {
                boolean cancelled = loop.vertx().cancelTimer(ticker);
                assert cancelled;
            });
        });
    }

    private interface Due {
        /** When the i-th of some jobs is due, in {@link QueueWorker#micros}. */
        long of(int i);
    }

    private Future<?> enqueue(int number, Due due) {
        Set<Integer> shards = new HashSet<>();
        List<Future<Void>> enqueued = IntStream.range(0, number)
                .mapToObj(i -> {
                    long n = ++jobs;
                    int author = (int) (n % AUTHORS);
                    int shard = author % shardCount;
                    shards.add(shard);
                    long actor = Id.of(Id.EPOCH_MILLIS + author, shard, 1);
                    return queue.enqueue(new Job.Repair(QueueWorker.TYPE, actor, due.of(i), n), Lane.HIGH);
                })
                .toList();
        // Behind the jobs on the same connection.
        Future<?> woken = Future.all(shards.stream().map(queue::wake).toList());
        return Future.all(enqueued).compose(all -> woken);
    }

    /** Fails unless every job is done: figures are worth nothing otherwise. */
    public void requireAllDone() {
        List<QueueStats> stats = loop.await(queue::stats);
        long dead = stats.stream().mapToLong(QueueStats::dead).sum();
        if (dead > 0 || !stats.stream().allMatch(QueueStats::isQuiet)) {
            throw new BenchFailed("jobs were given up (" + dead + ") or are left: the figures are worth nothing");
        }
    }

    @Override
    public double producerCpuSeconds() {
        return Comparison.javaCpuSeconds();
    }
}

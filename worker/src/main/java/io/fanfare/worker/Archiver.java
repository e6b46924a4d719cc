package io.fanfare.worker;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.vertx.Ticks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves old statuses into the archive: one pass of one shard at a time, in turn the shards in which something is due.
 * Only in processes that have an archive. A failure costs nothing but time, so it is logged once for a row of them. One
 * event loop.
 */
final class Archiver {
    private static final Logger LOG = LoggerFactory.getLogger(Archiver.class);

    /** Passes of one shard before the next shard has its turn. */
    private static final int TURNS_MAX = 20;

    private final Vertx vertx;
    private final ArchivePass pass;
    private final Settings.Archive settings;
    private final int shards;
    private final Metrics metrics;
    private final DiskReserve disk;
    private boolean stopped;
    private boolean isAway;
    private Throwable failure; // Of this round; null = none.
    private boolean isBehind; // In this round.
    private long timer = -1;
    private Future<Void> round = Future.succeededFuture();

    Archiver(Vertx vertx, ArchivePass pass, Settings.Archive settings, int shards, Metrics metrics, DiskReserve disk) {
        this.disk = disk;
        this.vertx = vertx;
        this.pass = pass;
        this.settings = settings;
        this.shards = shards;
        this.metrics = metrics;
    }

    /** The archiver's metrics, of all event loops of a process. Safe for every thread. */
    static final class Metrics implements Shareable {
        private final InstantSource clock;
        private final Counter passes;

        /** When a round had last moved all that was due, epoch ms; at first, when the process began. */
        private volatile long doneMillis;

        private Metrics(MeterRegistry registry, InstantSource clock) {
            this.clock = clock;
            this.doneMillis = clock.millis();
            this.passes = registry.counter("fanfare.archive.passes");
            Gauge.builder("fanfare.archive.lag", this, Metrics::lagSeconds)
                    .description("Time since all statuses that are due had moved into the archive")
                    .baseUnit("seconds")
                    .register(registry);
        }

        /** The shared metrics of the process. */
        static Metrics of(Vertx vertx, MeterRegistry registry, InstantSource clock) {
            return vertx.sharedData()
                    .<String, Metrics>getLocalMap("archiver-metrics")
                    .computeIfAbsent("process", none -> new Metrics(registry, clock));
        }

        private double lagSeconds() {
            return Math.max(0, clock.millis() - doneMillis) / 1000.0;
        }
    }

    void start() {
        roundAgain();
    }

    /** Complete when nothing is under way any more. */
    Future<Void> stop() {
        stopped = true;
        vertx.cancelTimer(timer);
        return round;
    }

    private void round() {
        round = due().compose(due -> shard(due, 0)).transform(done -> {
            boolean isShort = disk.isShort();
            if (!isShort) {
                logRecovery(failure);
            }
            if (!isShort && !isBehind && failure == null && !stopped) {
                metrics.doneMillis = metrics.clock.millis();
            }
            failure = null;
            isBehind = false;
            if (!stopped) {
                roundAgain();
            }
            return Future.succeededFuture();
        });
    }

    private void roundAgain() {
        timer = Ticks.next(vertx, settings.poll().toMillis(), this::round);
    }

    /** None while the disk is short: nothing can be moved. */
    private Future<List<Integer>> due() {
        return disk.isShort() ? Future.succeededFuture(List.of()) : pass.due(shards, metrics.clock.millis());
    }

    private Future<Void> shard(List<Integer> due, int turns) {
        if (stopped || due.isEmpty() || disk.isShort()) {
            return Future.succeededFuture();
        }
        return pass.run(due.get(0)).recover(this::goOn).compose(more -> {
            if (more) {
                metrics.passes.increment();
            }
            boolean again = more && turns < TURNS_MAX;
            isBehind |= more && !again;
            return again ? shard(due, turns + 1) : shard(due.subList(1, due.size()), 0);
        });
    }

    /** A shard that is away does not hold up the others; without the archive all would fail. */
    private Future<Boolean> goOn(Throwable cause) {
        failure = cause;
        return cause == Archive.AWAY ? Future.failedFuture(cause) : Future.succeededFuture(false);
    }

    private void logRecovery(Throwable causeOrNull) {
        if (causeOrNull != null && !isAway) {
            LOG.warn(
                    "old statuses stay in redis for now cause={}",
                    causeOrNull == Archive.AWAY ? "the archive does not answer" : RetryPolicy.describe(causeOrNull));
        } else if (causeOrNull == null && isAway) {
            LOG.info("old statuses move into the archive again");
        }
        isAway = causeOrNull != null;
    }
}

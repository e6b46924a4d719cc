package io.fanfare.worker;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.verify.Difference;
import io.fanfare.verify.Report;
import io.fanfare.verify.Verifier;
import io.fanfare.verify.Verifier.Scope;
import io.fanfare.verify.Verifier.Watcher;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the data agree again after a failover that lost the last writes of a shard: one side of an edge, a place in a
 * list or a count may be missing. A shard is due while its generation, which {@link FailoverWatch} begins, is another
 * than the one that was repaired last. Both are kept in the shard's own slot, so that a further failover loses them
 * together. Every account is verified, since the other sides of the shard's edges may be anywhere; what was lost on
 * both sides stays lost (docs/feeds.md, section 6).
 *
 * <p>One process at a time does so, as long as it renews its claim. Two would do no harm, since repairs are idempotent.
 * A repair that was interrupted, or could not judge everything because jobs were under way, is repeated, later each
 * time until another failover follows. The {@link LeadLoop} of each process asks. One event loop.
 */
final class FailoverRepair {
    private static final Logger LOG = LoggerFactory.getLogger(FailoverRepair.class);

    private static final long CLAIM_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final long PAUSE_MILLIS_MAX = TimeUnit.MINUTES.toMillis(10);

    private final Vertx vertx;
    private final LongFunction<Future<Void>> pause;
    private final RedisLink redis;
    private final Shards shards;
    private final Settings settings;
    private final LeadLoop lead;
    private final String name;
    private final long lookMillis;
    private final Counter repaired;

    /** Repairs in a row that failed, or could not judge everything. */
    private int unfinished;

    /** The shards that were due when it last repaired or waited to, with their generations. */
    private Map<Integer, String> last = Map.of();

    /** Since then. */
    private long waitedMillis;

    private boolean stopped;

    /**
     * @param pause completes after so many milliseconds: between two looks at the same difference
     * @param lead decides which event loop of the process does it
     * @param name of the worker that it belongs to
     * @param lookMillis between two looks for shards that are due
     * @param repaired counts differences that were repaired here
     */
    FailoverRepair(
            Vertx vertx,
            LongFunction<Future<Void>> pause,
            RedisLink redis,
            Shards shards,
            Settings settings,
            LeadLoop lead,
            String name,
            long lookMillis,
            Counter repaired) {
        this.vertx = vertx;
        this.pause = pause;
        this.redis = redis;
        this.shards = shards;
        this.settings = settings;
        this.lead = lead;
        this.name = name;
        this.lookMillis = lookMillis;
        this.repaired = repaired;
    }

    void start() {
        if (stopped) {
            return;
        }
        look().onFailure(cause -> LOG.debug("not repaired cause={}", RetryPolicy.describe(cause)))
                .onComplete(done -> vertx.setTimer(lookMillis, timer -> start()));
    }

    /** A repair that is under way ends with the link. */
    void stop() {
        stopped = true;
    }

    /** Between two repairs of the same shards. */
    long pauseMillis() {
        return Math.min(PAUSE_MILLIS_MAX, lookMillis << Math.min(unfinished, 10));
    }

    private Future<Void> look() {
        if (redis.masters() == null || !lead.isLed(name)) {
            return Future.succeededFuture();
        }
        return due().compose(due -> due.isEmpty() || !isTimeFor(due)
                ? Future.succeededFuture()
                : claim().compose(mine -> mine ? repair(due) : Future.succeededFuture()));
    }

    /** At once after a failover, however often repairs of earlier ones have failed, since the cause may be gone. */
    private boolean isTimeFor(Map<Integer, String> due) {
        if (!due.equals(last)) {
            last = due;
            unfinished = 0;
            waitedMillis = 0;
            return true;
        }
        waitedMillis += lookMillis;
        if (waitedMillis < pauseMillis()) {
            return false;
        }
        waitedMillis = 0;
        return true;
    }

    /** The shards that are due, with their generations. */
    private Future<Map<Integer, String>> due() {
        List<Command> reads = new ArrayList<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            reads.add(Command.of("MGET", Keys.homeGeneration(shard), Keys.repairedGeneration(shard)));
        }
        return BatchedPipeline.send(redis, reads).map(replies -> {
            Map<Integer, String> due = new TreeMap<>();
            for (int shard = 0; shard < replies.size(); shard++) {
                List<Reply> both = replies.get(shard).items();
                String generation = both.get(0).asString();
                if (generation != null && !generation.equals(both.get(1).asString())) {
                    due.put(shard, generation);
                }
            }
            return due;
        });
    }

    private Future<Boolean> claim() {
        return redis.send(Command.of("SET", Keys.BUS_REPAIR, name, "NX", "PX", CLAIM_MILLIS))
                .map(reply -> !reply.isNil());
    }

    private Future<Void> repair(Map<Integer, String> due) {
        LOG.warn("failover: every account is verified and repaired shards={}", due.keySet());
        long renewals = vertx.setPeriodic(CLAIM_MILLIS / 3, timer -> renew());
        return new Verifier(redis, redis, shards, settings, pause, new Counted(), Scope.ALL, true)
                .run()
                .compose(report -> ended(report, due))
                .onFailure(cause -> {
                    unfinished++;
                    LOG.warn("failover: the repair begins again later cause={}", RetryPolicy.describe(cause));
                })
                .eventually(() -> {
                    vertx.cancelTimer(renewals);
                    return redis.send(Command.of("DEL", Keys.BUS_REPAIR)).otherwiseEmpty();
                });
    }

    private void renew() {
        redis.send(Command.of("SET", Keys.BUS_REPAIR, name, "XX", "PX", CLAIM_MILLIS))
                .onFailure(cause -> LOG.debug("claim not renewed cause={}", RetryPolicy.describe(cause)));
    }

    private Future<Void> ended(Report report, Map<Integer, String> due) {
        LOG.warn(
                "failover: verified and repaired repaired={} left={} in_flux={}",
                report.repairedCount(),
                report.leftCount(),
                report.inFluxCount());
        boolean judged = report.inFluxCount() == 0 && !report.isCut();
        unfinished = judged ? 0 : unfinished + 1;
        if (!judged) {
            return Future.succeededFuture();
        }
        List<Command> notes = due.entrySet().stream()
                .map(entry -> Command.of("SET", Keys.repairedGeneration(entry.getKey()), entry.getValue()))
                .toList();
        return BatchedPipeline.send(redis, notes).mapEmpty();
    }

    /** Counts repairs. */
    private final class Counted implements Watcher {
        @Override
        public void begin(long accounts) {}

        @Override
        public void account() {}

        @Override
        public void repaired(Difference difference) {
            repaired.increment();
        }
    }
}

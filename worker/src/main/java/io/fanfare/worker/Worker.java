package io.fanfare.worker;

import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.Batch;
import io.fanfare.core.queue.ClaimedJob;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.LeaseRenewal;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.RedisError;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of one worker:
 *
 * <ol>
 *   <li>learns of shards with work: from wake tokens at once, from the moment at which a delayed job is due, else from
 *       the {@link Poller};
 *   <li>claims batches from them, as many at a time as its {@link ConcurrencyLimit} allows; where only one shard has
 *       more, together with the settlement of the batch that ends; the high lane has as many again while pages are in
 *       all of them;
 *   <li>runs them, and beside them one suspect job at a time; one that a worker has died of before runs with nothing
 *       beside it;
 *   <li>keeps all their leases alive with one timer;
 *   <li>drains: no new claims, running batches may end, the rest goes back.
 * </ol>
 *
 * <p>Each turn starts fresh from a timer or a reply; nothing chains to its own next turn. One event loop.
 */
final class Worker implements BatchRun.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    /** How long a batch is held while Redis is away. */
    private static final long HOLD_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** The same while a job waits to run with nothing beside it, or does. */
    private static final long SHORT_HOLD_NANOS = TimeUnit.SECONDS.toNanos(2);

    /**
     * Recoveries from which a suspect runs with nothing beside it. At the first its whole batch became suspects, nearly
     * all of them harmless: they run beside other work, one at a time, so that at most one of them is there when a
     * worker dies. Nothing is given up before it has died alone.
     */
    private static final int ALONE_FROM = 2;

    /** How long such a job waits for the work under way; then it is put off. */
    private static final long ALONE_WAIT_MILLIS = 2_000;

    /** After a job that ran alone so many times its time goes to other work. */
    private static final int OTHERS_SHARE = 4;

    /** Batches may be stuck at their settlement beside those that work, so many times the batches allowed. */
    private static final int STUCK_SHARE = 4;

    /** The wait for a token; a connection that has broken silently is noticed after it. */
    private static final long WAIT_MILLIS = 10_000;

    private final Vertx vertx;
    private final JobQueue queue;
    private final Function<Lane, JobHandlers> handlers;
    private final RetryPolicy retry;
    private final Settings settings;
    private final String name;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final WorkerMetrics metrics;
    private final ConcurrencyLimit concurrency;

    private final ShardBacklog known;

    /**
     * Claims whose answer was lost: they may hold jobs, and are requested again until Redis answers. Their shards get
     * no other claim meanwhile.
     */
    private final Set<Claim> unsure = new HashSet<>();

    private final Set<BatchRun> running = new LinkedHashSet<>();
    private final Promise<Void> drained = Promise.promise();

    private int claims;
    private int returns;
    private long batches;

    /** The claim that may bring a suspect, until its batch ends; null = none. */
    private Claim quarantine;

    /** The run that has nothing beside it, or waits for that; null = none. No claim is made meanwhile. */
    private BatchRun alone;

    private boolean aloneStarted;
    private long aloneSinceNanos;

    /** When the next suspect may be claimed. */
    private long quarantineFromNanos;

    private boolean listening;
    private boolean draining;
    private boolean stopped;

    /**
     * @param handlers what runs the jobs of a lane
     * @param name unique among all workers that ever run on this Redis
     */
    Worker(
            Vertx vertx,
            JobQueue queue,
            Function<Lane, JobHandlers> handlers,
            RetryPolicy retry,
            Settings settings,
            String name,
            LongSupplier nanos,
            RandomGenerator random,
            WorkerMetrics metrics) {
        this.vertx = vertx;
        this.queue = queue;
        this.handlers = handlers;
        this.retry = retry;
        this.settings = settings;
        this.name = name;
        this.nanos = nanos;
        this.random = random;
        this.metrics = metrics;
        this.known = new ShardBacklog(vertx, nanos);
        this.concurrency = new ConcurrencyLimit(settings.worker().batches(), nanos.getAsLong());
        this.quarantineFromNanos = nanos.getAsLong();
    }

    void start() {
        vertx.setTimer(beatMillis(), timer -> beat());
        turn();
    }

    /**
     * Takes no new jobs, lets running ones end for at most {@code worker.drain-timeout}, settles what is done and puts
     * the rest back. Completes when nothing is in flight; never fails, since what cannot be put back is left to its
     * lease.
     */
    Future<Void> drain() {
        if (!draining) {
            draining = true;
            known.clear();
            vertx.setTimer(Math.max(1, settings.worker().drainTimeout().toMillis()), timer -> stopNow());
            turn();
        }
        return drained.future();
    }

    /** Puts everything back at once, for a {@link #drain} that has taken too long; does nothing before one. */
    void stopNow() {
        if (stopped || !draining) {
            return;
        }
        stopped = true;
        if (!running.isEmpty()) {
            LOG.info("worker puts back what is not done worker={} batches={}", name, running.size());
        }
        putBack(List.copyOf(running));
        turn();
    }

    private void putBack(List<BatchRun> runs) {
        running.removeAll(runs);
        for (BatchRun run : runs) {
            returns++;
            run.release()
                    .onSuccess(done -> wakeOthers(run.batch().shard()))
                    .onFailure(cause -> LOG.warn(
                            "batch could not be put back, its lease will end batch={} cause={}",
                            run.batch().name(),
                            RetryPolicy.describe(cause)))
                    .onComplete(done -> {
                        returns--;
                        turn();
                    });
        }
    }

    private void turn() {
        if (draining) {
            boolean idle = claims == 0 && unsure.isEmpty() && running.isEmpty();
            if (returns == 0 && (stopped || idle)) {
                stopped = true;
                drained.tryComplete();
            }
            return;
        }
        if (alone != null) {
            startAlone();
            return;
        }
        if (quarantine == null && known.hasSuspects() && nanos.getAsLong() - quarantineFromNanos >= 0) {
            quarantine = newClaim(known.takeSuspected(), Kind.SUSPECT);
            claim(quarantine);
        }
        while (hasRoom() && known.hasAny()) {
            claim(newClaim(known.takeAny(), Kind.ANY));
        }
        while (hasRoomForHigh() && known.hasHigh()) {
            claim(newClaim(known.takeHigh(), Kind.HIGH));
        }
        listen();
    }

    /** Once everything else has ended. */
    private void startAlone() {
        if (!aloneStarted && claims == 0 && working() == 1) {
            aloneStarted = true;
            alone.start();
        }
    }

    private void runAlone(BatchRun run) {
        alone = run;
        aloneStarted = false;
        aloneSinceNanos = nanos.getAsLong();
        List.copyOf(running).forEach(BatchRun::makeWay);
        vertx.setTimer(ALONE_WAIT_MILLIS, timer -> {
            if (alone == run && !aloneStarted) {
                alone = null;
                run.putOff();
            }
        });
    }

    private Claim newClaim(int shard, Kind kind) {
        return new Claim(shard, name + '.' + Long.toString(batches++, 36), kind, new Backoff(random));
    }

    private boolean hasRoom() {
        return hasRoomWithin(concurrency.limit());
    }

    /**
     * While pages of large authors, which may take long, are in all places, the high lane has as many places again:
     * only then, since small batches cost more for each job. Where there is one place, jobs run one batch after the
     * other.
     */
    private boolean hasRoomForHigh() {
        int places = concurrency.limit();
        return hasRoom() || (places > 1 && pages() >= places && hasRoomWithin(pages() + places));
    }

    /** Batches of the lower lanes, with handlers under way. */
    private int pages() {
        return (int) running.stream()
                .filter(run -> !run.isStuck() && run.batch().lane() != Lane.HIGH)
                .count();
    }

    /** Whether a batch of the high lane is in hand, with its handlers under way. */
    boolean isRunningHigh() {
        return running.stream().anyMatch(run -> !run.isStuck() && run.batch().lane() == Lane.HIGH);
    }

    private boolean hasRoomWithin(int places) {
        return !draining
                && alone == null
                && claims + working() < places
                && running.size() < STUCK_SHARE * settings.worker().batches();
    }

    /**
     * Runs with handlers under way or to come. The others only wait for Redis to take their settlement, in which nobody
     * dies; the claim that goes with one has its place.
     */
    private long working() {
        return running.stream().filter(run -> !run.isStuck()).count();
    }

    /** Jobs may wait in these shards. */
    void found(Collection<Integer> shards) {
        shards.forEach(this::foundWork);
        turn();
    }

    private void foundWork(int shard) {
        if (!draining && unsure.stream().noneMatch(claim -> claim.shard() == shard)) {
            known.found(shard);
        }
    }

    private void dueIn(int shard, long millis) {
        if (!draining) {
            known.dueIn(shard, millis, due -> {
                foundWork(due);
                turn();
            });
        }
    }

    /** Waits for a wake token; only while there is room for work, so that tokens go to workers that have it. */
    private void listen() {
        if (listening || !hasRoomForHigh()) {
            return;
        }
        listening = true;
        queue.awaitWake(waitMillis())
                .onComplete(this::woken, cause -> vertx.setTimer(pollMillis(), timer -> woken(Set.of())));
    }

    private void woken(Set<Integer> shards) {
        listening = false;
        if (draining) {
            // Others receive these.
            shards.forEach(this::wakeOthers);
        }
        found(shards);
    }

    private void wakeOthers(int shard) {
        queue.wake(shard).onFailure(cause -> LOG.debug("others not woken cause={}", RetryPolicy.describe(cause)));
    }

    /** The jobs that a claim may return. */
    private enum Kind {
        /** Jobs of any lane. */
        ANY,
        /** Jobs of the high lane. */
        HIGH,
        /** One suspect, or else jobs of any lane. */
        SUSPECT
    }

    /** A batch that is being claimed. */
    private record Claim(int shard, String batch, Kind kind, Backoff backoff) {}

    private void claim(Claim claim) {
        claims++;
        long sent = nanos.getAsLong();
        int max = settings.queue().batchMax();
        Future<Batch> fetched = claim.kind() == Kind.HIGH
                ? queue.fetchHigh(claim.shard(), claim.batch(), max)
                : queue.fetch(claim.shard(), claim.batch(), max, claim.kind() == Kind.SUSPECT);
        fetched.onComplete(batch -> claimed(claim, batch, sent), cause -> claimFailed(claim, cause));
    }

    private void claimed(Claim claim, Batch batch, long sentNanos) {
        claims--;
        unsure.remove(claim);
        concurrency.claimed(sentNanos, nanos.getAsLong());
        if (batch.more()) {
            foundWork(batch.shard());
        }
        if (batch.suspects()) {
            known.foundSuspects(batch.shard());
        }
        if (batch.dueMillis() >= 0) {
            dueIn(batch.shard(), batch.dueMillis());
        }
        int recoveries =
                batch.jobs().stream().mapToInt(ClaimedJob::recoveries).max().orElse(0);
        // An answer that was lost for a while may come when its batch does not fit any more.
        boolean fits = !draining && alone == null && (recoveries == 0 || claim.equals(quarantine));
        if (!batch.isEmpty()) {
            BatchRun run = newRun(batch, sentNanos);
            running.add(run);
            if (!fits) {
                putBack(List.of(run));
            } else {
                metrics.claimed(batch);
                if (recoveries >= ALONE_FROM) {
                    runAlone(run);
                } else {
                    run.start();
                }
            }
        }
        if (claim.equals(quarantine) && (recoveries == 0 || !fits)) {
            quarantine = null;
        }
        turn();
    }

    private BatchRun newRun(Batch batch, long sentNanos) {
        BatchLease lease =
                new BatchLease(batch, queue, nanos, settings.queue().lease().toNanos(), sentNanos);
        return new BatchRun(vertx, queue, handlers.apply(batch.lane()), retry, nanos, random, batch, lease, this);
    }

    /**
     * A refused claim is forgotten: the next poll tries the shard again. One whose answer was lost may hold jobs and is
     * requested by its name.
     */
    private void claimFailed(Claim claim, Throwable cause) {
        claims--;
        boolean moves = cause instanceof RedisError error && error.isOfMove();
        if (!moves) { // Redis is well, and the other shards are not to wait for one that moves.
            concurrency.refused(nanos.getAsLong());
        }
        if (claim.equals(quarantine)) {
            quarantine = null;
        }
        boolean passing = cause instanceof RedisError error && error.passing();
        if (!passing) {
            LOG.error("claim failed shard={} cause={}", claim.shard(), RetryPolicy.describe(cause), cause);
        }
        if (unsure.contains(claim) || (cause instanceof RedisError error && error.kind() == RedisError.Kind.LOST)) {
            unsure.add(claim);
            known.forget(claim.shard());
            vertx.setTimer(claim.backoff().next(), timer -> claimAgain(claim));
        }
        turn();
    }

    private void claimAgain(Claim claim) {
        if (!stopped) {
            claim(claim);
        }
    }

    /**
     * Answers the shard of the batch when no other shard has more: then the run keeps the place of the batch. While
     * other shards wait, they come first.
     */
    @Override
    public BatchRun.Next next(BatchRun run) {
        int shard = run.batch().shard();
        boolean isNext = known.isOnly(shard) || (!known.hasAny() && run.isContinued());
        if (!isNext
                || draining
                || alone != null
                || claims + working() > concurrency.limit()
                || unsure.stream().anyMatch(claim -> claim.shard() == shard)) {
            return null;
        }
        known.forget(shard);
        Claim claim = newClaim(shard, Kind.ANY);
        claims++;
        long sent = nanos.getAsLong();
        return new BatchRun.Next() {
            @Override
            public String batch() {
                return claim.batch();
            }

            @Override
            public int max() {
                return settings.queue().batchMax();
            }

            @Override
            public void claimed(Batch batch) {
                Worker.this.claimed(claim, batch, sent);
            }

            @Override
            public void failed(Throwable cause) {
                claimFailed(claim, cause);
            }
        };
    }

    /** A suspect is not held at all: it is put off at once, and the others go on. */
    @Override
    public long holdMaxNanos(BatchRun run) {
        if (run.batch().jobs().stream().anyMatch(job -> job.recoveries() > 0)) {
            return 0;
        }
        return alone != null ? SHORT_HOLD_NANOS : HOLD_NANOS;
    }

    @Override
    public void stuck(BatchRun run) {
        leaveQuarantine(run);
        turn();
    }

    private void leaveQuarantine(BatchRun run) {
        if (quarantine != null && quarantine.batch().equals(run.batch().name())) {
            quarantine = null;
        }
        if (run == alone) {
            alone = null;
            long now = nanos.getAsLong();
            quarantineFromNanos = now + OTHERS_SHARE * (now - aloneSinceNanos);
        }
    }

    @Override
    public void ended(BatchRun run) {
        running.remove(run);
        leaveQuarantine(run);
        if (run.end() == BatchRun.End.SETTLED) {
            settled(run);
        } else if (run.end() == BatchRun.End.PERHAPS_SETTLED) {
            LOG.debug("settled, perhaps batch={}", run.batch().name());
            metrics.repeated(run.outcomes());
            foundWork(run.batch().shard());
            settled(run);
        } else if (run.end() == BatchRun.End.LOST) {
            metrics.lost(run.outcomes());
            LOG.warn(
                    "lease lost, the jobs run elsewhere shard={} batch={} jobs={}",
                    run.batch().shard(),
                    run.batch().name(),
                    run.batch().jobs().size());
        }
        turn();
    }

    private void settled(BatchRun run) {
        metrics.settled(run.batch(), run.outcomes());
        for (int i = 0; i < run.outcomes().size(); i++) {
            Outcome outcome = run.outcomes().get(i);
            if (outcome instanceof Outcome.Continued && !run.hasNext()) {
                foundWork(run.batch().shard());
            } else if (outcome instanceof Outcome.Retry retry) {
                dueIn(run.batch().shard(), retry.delayMillis());
            } else if (outcome instanceof Outcome.Dead dead) {
                LOG.error(
                        "job given up job={} reason={}",
                        run.batch().jobs().get(i).line(),
                        dead.reason());
            }
        }
    }

    private void beat() {
        if (stopped) {
            return;
        }
        long sent = nanos.getAsLong();
        List<BatchRun> runs = List.copyOf(running);
        vertx.setTimer(beatMillis(), timer -> beat());
        queue.beat(runs.stream().map(BatchRun::batch).toList())
                .onComplete(
                        beat -> beaten(runs, beat, sent),
                        cause -> LOG.debug("beat failed cause={}", RetryPolicy.describe(cause)));
    }

    private static void beaten(List<BatchRun> runs, LeaseRenewal beat, long sentNanos) {
        Set<String> renewed = names(beat.renewed());
        Set<String> gone = names(beat.gone());
        for (BatchRun run : runs) {
            if (renewed.contains(run.batch().name())) {
                run.lease().renewed(sentNanos);
            } else if (gone.contains(run.batch().name())) {
                run.lease().end();
            }
        }
    }

    private static Set<String> names(List<Batch> batches) {
        return batches.stream().map(Batch::name).collect(Collectors.toSet());
    }

    /** The {@link Poller} finds what no token announces. */
    private long waitMillis() {
        return Math.max(WAIT_MILLIS, pollMillis());
    }

    private long pollMillis() {
        return settings.queue().poll().toMillis();
    }

    private long beatMillis() {
        return settings.queue().beat().toMillis();
    }
}

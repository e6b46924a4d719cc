package io.fanfare.core.queue;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.WakeTokens;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The task queue on Redis lists: one per shard, claimed in batches under a lease, at least once. Every method is one
 * round trip; see the Lua files for what is atomic. Confined to the event loop of its link.
 *
 * <p>A worker's side of it: {@link #awaitWake} and {@link #fetch}, run the jobs, {@link #beat} meanwhile,
 * {@link #settle} or, where more waits, {@link #settleAndFetch}; {@link #waiting} for wake-ups that were lost;
 * {@link #leases} and {@link #reap} for those who died.
 */
public final class JobQueue {
    private static final Script ENQUEUE = Script.load("enqueue");
    private static final Script FETCH = Script.load("fetch");
    private static final Script SETTLE = Script.load("settle");
    private static final Script SETTLE_FETCH = Script.load("settle_fetch");
    private static final Script BEAT = Script.load("beat");
    private static final Script REAP = Script.load("reap");
    private static final Script RELEASE = Script.load("release");
    private static final Script STATS = Script.load("queue_stats");

    /** In the order of the KEYS of settle and release. */
    private static final List<Lane> LANES = List.of(Lane.HIGH, Lane.NORMAL, Lane.LOW);

    /** Tokens taken at once: few, so that several idle workers share the work. */
    private static final int WAKE_TAKE = 16;

    /** Delayed jobs that one fetch looks at. */
    private static final int DUE_MAX = 100;

    /** Batches that one look at the leases answers per shard: those of the dead end first. */
    private static final int LEASES_MAX = 100;

    /** Once in company, three times alone. */
    static final int RECOVERIES_MAX = 3;

    private static final int REASON_MAX = 200;

    private final RedisLink redis;
    private final Shards shards;
    private final Settings.Queue settings;
    private final LongSupplier clock;
    private final LaneScheduler scheduler;
    private final WakeTokens wakes;

    /** On the Redis server's clock. */
    public JobQueue(RedisLink redis, Shards shards, Settings.Queue settings) {
        this(redis, shards, settings, null);
    }

    /** On a clock of epoch milliseconds of the caller's, for tests. */
    JobQueue(RedisLink redis, Shards shards, Settings.Queue settings, LongSupplier clock) {
        this.redis = redis;
        this.shards = shards;
        this.settings = settings;
        this.clock = clock;
        this.scheduler = new LaneScheduler(shards.count());
        this.wakes = new WakeTokens(redis);
    }

    /**
     * Enqueues a job into its owner's shard; stores that must do so atomically with a write use
     * {@code lua/lib/enqueue.lua} instead. Fails with OOM when Redis is full.
     */
    public Future<Void> enqueue(Job job, Lane lane) {
        int shard = Id.shard(job.owner());
        String encoded = JobCodec.encode(job);
        return redis.send(ENQUEUE.call(List.of(Keys.lane(shard, lane.key()), Keys.queueStats(shard)), now(), encoded))
                .mapEmpty();
    }

    /**
     * Wakes waiting workers of a shard; all calls of one turn of the event loop leave together. Best effort: a lost
     * token costs at most {@code queue.poll}.
     */
    public Future<Void> wake(int shard) {
        return wakes.wake(shard);
    }

    /**
     * Waits up to {@code atMostMillis} for wake tokens; the shards named by them, without repeats; empty when none
     * came.
     */
    public Future<Set<Integer>> awaitWake(long atMostMillis) {
        String seconds =
                Long.toString(atMostMillis / 1000) + '.' + String.format(Locale.ROOT, "%03d", atMostMillis % 1000);
        Command command = Command.routed("BLMPOP", Keys.WAKE, seconds, 1, Keys.WAKE, "RIGHT", "COUNT", WAKE_TAKE);
        return redis.block(command, atMostMillis).map(this::shardsIn);
    }

    /**
     * Claims up to {@code max} jobs as batch {@code name} (unique per claim: {@code worker.n}); a repetition with the
     * same name renews the lease and answers the same jobs, so a fetch whose answer was lost must be repeated, not
     * given up.
     *
     * <p>A lane that is paused ({@link LanePause}) gives nothing. A batch has jobs of one lane.
     *
     * @param alone whether this worker has nothing else in flight and will not have until the batch ends: only then may
     *     it get a suspect, a job whose worker died, as the whole batch. So that jobs beside the culprit are not blamed
     *     with it
     */
    public Future<Batch> fetch(int shard, String name, int max, boolean alone) {
        return fetch(shard, name, max, alone, scheduler.next(shard, max));
    }

    /** The same from the high lane only. */
    public Future<Batch> fetchHigh(int shard, String name, int max) {
        return fetch(shard, name, max, false, Map.of(Lane.HIGH, max));
    }

    private Future<Batch> fetch(int shard, String name, int max, boolean alone, Map<Lane, Integer> lanes) {
        List<String> keys = new ArrayList<>(List.of(
                Keys.leases(shard),
                Keys.batch(shard, name),
                Keys.lane(shard, "suspect"),
                Keys.delayed(shard),
                Keys.lane(shard, Lane.NORMAL.key()),
                Keys.queueStats(shard)));
        List<Object> args =
                new ArrayList<>(List.of(now(), name, settings.lease().toMillis(), max, DUE_MAX, alone ? 1 : 0));
        lanes.forEach((lane, share) -> {
            keys.add(Keys.lane(shard, lane.key()));
            args.add(share);
        });
        return redis.send(FETCH.call(keys, args.toArray())).map(reply -> batch(shard, name, reply));
    }

    /** The answer to a settlement, in the order of the numbers that settle.lua returns. */
    public enum Settlement {
        /**
         * The lease had been lost: nothing was done, and the jobs run elsewhere - or, after a settlement whose answer
         * was lost, the first one has done it all.
         */
        LOST,
        /** Every job has its outcome. */
        DONE,
        /** A status is not in Redis any more: nothing was done. */
        STATUS_GONE
    }

    /** Acknowledges a whole batch: outcome i belongs to job i. */
    public Future<Settlement> settle(Batch batch, List<Outcome> outcomes) {
        return settle(batch, outcomes, Set.of());
    }

    /**
     * Settles the batch only while all these statuses are in Redis.
     *
     * @param statuses of the shard of the batch
     */
    public Future<Settlement> settle(Batch batch, List<Outcome> outcomes, Set<Long> statuses) {
        List<String> keys = new ArrayList<>(settleKeys(batch));
        statuses.forEach(status -> keys.add(Keys.status(status)));
        List<Object> args = new ArrayList<>(List.of(now(), batch.name(), settings.deadMax(), deadMillis()));
        args.addAll(outcomes(batch, outcomes));
        return redis.send(SETTLE.call(keys, args.toArray())).map(JobQueue::settlement);
    }

    private static Settlement settlement(Reply reply) {
        return Settlement.values()[(int) reply.asLong()];
    }

    /**
     * The result of {@link #settleAndFetch}.
     *
     * @param settlement the answer of {@link #settle}
     * @param next the answer of {@link #fetch}, which does not depend on the settlement
     */
    public record Turn(Settlement settlement, Batch next) {}

    /**
     * {@link #settle}, and {@link #fetch} from the same shard for a worker that is not alone, in one trip. A call whose
     * answer was lost is repeated as a settle and a fetch with the same names.
     */
    public Future<Turn> settleAndFetch(Batch batch, List<Outcome> outcomes, Set<Long> statuses, String next, int max) {
        int shard = batch.shard();
        List<String> keys = new ArrayList<>(settleKeys(batch));
        keys.add(Keys.lane(shard, "suspect"));
        keys.add(Keys.batch(shard, next));
        statuses.forEach(status -> keys.add(Keys.status(status)));
        List<Object> args = new ArrayList<>(List.of(
                now(),
                batch.name(),
                settings.deadMax(),
                deadMillis(),
                next,
                settings.lease().toMillis(),
                max,
                DUE_MAX));
        scheduler.next(shard, max).forEach((lane, share) -> {
            args.add(LANES.indexOf(lane) + 1);
            args.add(share);
        });
        args.addAll(outcomes(batch, outcomes));
        return redis.send(SETTLE_FETCH.call(keys, args.toArray()))
                .map(reply -> new Turn(
                        settlement(reply.items().get(0)),
                        batch(shard, next, reply.items().get(1))));
    }

    private static List<String> settleKeys(Batch batch) {
        int shard = batch.shard();
        return List.of(
                Keys.leases(shard),
                Keys.batch(shard, batch.name()),
                Keys.queueStats(shard),
                Keys.delayed(shard),
                Keys.dead(shard),
                Keys.lane(shard, Lane.HIGH.key()),
                Keys.lane(shard, Lane.NORMAL.key()),
                Keys.lane(shard, Lane.LOW.key()));
    }

    /** The last arguments of settle: the number of failures, the failures, the continuations. */
    private static List<Object> outcomes(Batch batch, List<Outcome> outcomes) {
        if (outcomes.size() != batch.jobs().size()) {
            throw new IllegalArgumentException(
                    outcomes.size() + " outcomes for " + batch.jobs().size() + " jobs");
        }
        List<Object> failures = new ArrayList<>();
        List<Object> continuations = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            Outcome outcome = outcomes.get(i);
            if (outcome instanceof Outcome.Retry retry) {
                failures.addAll(List.of(
                        i + 1,
                        retry.countsAttempt() ? "retry" : "later",
                        retry.delayMillis() + " " + reason(retry.reason())));
            } else if (outcome instanceof Outcome.Dead dead) {
                failures.addAll(List.of(i + 1, "dead", reason(dead.reason())));
            } else if (outcome instanceof Outcome.Continued continued) {
                for (Outcome.Continuation next : continued.rest()) {
                    requireSameShard(batch.shard(), next.job());
                    continuations.add(LANES.indexOf(next.lane()) + 1);
                    continuations.add(JobCodec.encode(next.job()));
                }
            }
        }
        List<Object> args = new ArrayList<>(1 + failures.size() + continuations.size());
        args.add(failures.size() / 3);
        args.addAll(failures);
        args.addAll(continuations);
        return args;
    }

    /** Renews leases, one command per shard. Never fails as a whole. */
    public Future<LeaseRenewal> beat(Collection<Batch> batches) {
        Map<Integer, List<Batch>> byShard = new TreeMap<>();
        batches.forEach(batch ->
                byShard.computeIfAbsent(batch.shard(), s -> new ArrayList<>()).add(batch));
        List<Command> commands = new ArrayList<>();
        byShard.forEach((shard, ofShard) -> {
            List<Object> args = new ArrayList<>(List.of(now(), settings.lease().toMillis()));
            ofShard.forEach(batch -> args.add(batch.name()));
            commands.add(BEAT.call(List.of(Keys.leases(shard)), args.toArray()));
        });
        return redis.pipeline(commands).map(replies -> beat(List.copyOf(byShard.values()), replies));
    }

    /** A batch that is being worked on, until this moment of the Redis server's clock, ms. */
    public record Leased(int shard, String name, long deadline) {}

    /** The leases of all shards, of each the 100 that end first; none of a shard that does not answer. */
    public Future<List<Leased>> leases() {
        return leases(allShards());
    }

    /** The leases of these shards. */
    public Future<List<Leased>> leases(List<Integer> shards) {
        return redis.pipeline(shards.stream()
                        .map(shard -> Command.of("ZRANGE", Keys.leases(shard), 0, LEASES_MAX - 1, "WITHSCORES"))
                        .toList())
                .map(replies -> leases(shards, replies));
    }

    /** Looks for shards where jobs wait, also delayed ones that are not due yet. */
    public ShardProbe waiting() {
        return new ShardProbe(
                redis,
                shards,
                shard -> List.of(
                        Keys.lane(shard, Lane.HIGH.key()),
                        Keys.lane(shard, Lane.NORMAL.key()),
                        Keys.lane(shard, Lane.LOW.key()),
                        Keys.lane(shard, "suspect"),
                        Keys.delayed(shard)));
    }

    /** Looks for shards with dead letters. */
    public ShardProbe buried() {
        return new ShardProbe(redis, shards, shard -> List.of(Keys.dead(shard)));
    }

    /** Looks for shards where batches are in flight. */
    public ShardProbe leased() {
        return new ShardProbe(redis, shards, shard -> List.of(Keys.leases(shard)));
    }

    /**
     * Moves the jobs of a batch to the suspects (or, after three deaths alone, to the dead letters), unless its lease
     * has another deadline by now; answers how many were moved. Whatever the deadline says: a clock may have been set.
     * See {@code Reaper} for when to call this.
     */
    public Future<Integer> reap(Leased batch) {
        int shard = batch.shard();
        List<String> keys = List.of(
                Keys.leases(shard),
                Keys.batch(shard, batch.name()),
                Keys.lane(shard, "suspect"),
                Keys.dead(shard),
                Keys.queueStats(shard),
                Keys.delayed(shard));
        return redis.send(REAP.call(
                        keys, now(), batch.name(), batch.deadline(), RECOVERIES_MAX, settings.deadMax(), deadMillis()))
                .map(reply -> (int) reply.asLong());
    }

    /** Puts a batch back, unharmed, into the lane of its jobs: for shutdown. Does nothing when its lease is gone. */
    public Future<Void> release(Batch batch) {
        int shard = batch.shard();
        List<String> keys = List.of(
                Keys.leases(shard),
                Keys.batch(shard, batch.name()),
                Keys.lane(shard, "suspect"),
                Keys.lane(shard, batch.lane().key()));
        return redis.send(RELEASE.call(keys, batch.name())).mapEmpty();
    }

    /** The jobs that were given up. */
    public DeadLetters deadLetters() {
        return new DeadLetters(redis, this::now);
    }

    /** The job lines as they lie in the lists. */
    public QueuedJobs queuedJobs() {
        return new QueuedJobs(redis);
    }

    /** Pauses and resumes lanes. */
    public LanePause lanePause() {
        return new LanePause(redis, shards, this::now, wakes);
    }

    /** The last failure in each shard, of each type of job. */
    public Future<List<LastFailure>> lastFailures() {
        return redis.pipeline(allShards().stream()
                        .map(shard -> Command.of("HGETALL", Keys.queueStats(shard)))
                        .toList())
                .map(LastFailure::of);
    }

    /** The batches that workers hold. */
    public BatchesInFlight batchesInFlight() {
        return new BatchesInFlight(redis, shards, this::now);
    }

    /** The numbers of every shard, each shard's at one instant; fails when a shard cannot be read. */
    public Future<List<QueueStats>> stats() {
        return askStats(allShards()).map(replies -> IntStream.range(0, replies.size())
                .mapToObj(shard -> QueueStats.of(shard, replies.get(shard)))
                .toList());
    }

    /** The numbers of these shards; none of a shard that does not answer. */
    public Future<List<QueueStats>> stats(List<Integer> shards) {
        return askStats(shards).map(replies -> IntStream.range(0, shards.size())
                .filter(k -> !replies.get(k).isFailure())
                .mapToObj(k -> QueueStats.of(shards.get(k), replies.get(k)))
                .toList());
    }

    private Future<List<Reply>> askStats(List<Integer> shards) {
        return redis.pipeline(shards.stream()
                .map(shard -> STATS.call(List.of(
                        Keys.lane(shard, Lane.HIGH.key()),
                        Keys.lane(shard, Lane.NORMAL.key()),
                        Keys.lane(shard, Lane.LOW.key()),
                        Keys.lane(shard, "suspect"),
                        Keys.delayed(shard),
                        Keys.leases(shard),
                        Keys.dead(shard),
                        Keys.queueStats(shard))))
                .toList());
    }

    private List<Integer> allShards() {
        return IntStream.range(0, shards.count()).boxed().toList();
    }

    /** How many shards there are to fetch from. */
    public int shardCount() {
        return shards.count();
    }

    private Set<Integer> shardsIn(Reply reply) {
        Set<Integer> woken = new LinkedHashSet<>();
        if (!reply.isNil()) {
            for (Reply token : reply.items().get(1).items()) {
                long shard = token.asLong();
                if (shard >= 0 && shard < shards.count()) {
                    woken.add((int) shard);
                }
            }
        }
        return woken;
    }

    private static Batch batch(int shard, String name, Reply reply) {
        List<ClaimedJob> jobs = new ArrayList<>();
        for (Reply line : reply.items().get(2).items()) {
            jobs.add(JobCodec.decode(line.asString()));
        }
        boolean more = reply.items().get(0).asLong() == 1;
        boolean suspects = reply.items().get(1).asLong() > 0;
        Lane lane = LANES.stream()
                .filter(each -> each.key().equals(reply.items().get(4).asString()))
                .findFirst()
                .orElse(Lane.NORMAL);
        return new Batch(shard, name, jobs, more, suspects, reply.items().get(3).asLong(), lane);
    }

    private static LeaseRenewal beat(List<List<Batch>> batches, List<Reply> replies) {
        List<Batch> renewed = new ArrayList<>();
        List<Batch> gone = new ArrayList<>();
        for (int i = 0; i < batches.size(); i++) {
            if (replies.get(i).isFailure()) {
                continue;
            }
            List<Reply> answers = replies.get(i).items();
            for (int k = 0; k < answers.size(); k++) {
                (answers.get(k).asLong() == 1 ? renewed : gone)
                        .add(batches.get(i).get(k));
            }
        }
        return new LeaseRenewal(renewed, gone);
    }

    private static List<Leased> leases(List<Integer> shards, List<Reply> replies) {
        List<Leased> leased = new ArrayList<>();
        for (int k = 0; k < replies.size(); k++) {
            if (replies.get(k).isFailure()) {
                continue;
            }
            List<Reply> pairs = replies.get(k).flat();
            for (int i = 0; i < pairs.size(); i += 2) {
                leased.add(new Leased(
                        shards.get(k), pairs.get(i).asString(), pairs.get(i + 1).asLong()));
            }
        }
        return leased;
    }

    private Object now() {
        return clock == null ? "" : (Object) clock.getAsLong();
    }

    private long deadMillis() {
        return settings.deadDays() * 86_400_000L;
    }

    /** One line without tabs: a tab ends the reason in a dead letter. */
    private static String reason(String text) {
        String line = text.replaceAll("[\\p{Cntrl}]+", " ");
        return line.length() <= REASON_MAX ? line : line.substring(0, REASON_MAX);
    }

    private static void requireSameShard(int shard, Job rest) {
        if (Id.shard(rest.owner()) != shard) {
            throw new IllegalArgumentException("a job continues in its own shard, not in " + Id.shard(rest.owner()));
        }
    }
}

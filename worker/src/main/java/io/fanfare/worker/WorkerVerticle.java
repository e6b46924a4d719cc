package io.fanfare.worker;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Shards;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.LoopStores;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.emoji.Emojis;
import io.fanfare.core.emoji.KnownEmojis;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.JobType;
import io.fanfare.media.MediaProcessor;
import io.fanfare.redis.ClockGuard;
import io.fanfare.redis.LinkMetrics;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisLink;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.WorkerParts;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop that works: puts together its own link, stores, handlers and {@link Worker}. Any number of them, in
 * any number of processes. Its {@code stop} drains.
 */
public final class WorkerVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerVerticle.class);

    /**
     * A handler may take so many leases; then its jobs count as failed. Batches are meant to end within half of one.
     */
    private static final int TIMEOUT_LEASES = 3;

    /** Between two looks for shards to repair after a failover: a read of two keys for each shard and process. */
    private static final int REPAIR_LOOK_MILLIS = 10_000;

    /** A look asks each shard, so that it comes less often where there are many. */
    private static final int REPAIR_LOOK_MILLIS_SHARD = 300;

    private final Settings settings;
    private final Shards shards;
    private final MeterRegistry registry;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final Archive archive;
    private final Future<Void> shutdownNow;
    private final Map<JobType, JobHandler<?>> instead;

    /** Null = this process has no store of files. */
    private final MediaProcessor media;

    private final DiskReserve disk;

    private RedisLink redis;

    /**
     * For the lower lanes: what they send for thousands of followers does not wait before what others need. Redis takes
     * little from each connection in turn.
     */
    private RedisLink redisOfPages;

    private WorkerFeatures features;

    /** Custom emojis for the events of posts. */
    private KnownEmojis emojis;

    private Worker worker;
    private Reaper reaper;
    private Poller poller;
    private BusGauge busGauge;
    private RedisWatch redisWatch;
    private TimedJobStarter timedStart;
    private FailoverWatch failovers;
    private FailoverRepair repairs;
    private Archiver archiver;

    /**
     * @param nanos elapsed time, as {@code System.nanoTime}
     * @param random this instance's own; also makes its name, so it must not be seeded alike in two processes
     */
    public WorkerVerticle(
            Settings settings,
            Shards shards,
            MeterRegistry registry,
            InstantSource clock,
            LongSupplier nanos,
            RandomGenerator random) {
        this(
                settings,
                shards,
                registry,
                clock,
                nanos,
                random,
                Archive.none(),
                Promise.<Void>promise().future(),
                null,
                DiskReserve.none(),
                Map.of());
    }

    /**
     * @param archive shared by the process; it is moved into unless it is none
     * @param shutdownNow succeeds when a drain is to put back at once what is not done
     * @param media shared by the process; null = this process has no store of files, and makes no pictures
     * @param disk what files may take
     * @param instead handlers in place of those of their types, for measurements; everything else is as ever
     */
    public WorkerVerticle(
            Settings settings,
            Shards shards,
            MeterRegistry registry,
            InstantSource clock,
            LongSupplier nanos,
            RandomGenerator random,
            Archive archive,
            Future<Void> shutdownNow,
            MediaProcessor media,
            DiskReserve disk,
            Map<JobType, JobHandler<?>> instead) {
        this.settings = settings;
        this.shards = shards;
        this.registry = registry;
        this.clock = clock;
        this.nanos = nanos;
        this.random = random;
        this.archive = archive;
        this.shutdownNow = shutdownNow;
        this.media = media;
        this.disk = disk;
        this.instead = Map.copyOf(instead);
    }

    @Override
    public Future<?> start() {
        return RedisLink.open(vertx, settings.redis().options(), new LinkMetrics(registry, "worker"))
                .onSuccess(link -> redis = link)
                .compose(link -> RedisLink.open(vertx, settings.redis().options(), new LinkMetrics(registry, "pages")))
                .onSuccess(link -> redisOfPages = link)
                .compose(link -> {
                    emojis = new KnownEmojis(new Emojis(redis));
                    return emojis.start(vertx);
                })
                .compose(known -> {
                    features = WorkerFeatures.of(new WorkerParts(
                            vertx, redis, settings, shards, registry, clock, nanos, random, media, disk));
                    return features.start();
                })
                .map(started -> {
                    work();
                    return redis;
                })
                .recover(this::giveUp);
    }

    /** A verticle that did not start is not stopped either. */
    private Future<RedisLink> giveUp(Throwable cause) {
        return closeLinks().transform(done -> Future.failedFuture(cause));
    }

    private void work() {
        String name = 'w' + Long.toUnsignedString(random.nextLong(), 36);
        JobQueue queue = new JobQueue(redis, shards, settings.queue());
        RetryPolicy retry = new RetryPolicy(settings.queue(), random);
        WorkerMetrics metrics = new WorkerMetrics(registry, clock, nanos);
        QueueDepths depths = QueueDepths.of(vertx, registry, clock);
        LeadLoop lead = LeadLoop.of(vertx, nanos);
        LoopStores stores = stores(redis);
        EventLog events = stores.events();
        JobHandlers handlers = jobHandlers(stores, retry, metrics, redis);
        PacedRedis paced = new PacedRedis(redisOfPages, () -> worker != null && worker.isRunningHigh(), this::pause);
        JobHandlers ofPages = jobHandlers(stores(paced), retry, metrics, redisOfPages);
        worker = new Worker(
                vertx,
                queue,
                lane -> lane == Lane.HIGH ? handlers : ofPages,
                retry,
                settings,
                name,
                nanos,
                random,
                metrics);
        reaper = new Reaper(vertx, queue, settings.queue(), nanos, random, metrics, depths, lead, name);
        poller = new Poller(vertx, queue, settings.queue(), lead, name);
        busGauge = new BusGauge(vertx, events, settings.stream().logSubjects(), clock, depths, lead, name);
        redisWatch = new RedisWatch(vertx, redis, RedisGauges.of(vertx, registry), lead, name);
        timedStart = new TimedJobStarter(
                vertx, new TimedJobs(redis, new ClockGuard(redis, clock, nanos, () -> {}), shards), queue, lead, name);
        failovers = new FailoverWatch(vertx, redis, shards, events, lead, name, registry.counter("fanfare.failovers"));
        Counter repaired = registry.counter("fanfare.failovers.repaired");
        int lookMillis = Math.max(REPAIR_LOOK_MILLIS, shards.count() * REPAIR_LOOK_MILLIS_SHARD);
        repairs = new FailoverRepair(vertx, this::pause, redis, shards, settings, lead, name, lookMillis, repaired);
        worker.start();
        poller.start(worker);
        reaper.start();
        busGauge.start();
        redisWatch.start();
        timedStart.start();
        failovers.start();
        repairs.start();
        if (archive.isPresent()) {
            ArchivePass pass = new ArchivePass(redis, settings, archive);
            boolean writesHere = settings.archive().jdbcUrl().reveal().startsWith("jdbc:sqlite:");
            archiver = new Archiver(
                    vertx,
                    pass,
                    settings.archive(),
                    shards.count(),
                    Archiver.Metrics.of(vertx, registry, clock),
                    // A database elsewhere takes nothing of this disk, and moving frees memory and files of Redis.
                    writesHere ? disk : DiskReserve.none());
            archiver.start();
        }
        LOG.info("worker started worker={} shards={}", name, shards.count());
    }

    private LoopStores stores(Redis link) {
        return LoopStores.of(LoopStores.Parts.uncached(link, settings, shards, emojis, clock, random)
                .with(archive)
                .with(registry));
    }

    private JobHandlers jobHandlers(LoopStores stores, RetryPolicy retry, WorkerMetrics metrics, RedisLink link) {
        long timeoutMillis = TIMEOUT_LEASES * settings.queue().lease().toMillis();
        Map<JobType, JobHandler<?>> all = new EnumMap<>(features.handlers(stores));
        all.putAll(instead);
        return new JobHandlers(vertx, all, retry, metrics, clock, timeoutMillis, link::wasSlow);
    }

    private Future<Void> pause(long millis) {
        return vertx.timer(millis, TimeUnit.MILLISECONDS).mapEmpty();
    }

    /**
     * Stops taking jobs and completes when nothing of this verticle is in flight any more, see {@link Worker#drain}.
     * May be called from any thread and more than once.
     */
    public Future<Void> drain() {
        Promise<Void> drained = Promise.promise();
        context.runOnContext(v -> {
            if (worker == null) {
                drained.complete();
                return;
            }
            reaper.stop();
            poller.stop();
            busGauge.stop();
            redisWatch.stop();
            timedStart.stop();
            failovers.stop();
            repairs.stop();
            Future<Void> archived = archiver == null ? Future.succeededFuture() : archiver.stop();
            worker.drain().eventually(() -> archived).onComplete(drained);
            shutdownNow.onComplete(now -> context.runOnContext(w -> worker.stopNow()));
        });
        return drained.future();
    }

    @Override
    public Future<?> stop() {
        return drain().eventually(this::closeLinks);
    }

    private Future<Void> closeLinks() {
        Future<Void> ended = features == null ? Future.succeededFuture() : features.close();
        return ended.eventually(() -> close(redis)).eventually(() -> close(redisOfPages));
    }

    private static Future<Void> close(RedisLink linkOrNull) {
        return linkOrNull == null ? Future.succeededFuture() : linkOrNull.close();
    }
}

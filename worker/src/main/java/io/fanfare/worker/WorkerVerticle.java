package io.fanfare.worker;

import io.fanfare.common.action.Blocks;
import io.fanfare.common.action.Favourites;
import io.fanfare.common.action.Follows;
import io.fanfare.common.action.PostSideEffects;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.feed.Homes;
import io.fanfare.common.feed.PublicTimelines;
import io.fanfare.common.id.Shards;
import io.fanfare.common.publish.Hydrator;
import io.fanfare.common.publish.NotificationEvents;
import io.fanfare.common.publish.NotificationPublisher;
import io.fanfare.common.publish.StatusEvents;
import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.queue.JobType;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Backlinks;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.Views;
import io.fanfare.worker.handler.CatchUpHandler;
import io.fanfare.worker.handler.DeliverHandler;
import io.fanfare.worker.handler.FanOutHandler;
import io.fanfare.worker.handler.FollowerPages;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.RepairHandler;
import io.fanfare.worker.handler.RetractHandler;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.Map;
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

    private final Settings settings;
    private final Shards shards;
    private final MeterRegistry registry;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private RedisLink redis;
    private Worker worker;
    private Reaper reaper;
    private BusSize busSize;
    private FailoverWatch failovers;

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
        this.settings = settings;
        this.shards = shards;
        this.registry = registry;
        this.clock = clock;
        this.nanos = nanos;
        this.random = random;
    }

    @Override
    public Future<?> start() {
        return RedisLink.open(vertx, settings.redis()).onSuccess(this::work);
    }

    private void work(RedisLink link) {
        redis = link;
        String name = 'w' + Long.toUnsignedString(random.nextLong(), 36);
        JobQueue queue = new JobQueue(redis, shards, settings.queue());
        RetryPolicy retry = new RetryPolicy(settings.queue(), random);
        WorkerMetrics metrics = new WorkerMetrics(registry, clock, nanos);
        QueueDepths depths = QueueDepths.of(vertx, registry, clock);
        long timeoutMillis = TIMEOUT_LEASES * settings.queue().lease().toMillis();
        EventLog events = new EventLog(redis, random, settings.stream());
        JobHandlers handlers = new JobHandlers(handlers(events), retry, metrics, clock, timeoutMillis, redis::wasSlow);
        worker = new Worker(vertx, queue, handlers, retry, settings, name, nanos, random, metrics);
        reaper = new Reaper(vertx, queue, settings.queue(), nanos, random, metrics, depths, name);
        busSize = new BusSize(vertx, events, clock, depths, name);
        failovers =
                new FailoverWatch(vertx, redis, shards, events, depths, name, registry.counter("fanfare.failovers"));
        worker.start();
        reaper.start();
        busSize.start();
        failovers.start();
        LOG.info("worker started worker={} shards={}", name, shards.count());
    }

    private Map<JobType, JobHandler<?>> handlers(EventLog events) {
        Accounts accounts = new Accounts(redis, shards, random);
        Graph graph = new Graph(redis, settings);
        Homes homes = new Homes(redis, settings.feeds());
        Statuses statuses = new Statuses(redis, settings);
        ViewerRelationshipsReader viewerRelationships = new ViewerRelationshipsReader(redis);
        Articles articles = new Articles(redis, settings, clock);
        Views views = new Views(settings.http().publicUrl());
        Hydrator hydrator = new Hydrator(redis, statuses, accounts, viewerRelationships, articles);
        StatusEvents statusEvents = new StatusEvents(hydrator, views);
        Notifications notifications = new Notifications(redis, settings, statuses, viewerRelationships);
        NotificationPublisher notificationPublisher =
                new NotificationEvents(events, notifications, accounts, hydrator, views);
        Follows follows = new Follows(graph, homes, statuses, events, notificationPublisher);
        Blocks blocks = new Blocks(redis, settings, graph, follows);
        SubjectEdges subjectEdges = new SubjectEdges(redis, settings);
        Favourites favourites =
                new Favourites(redis, settings, statuses, viewerRelationships, subjectEdges, notificationPublisher);
        PublicTimelines timelines = new PublicTimelines(redis, statuses, viewerRelationships, settings.feeds(), clock);
        PostSideEffects sideEffects = new PostSideEffects(
                new Backlinks(subjectEdges), notifications, timelines, articles, notificationPublisher);
        FollowerPages pages =
                new FollowerPages(graph, accounts, settings.feeds().fanOutPage());
        FanOutHandler fanOut = new FanOutHandler(events, statuses, statusEvents, sideEffects, homes, pages);
        return Map.<JobType, JobHandler<?>>ofEntries(
                Map.entry(JobType.FAN_OUT, fanOut),
                Map.entry(JobType.ANNOUNCE, fanOut.announcing()),
                Map.entry(JobType.CATCH_UP, new CatchUpHandler(statuses, homes, pages)),
                Map.entry(JobType.DELIVER, new DeliverHandler(statuses, sideEffects, homes, pages)),
                Map.entry(JobType.RETRACT, new RetractHandler(events, statuses, sideEffects, homes, views, pages)),
                Map.entry(JobType.LIKE, RepairHandler.like(favourites)),
                Map.entry(JobType.UNLIKE, RepairHandler.unlike(favourites)),
                Map.entry(JobType.LINK, RepairHandler.link(follows)),
                Map.entry(JobType.UNLINK, RepairHandler.unlink(follows)),
                Map.entry(JobType.BLOCK, RepairHandler.block(blocks)),
                Map.entry(JobType.UNBLOCK, RepairHandler.unblock(blocks)),
                Map.entry(JobType.MUTE, RepairHandler.mute(blocks)),
                Map.entry(JobType.UNMUTE, RepairHandler.unmute(blocks)));
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
            busSize.stop();
            failovers.stop();
            worker.drain().onComplete(drained);
        });
        return drained.future();
    }

    @Override
    public Future<?> stop() {
        return drain().eventually(() -> redis == null ? Future.succeededFuture() : redis.close());
    }
}

package io.fanfare.worker;

import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.RedisLink;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * A worker with one handler of the test's for every type. Unlike {@link WorkerVerticle} it does not drain when it is
 * undeployed: that is how it is killed.
 */
final class TestWorker extends VerticleBase {
    /** The test's handling of a job. */
    interface Handler {
        Future<Outcome> run(Job job, Lease lease);
    }

    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Settings settings;
    private final Shards shards;
    private final JobHandler<Job> handler;

    /** How long a handler may take. */
    long timeoutMillis;

    private RedisLink redis;
    private Worker worker;

    TestWorker(Settings settings, Shards shards, JobHandler<Job> handler) {
        this.settings = settings;
        this.shards = shards;
        this.handler = handler;
        this.timeoutMillis = settings.queue().lease().toMillis();
    }

    static TestWorker oneByOne(Settings settings, Shards shards, Handler handler) {
        return new TestWorker(settings, shards, (jobs, lease) -> jobs.stream()
                .map(job -> handler.run(job, lease))
                .toList());
    }

    @Override
    public Future<?> start() {
        return RedisLink.open(vertx, settings.redis().options()).onSuccess(this::work);
    }

    private void work(RedisLink link) {
        redis = link;
        RandomGenerator random = ThreadLocalRandom.current();
        JobQueue queue = new JobQueue(link, shards, settings.queue());
        RetryPolicy retry = new RetryPolicy(settings.queue(), random);
        WorkerMetrics metrics = new WorkerMetrics(registry, Clock.systemUTC(), System::nanoTime);
        Map<JobType, JobHandler<?>> handlers = new EnumMap<>(JobType.class);
        for (JobType type : JobType.values()) {
            handlers.put(type, handler);
        }
        JobHandlers jobHandlers =
                new JobHandlers(vertx, handlers, retry, metrics, Clock.systemUTC(), timeoutMillis, link::wasSlow);
        String name = "w" + Long.toUnsignedString(random.nextLong(), 36);
        worker =
                new Worker(vertx, queue, lane -> jobHandlers, retry, settings, name, System::nanoTime, random, metrics);
        worker.start();
        LeadLoop lead = LeadLoop.of(vertx, System::nanoTime);
        new Poller(vertx, queue, settings.queue(), lead, name).start(worker);
        new Reaper(
                        vertx,
                        queue,
                        settings.queue(),
                        System::nanoTime,
                        random,
                        metrics,
                        QueueDepths.of(vertx, registry, Clock.systemUTC()),
                        lead,
                        name)
                .start();
    }

    Future<Void> drain() {
        Promise<Void> drained = Promise.promise();
        context.runOnContext(v -> worker.drain().onComplete(drained));
        return drained.future();
    }

    void stopNow() {
        context.runOnContext(v -> worker.stopNow());
    }

    /** Ends as a killed process does: nothing is settled or put back any more. */
    Future<Void> kill() {
        return redis.close().compose(closed -> vertx.undeploy(deploymentID()));
    }

    /** From now on it works without its link to Redis. */
    Future<Void> cutOff() {
        return redis.close();
    }

    double count(String counter) {
        return registry.find(counter).counters().stream()
                .mapToDouble(c -> c.count())
                .sum();
    }

    /** A handler for tests that fail a whole group. */
    static List<Future<Outcome>> failAll(List<Job> jobs, Throwable cause) {
        return jobs.stream().map(job -> Future.<Outcome>failedFuture(cause)).toList();
    }
}

package io.fanfare.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.queue.ClaimedJob;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.TestLease;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The outcomes of a handler's run. */
class JobHandlersTest {
    private final Vertx vertx = Vertx.vertx();

    private record End(List<Future<Outcome>> outcomes, Thread thread) {}

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void aRunThatTakesTooLongFailsOnItsEventLoop() throws Exception {
        JobHandler<Job> hangs = (jobs, lease) ->
                jobs.stream().map(job -> Promise.<Outcome>promise().future()).toList();
        Map<JobType, JobHandler<?>> handlers = new EnumMap<>(JobType.class);
        for (JobType type : JobType.values()) {
            handlers.put(type, hangs);
        }
        RetryPolicy retry = new RetryPolicy(SettingsLoader.defaultsWith().queue(), new Random(1));
        WorkerMetrics metrics = new WorkerMetrics(new SimpleMeterRegistry(), Clock.systemUTC(), System::nanoTime);
        JobHandlers running = new JobHandlers(vertx, handlers, retry, metrics, Clock.systemUTC(), 20, within -> false);
        ClaimedJob job = new ClaimedJob("0 0 1 fan_out.1 8 12", 0, 0, 1, new Job.FanOut(8, 12, 0), null);

        CompletableFuture<Thread> loop = new CompletableFuture<>();
        CompletableFuture<End> end = new CompletableFuture<>();
        vertx.getOrCreateContext().runOnContext(turn -> {
            loop.complete(Thread.currentThread());
            running.run(List.of(job), TestLease.held())
                    .onComplete(ran -> end.complete(new End(ran.result(), Thread.currentThread())));
        });

        assertThat(end.get(10, TimeUnit.SECONDS).thread()).isSameAs(loop.get());
        assertThat(end.get().outcomes().get(0).result()).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void aJobWhoseTypeHasNoHandlerIsPutOffForAWorkerThatHasOneAndGivenUpAfterADay() throws Exception {
        RetryPolicy retry = new RetryPolicy(SettingsLoader.defaultsWith().queue(), new Random(1));
        WorkerMetrics metrics = new WorkerMetrics(new SimpleMeterRegistry(), Clock.systemUTC(), System::nanoTime);
        JobHandlers running = new JobHandlers(vertx, Map.of(), retry, metrics, Clock.systemUTC(), 20, within -> false);
        long now = Clock.systemUTC().millis();
        ClaimedJob fresh = new ClaimedJob("fresh", 0, 0, now, new Job.FanOut(8, 12, 0), null);
        ClaimedJob old = new ClaimedJob("old", 0, 0, now - TimeUnit.DAYS.toMillis(2), new Job.FanOut(8, 12, 0), null);

        List<Future<Outcome>> outcomes = running.run(List.of(fresh, old), TestLease.held())
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);

        assertThat(outcomes.get(0).result())
                .isInstanceOfSatisfying(Outcome.Retry.class, put -> assertThat(put.countsAttempt())
                        .isFalse());
        assertThat(outcomes.get(1).result()).isInstanceOf(Outcome.Dead.class);
    }
}

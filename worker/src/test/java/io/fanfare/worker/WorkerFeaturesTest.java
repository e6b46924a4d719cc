package io.fanfare.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.LoopStores;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.queue.JobType;
import io.fanfare.worker.handler.WorkerParts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The list of features, without a Redis: its handlers are made, and run nothing. */
class WorkerFeaturesTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void everyJobTypeHasAHandler() {
        Settings settings = SettingsLoader.defaultsWith();
        Shards shards = new Shards(settings.redis().shards());
        InstantSource clock = InstantSource.system();
        Random random = new Random(1);
        WorkerFeatures features = WorkerFeatures.of(new WorkerParts(
                vertx,
                /* redis= */ null,
                settings,
                shards,
                new SimpleMeterRegistry(),
                clock,
                System::nanoTime,
                random,
                /* media= */ null,
                DiskReserve.none()));

        LoopStores stores =
                LoopStores.of(LoopStores.Parts.uncached(/* redis= */ null, settings, shards, clock, random));

        assertThat(features.handlers(stores).keySet())
                .as("types with a handler: name a new one in handlers() of its feature, such as PollJobs")
                .containsExactlyInAnyOrder(JobType.values());
    }
}

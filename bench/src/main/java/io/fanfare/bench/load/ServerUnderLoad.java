package io.fanfare.bench.load;

import io.fanfare.api.ApiFeatures;
import io.fanfare.api.ApiParts;
import io.fanfare.api.ApiVerticle;
import io.fanfare.api.feature.ProcessParts;
import io.fanfare.api.oauth.Passwords;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Release;
import io.fanfare.common.view.RenderCache;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.server.http.BodyBudget;
import io.fanfare.worker.WorkerVerticle;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;

/**
 * The service as scenarios load it: the API on one event loop, the worker on another, in a Vert.x of their own. What
 * {@code up} composes, without stream and management.
 */
public final class ServerUnderLoad {
    private ServerUnderLoad() {}

    /** Starts API and worker; answers the API's port. */
    public static Future<Integer> start(
            Vertx vertx, Settings settings, Shards shards, SigningKeys keys, boolean withWorker) {
        return start(vertx, settings, shards, keys, withWorker, new SimpleMeterRegistry());
    }

    /** The same with metrics that somebody reads. */
    static Future<Integer> start(
            Vertx vertx,
            Settings settings,
            Shards shards,
            SigningKeys keys,
            boolean withWorker,
            MeterRegistry metrics) {
        SecureRandom random = new SecureRandom();
        Passwords passwords = new Passwords(vertx, random, settings.auth());
        ApiVerticle api = new ApiVerticle(new ApiParts(
                settings,
                Release.running(),
                shards,
                keys,
                passwords,
                RenderCache.of(settings.feeds().cacheBytes()),
                new BodyBudget(settings.http(), metrics),
                metrics,
                Clock.systemUTC(),
                System::nanoTime,
                random,
                ApiFeatures.ofProcess(new ProcessParts(
                        vertx, settings, Archive.none(), metrics, random, Clock.systemUTC(), DiskReserve.none()))));
        WorkerVerticle worker = new WorkerVerticle(
                settings, shards, metrics, InstantSource.system(), System::nanoTime, new SecureRandom());
        return vertx.deployVerticle(api)
                .compose(id -> withWorker ? vertx.deployVerticle(worker) : Future.succeededFuture(id))
                .map(id -> api.port());
    }
}

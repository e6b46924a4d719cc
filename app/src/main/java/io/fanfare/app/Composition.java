package io.fanfare.app;

import io.fanfare.api.ApiFeatures;
import io.fanfare.api.ApiParts;
import io.fanfare.api.ApiVerticle;
import io.fanfare.api.feature.ProcessFeature;
import io.fanfare.api.feature.ProcessParts;
import io.fanfare.api.oauth.Passwords;
import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Release;
import io.fanfare.common.view.RenderCache;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.disk.DiskSpace;
import io.fanfare.core.language.LanguageGuess;
import io.fanfare.media.MediaProcessor;
import io.fanfare.media.MediaStore;
import io.fanfare.server.http.BodyBudget;
import io.fanfare.server.runtime.Component;
import io.fanfare.server.runtime.HealthProbe;
import io.fanfare.server.runtime.RedisNodesKeeper;
import io.fanfare.server.runtime.Role;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.ServiceContext;
import io.fanfare.stream.StreamMonitor;
import io.fanfare.stream.StreamVerticle;
import io.fanfare.worker.WorkerVerticle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The parts of each kind of process. Read it as a table of contents: nothing here decides anything. */
final class Composition {
    private Composition() {}

    /** {@code up}: API and streams on one port, and workers. */
    static List<Component> everything(ServiceContext services, ServerTls tls) {
        Archive archive = archive(services);
        MediaProcessor media = media(services);
        DiskReserve disk = disk(services);
        List<ProcessFeature> features = features(services, archive, disk);
        List<Component> parts = Stream.of(
                        Stream.of(
                                http(services, archive, features, media, disk, tls),
                                worker(services, archive, media, disk)),
                        features.stream().flatMap(feature -> feature.components().stream()),
                        bucket(services).stream(),
                        Stream.of(watch(services, disk)))
                .flatMap(Function.identity())
                .toList();
        return tls.watched(parts, services.metrics());
    }

    /** One role alone. */
    static List<Component> of(Role role, ServiceContext services, ServerTls tls) {
        DiskReserve disk = disk(services);
        List<Component> parts =
                switch (role) {
                    case API -> api(services, archive(services), disk, tls);
                    case WORKER ->
                        List.of(worker(services, archive(services), media(services), disk), watch(services, disk));
                    case STREAM -> List.of(stream(services, tls));
                };
        return tls.watched(parts, services.metrics());
    }

    /** With a part that keeps the nodes of Redis in a data folder, where there is one and they may change. */
    static List<Component> keepingNodes(List<Component> parts, Settings settings, Path data) {
        return RedisNodesKeeper.isOfUse(settings.redis()) && Files.isDirectory(data)
                ? Stream.concat(parts.stream(), Stream.of(RedisNodesKeeper.component(settings.redis(), data)))
                        .toList()
                : parts;
    }

    /** Event loops that {@code everything} needs. */
    static int eventLoops(Settings settings) {
        return settings.http().eventLoops() + settings.worker().loops();
    }

    /** Event loops that one role needs. */
    static int eventLoops(Role role, Settings settings) {
        return role == Role.WORKER ? settings.worker().loops() : settings.http().eventLoops();
    }

    /** One for all event loops; opened by the first who asks. */
    private static Archive archive(ServiceContext services) {
        return JdbcArchive.of(services.vertx(), services.settings().archive(), services.metrics());
    }

    private static List<ProcessFeature> features(ServiceContext services, Archive archive, DiskReserve disk) {
        return ApiFeatures.ofProcess(new ProcessParts(
                services.vertx(),
                services.settings(),
                archive,
                services.metrics(),
                new SecureRandom(),
                Clock.systemUTC(),
                disk));
    }

    /** One for all event loops. */
    private static DiskReserve disk(ServiceContext services) {
        Settings settings = services.settings();
        return new DiskReserve(
                settings.disk(),
                DiskWatch.folders(settings),
                DiskWatch.ofRedis(settings),
                DiskSpace.ofSystem(),
                Clock.systemUTC());
    }

    private static Component watch(ServiceContext services, DiskReserve disk) {
        return new Component(
                "disk", () -> new DiskWatch(disk, services.metrics()), 1, HealthProbe.NONE, /* writes= */ false);
    }

    private static Component http(
            ServiceContext services,
            Archive archive,
            List<ProcessFeature> features,
            MediaProcessor media,
            DiskReserve disk,
            ServerTls tls) {
        ApiParts parts = apiParts(services, archive, features, media, disk);
        StreamMonitor monitor = new StreamMonitor(services.metrics());
        return new Component(
                "http",
                () -> new HttpVerticle(parts, monitor, tls),
                services.settings().http().eventLoops(),
                monitor);
    }

    private static List<Component> api(ServiceContext services, Archive archive, DiskReserve disk, ServerTls tls) {
        List<ProcessFeature> features = features(services, archive, disk);
        ApiParts parts = apiParts(services, archive, features, media(services), disk);
        Component api = new Component(
                "api",
                () -> new ApiVerticle(parts, tls),
                services.settings().http().eventLoops());
        return Stream.of(
                        Stream.of(api),
                        features.stream().flatMap(feature -> feature.components().stream()),
                        bucket(services).stream(),
                        Stream.of(watch(services, disk)))
                .flatMap(Function.identity())
                .toList();
    }

    /** Tries the bucket of the pictures; nothing where there is none. */
    private static Optional<Component> bucket(ServiceContext services) {
        Settings.S3 settings = services.settings().media().s3();
        return settings.isSet()
                ? Optional.of(new Component(
                        "bucket",
                        () -> new BucketStart(settings, Clock.systemUTC(), new SecureRandom()),
                        1,
                        HealthProbe.NONE,
                        /* writes= */ false))
                : Optional.empty();
    }

    private static Component stream(ServiceContext services, ServerTls tls) {
        StreamMonitor monitor = new StreamMonitor(services.metrics());
        BodyBudget bodies = new BodyBudget(services.settings().http(), services.metrics());
        return new Component(
                "stream",
                () -> new StreamVerticle(
                        services.settings(),
                        services.keys(),
                        Clock.systemUTC(),
                        System::nanoTime,
                        new SecureRandom(),
                        monitor,
                        bodies,
                        tls),
                services.settings().http().eventLoops(),
                monitor,
                /* writes= */ false);
    }

    private static Component worker(ServiceContext services, Archive archive, MediaProcessor media, DiskReserve disk) {
        LanguageGuess.loadIf(services.settings().instance().detectLanguages());
        return new Component(
                "worker",
                () -> new WorkerVerticle(
                        services.settings(),
                        services.shards(),
                        services.metrics(),
                        Clock.systemUTC(),
                        System::nanoTime,
                        new SecureRandom(),
                        archive,
                        services.shutdownNow(),
                        media,
                        disk,
                        Map.of()),
                services.settings().worker().loops());
    }

    /** One for all event loops; null = none. */
    private static MediaProcessor media(ServiceContext services) {
        Settings.Media settings = services.settings().media();
        if (!settings.isOffered()) {
            return null;
        }
        SecureRandom random = new SecureRandom();
        MediaStore store = MediaStore.of(services.vertx(), settings, random, Clock.systemUTC());
        return new MediaProcessor(services.vertx(), random, store, settings);
    }

    private static ApiParts apiParts(
            ServiceContext services,
            Archive archive,
            List<ProcessFeature> features,
            MediaProcessor media,
            DiskReserve disk) {
        LanguageGuess.loadIf(services.settings().instance().detectLanguages());
        Passwords.warnIfWeak(services.settings().auth());
        return new ApiParts(
                services.settings(),
                Release.running(),
                services.shards(),
                services.keys(),
                services.vapid(),
                new Passwords(
                        services.vertx(),
                        new SecureRandom(),
                        services.settings().auth()),
                RenderCache.of(services.settings().feeds().cacheBytes()),
                new BodyBudget(services.settings().http(), services.metrics()),
                media,
                services.metrics(),
                Clock.systemUTC(),
                System::nanoTime,
                new SecureRandom(),
                archive,
                features,
                disk);
    }
}

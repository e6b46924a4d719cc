package io.fanfare.app;

import io.fanfare.api.ApiParts;
import io.fanfare.api.ApiVerticle;
import io.fanfare.common.auth.Passwords;
import io.fanfare.common.http.BodyBudget;
import io.fanfare.common.runtime.Component;
import io.fanfare.common.runtime.Role;
import io.fanfare.common.runtime.ServiceContext;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.view.RenderCache;
import io.fanfare.stream.StreamMonitor;
import io.fanfare.stream.StreamVerticle;
import io.fanfare.worker.WorkerVerticle;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;

/** What each kind of process is made of. Read it as a table of contents: nothing here decides anything. */
final class Composition {
    private Composition() {}

    /** {@code up}: API and streams on one port, and workers. */
    static List<Component> everything(ServiceContext services) {
        return List.of(http(services), worker(services));
    }

    /** One role alone. */
    static List<Component> of(Role role, ServiceContext services) {
        return List.of(
                switch (role) {
                    case API -> api(services);
                    case WORKER -> worker(services);
                    case STREAM -> stream(services);
                });
    }

    /** Event loops that {@code everything} needs. */
    static int eventLoops(Settings settings) {
        return settings.http().eventLoops() + settings.worker().loops();
    }

    /** Event loops that one role needs. */
    static int eventLoops(Role role, Settings settings) {
        return role == Role.WORKER ? settings.worker().loops() : settings.http().eventLoops();
    }

    private static Component http(ServiceContext services) {
        ApiParts parts = apiParts(services);
        StreamMonitor monitor = new StreamMonitor(services.metrics());
        return new Component(
                "http",
                () -> new HttpVerticle(parts, monitor),
                services.settings().http().eventLoops(),
                monitor);
    }

    private static Component api(ServiceContext services) {
        ApiParts parts = apiParts(services);
        return new Component(
                "api", () -> new ApiVerticle(parts), services.settings().http().eventLoops());
    }

    private static Component stream(ServiceContext services) {
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
                        bodies),
                services.settings().http().eventLoops(),
                monitor,
                /* writes= */ false);
    }

    private static Component worker(ServiceContext services) {
        return new Component(
                "worker",
                () -> new WorkerVerticle(
                        services.settings(),
                        services.shards(),
                        services.metrics(),
                        Clock.systemUTC(),
                        System::nanoTime,
                        new SecureRandom()),
                services.settings().worker().loops());
    }

    private static ApiParts apiParts(ServiceContext services) {
        Passwords.warnIfWeak(services.settings().auth());
        return new ApiParts(
                services.settings(),
                Main.version(),
                services.shards(),
                services.keys(),
                new Passwords(
                        services.vertx(),
                        new SecureRandom(),
                        services.settings().auth()),
                RenderCache.of(services.settings().feeds().cacheBytes()),
                new BodyBudget(services.settings().http(), services.metrics()),
                services.metrics(),
                Clock.systemUTC(),
                System::nanoTime,
                new SecureRandom());
    }
}

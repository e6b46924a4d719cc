package io.fanfare.app;

import io.fanfare.api.ApiParts;
import io.fanfare.api.ApiVerticle;
import io.fanfare.common.auth.Passwords;
import io.fanfare.common.http.BodyBudget;
import io.fanfare.common.runtime.Part;
import io.fanfare.common.runtime.Role;
import io.fanfare.common.runtime.Shared;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.view.ReadCache;
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
    static List<Part> everything(Shared shared) {
        return List.of(http(shared), worker(shared));
    }

    /** One role alone. */
    static List<Part> of(Role role, Shared shared) {
        return List.of(
                switch (role) {
                    case API -> api(shared);
                    case WORKER -> worker(shared);
                    case STREAM -> stream(shared);
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

    private static Part http(Shared shared) {
        ApiParts parts = apiParts(shared);
        StreamMonitor monitor = new StreamMonitor(shared.metrics());
        return new Part(
                "http",
                () -> new HttpVerticle(parts, monitor),
                shared.settings().http().eventLoops(),
                monitor);
    }

    private static Part api(Shared shared) {
        ApiParts parts = apiParts(shared);
        return new Part(
                "api", () -> new ApiVerticle(parts), shared.settings().http().eventLoops());
    }

    private static Part stream(Shared shared) {
        StreamMonitor monitor = new StreamMonitor(shared.metrics());
        BodyBudget bodies = new BodyBudget(shared.settings().http(), shared.metrics());
        return new Part(
                "stream",
                () -> new StreamVerticle(
                        shared.settings(),
                        shared.keys(),
                        Clock.systemUTC(),
                        System::nanoTime,
                        new SecureRandom(),
                        monitor,
                        bodies),
                shared.settings().http().eventLoops(),
                monitor);
    }

    private static Part worker(Shared shared) {
        return new Part(
                "worker",
                () -> new WorkerVerticle(
                        shared.settings(),
                        shared.shards(),
                        shared.metrics(),
                        Clock.systemUTC(),
                        System::nanoTime,
                        new SecureRandom()),
                shared.settings().worker().loops());
    }

    private static ApiParts apiParts(Shared shared) {
        Passwords.warnIfWeak(shared.settings().auth());
        return new ApiParts(
                shared.settings(),
                Main.version(),
                shared.shards(),
                shared.keys(),
                new Passwords(
                        shared.vertx(), new SecureRandom(), shared.settings().auth()),
                ReadCache.of(shared.settings().feeds().cacheBytes()),
                new BodyBudget(shared.settings().http(), shared.metrics()),
                shared.metrics(),
                Clock.systemUTC(),
                System::nanoTime,
                new SecureRandom());
    }
}

package io.fanfare.app;

import io.fanfare.api.ApiParts;
import io.fanfare.api.ApiVerticle;
import io.fanfare.app.console.Console;
import io.fanfare.app.console.ConsoleInputs;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.archive.JdbcArchive;
import io.fanfare.common.auth.Passwords;
import io.fanfare.common.http.BodyBudget;
import io.fanfare.common.media.DiskMediaStore;
import io.fanfare.common.media.MediaProcessor;
import io.fanfare.common.runtime.Component;
import io.fanfare.common.runtime.ManagementSite;
import io.fanfare.common.runtime.Role;
import io.fanfare.common.runtime.ServerTls;
import io.fanfare.common.runtime.ServiceContext;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.text.LanguageGuess;
import io.fanfare.common.view.RenderCache;
import io.fanfare.stream.StreamMonitor;
import io.fanfare.stream.StreamVerticle;
import io.fanfare.worker.WorkerVerticle;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;

/** What each kind of process is made of. Read it as a table of contents: nothing here decides anything. */
final class Composition {
    private Composition() {}

    /** {@code up}: API and streams on one port, and workers. */
    static List<Component> everything(ServiceContext services, ServerTls tls) {
        Archive archive = archive(services);
        return tls.watched(List.of(http(services, archive, tls), worker(services, archive)), services.metrics());
    }

    /** One role alone. */
    static List<Component> of(Role role, ServiceContext services, ServerTls tls) {
        Component part =
                switch (role) {
                    case API -> api(services, archive(services), tls);
                    case WORKER -> worker(services, archive(services));
                    case STREAM -> stream(services, tls);
                };
        return tls.watched(List.of(part), services.metrics());
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

    private static Component http(ServiceContext services, Archive archive, ServerTls tls) {
        ApiParts parts = apiParts(services, archive);
        StreamMonitor monitor = new StreamMonitor(services.metrics());
        return new Component(
                "http",
                () -> new HttpVerticle(parts, monitor, tls),
                services.settings().http().eventLoops(),
                monitor);
    }

    private static Component api(ServiceContext services, Archive archive, ServerTls tls) {
        ApiParts parts = apiParts(services, archive);
        return new Component(
                "api",
                () -> new ApiVerticle(parts, tls),
                services.settings().http().eventLoops());
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

    private static Component worker(ServiceContext services, Archive archive) {
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
                        services.shutdownNow()),
                services.settings().worker().loops());
    }

    /** The operator's console of a process. */
    static ManagementSite console(ServiceContext services, ConsoleInputs inputs) {
        return new Console(services, inputs, Clock.systemUTC(), System::nanoTime, new SecureRandom());
    }

    private static MediaProcessor media(ServiceContext services) {
        Settings.Media settings = services.settings().media();
        if (!settings.isOffered()) {
            return null;
        }
        SecureRandom random = new SecureRandom();
        DiskMediaStore store = DiskMediaStore.in(Path.of(settings.directory()), random);
        return new MediaProcessor(services.vertx(), random, store, settings);
    }

    private static ApiParts apiParts(ServiceContext services, Archive archive) {
        LanguageGuess.loadIf(services.settings().instance().detectLanguages());
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
                media(services),
                services.metrics(),
                Clock.systemUTC(),
                System::nanoTime,
                new SecureRandom(),
                archive);
    }
}

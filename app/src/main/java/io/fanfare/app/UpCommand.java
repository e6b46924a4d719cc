package io.fanfare.app;

import io.fanfare.app.console.ConsoleInputs;
import io.fanfare.app.replay.VerifyRun;
import io.fanfare.common.runtime.ManagementSite;
import io.fanfare.common.runtime.RuntimeFile;
import io.fanfare.common.runtime.Service;
import io.fanfare.common.runtime.ServiceContext;
import io.fanfare.common.runtime.StartPhases;
import io.fanfare.common.settings.Secret;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fanfare up}: everything in one process, with a redis-server of its own unless {@code redis.url} names one. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Run everything: API, workers, streams and, unless redis.url is set, a Redis of its own.")
final class UpCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port of the public server, 0 = any free one: short for --set http.port=N. Default: 8080.")
    private Integer port;

    @Option(
            names = "--end-when-ready",
            hidden = true,
            description = "For the launcher, which keeps the classes that a start loads.")
    private boolean endWhenReady;

    @Override
    public Integer call() throws IOException {
        options.assignPort(port);
        Settings loaded = PublicAddress.concrete(SettingsLoader.load(options.layers()), new Random());
        Logging.ofService(loaded.log());
        StartPhases.ended("settings");
        try (DataFolder data = DataFolder.take(options.data())) {
            String pictures =
                    data.path().toAbsolutePath().normalize().resolve("media").toString();
            Settings settings = loaded.with(loaded.media().orIn(pictures));
            // Beside Redis' own start, which is mostly waiting.
            CompletableFuture<Service> service =
                    CompletableFuture.supplyAsync(() -> new Service(Composition.eventLoops(settings)));
            StartPhases.ended("data-folder");
            if (settings.redis().url().isSet()) {
                Settings keyed = TokenKey.besideForeignRedis(data.path(), settings);
                return run(service.join(), archived(keyed, data), data, "the one of redis.url", Optional.empty());
            }
            try (EmbeddedRedis redis =
                    EmbeddedRedis.start(data.path(), settings.redis().rewriteEvery(), () -> service.join()
                            .end(1))) {
                StartPhases.ended("redis");
                Settings keyed = TokenKey.besideOwnRedis(data.path(), settings, redis);
                Settings joined = keyed.with(settings.redis().at(redis.url()));
                return run(
                        service.join(),
                        archived(joined, data),
                        data,
                        redis.program(),
                        VerifyRun.administratorOf(data.path()));
            }
        }
    }

    /** With the archive of the data folder, unless the operator names another one. */
    private static Settings archived(Settings settings, DataFolder data) {
        return settings.archive().jdbcUrl().isSet()
                ? settings
                : settings.with(settings.archive()
                        .at(new Secret("jdbc:sqlite:" + data.path().resolve("archive.db"))));
    }

    private int run(Service service, Settings settings, DataFolder data, String redis, Optional<Secret> administrator) {
        ConsoleInputs console = new ConsoleInputs(
                Main.version(),
                List.of("api", "worker", "stream"),
                settings.console().isOpen() ? SettingsLoader.explain(options.layers()) : List.of(),
                administrator);
        Optional<Function<ServiceContext, ManagementSite>> site =
                Optional.of(shared -> Composition.console(shared, console));
        return service.run(settings, Composition::everything, site, management -> {
            RuntimeFile runtime = runtime(settings, management);
            data.announce(runtime);
            System.out.println(welcome(runtime, settings, data, redis));
            if (endWhenReady) {
                service.end(0);
            }
        });
    }

    private RuntimeFile runtime(Settings settings, String management) {
        Map<String, String> shared = SettingsLoader.shared(options.layers());
        // Known only since the start.
        shared.put("http.public-url", settings.http().publicUrl());
        shared.put("media.directory", settings.media().directory());
        shared.put("redis.url", settings.redis().url().reveal());
        shared.put("archive.jdbc-url", settings.archive().jdbcUrl().reveal());
        return new RuntimeFile(
                ProcessHandle.current().pid(),
                PublicAddress.url(settings.http()),
                management,
                settings.management().token(),
                shared);
    }

    /** Every line of it that begins with a command can be pasted. */
    private static String welcome(RuntimeFile runtime, Settings settings, DataFolder data, String redis) {
        String url = runtime.httpUrl();
        String fanfare = Invocation.command();
        String onData = " --data " + Invocation.quoted(data.path().toString());
        String first = settings.auth().registrations()
                ? "curl " + url + "/api/v1/accounts -d username=ada -d email=ada@example.org"
                        + " -d password='correct horse battery' -d agreement=true"
                : "curl " + url + "/api/v1/instance";
        return String.join(
                System.lineSeparator(),
                "",
                "Fanfare is ready after " + sinceJvmStart() + ": " + url,
                "  redis     " + redis + ", data in " + data.path(),
                "  operate   " + runtime.managementUrl() + "/readyz and /metrics"
                        + (settings.console().isOpen() ? ", and in a browser /console" : ""),
                "            " + fanfare + " admin queue stats" + onData,
                "  scale     " + fanfare + " worker" + onData + "   # as often as you like",
                "  try       " + first,
                "Ctrl-C finishes what is under way and stops; the data stays.",
                "");
    }

    private static String sinceJvmStart() {
        return String.format(Locale.ROOT, "%.1f s", StartPhases.age().toMillis() / 1000.0);
    }
}

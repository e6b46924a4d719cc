package io.fanfare.app;

import io.fanfare.app.console.ConsoleInputs;
import io.fanfare.app.replay.VerifyRun;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.Component;
import io.fanfare.server.runtime.ManagementSite;
import io.fanfare.server.runtime.RuntimeFile;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.Service;
import io.fanfare.server.runtime.ServiceContext;
import io.fanfare.server.runtime.StartDeadline;
import io.fanfare.server.runtime.StartFailed;
import io.fanfare.server.runtime.StartPhases;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
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
        description = "Runs everything: API, workers, streams and, unless redis.url is set, a Redis of its own.")
final class UpCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port of the public server, 0 = any free one: short for --set http.port=N. Default: 8080.")
    private Integer port;

    @Option(
            names = "--tls",
            description =
                    "Speaks TLS, with a CA and a certificate for this machine that are made in the data folder, so"
                            + " that phones on the same network can log in. Listens on every IPv4 address of the machine,"
                            + " unless http.host is set.")
    private boolean tls;

    @Option(
            names = "--end-when-ready",
            hidden = true,
            description = "For the trial start that keeps the classes which a start loads.")
    private boolean endWhenReady;

    @Override
    public Integer call() throws IOException {
        options.assignPort(port);
        Settings loaded = load();
        Logging.ofService(loaded.log());
        StartPhases.ended("settings");
        // The service closes the deadline when it is ready; a start that fails closes it here.
        try (StartDeadline deadline = StartDeadline.begin(loaded.management().startMax())) {
            return start(loaded, deadline);
        }
    }

    private int start(Settings loaded, StartDeadline deadline) throws IOException {
        StartDeadline.Stage opening = deadline.enter("opening the data folder");
        try (DataFolder data = DataFolder.take(options.data())) {
            Path folder = data.path().toAbsolutePath().normalize();
            DataFolder.unpackSqlite(folder, /* alone= */ true);
            Settings settings = loaded.with(
                            loaded.media().orIn(folder.resolve("media").toString()))
                    .with(loaded.search().orIn(folder.resolve("search").toString()));
            // Beside Redis' own start, which is mostly waiting.
            CompletableFuture<Service> service =
                    CompletableFuture.supplyAsync(() -> new Service(Composition.eventLoops(settings)));
            opening.end();
            StartDeadline.Stage certificates = deadline.enter("reading certificates");
            Optional<LocalCertificate> local = localCertificate(settings);
            ServerTls serverTls = ServerTls.load(settings.http(), InstantSource.system());
            certificates.end();
            if (settings.redis().url().isSet()) {
                Settings keyed = TokenKey.besideForeignRedis(data.path(), settings);
                Start start = new Start(deadline, service.join(), data, serverTls, local);
                return run(start, archived(keyed, data), "the one of redis.url", Optional.empty());
            }
            StartDeadline.Stage loading = deadline.enterUnlimited("starting redis-server, which loads its data");
            try (EmbeddedRedis redis = EmbeddedRedis.start(
                    data.path(),
                    settings.redis().options().namespace(),
                    settings.redis().rewriteEvery(),
                    () -> service.join().end(1))) {
                loading.end();
                redis.requireNamespace();
                data.mark();
                Settings keyed = TokenKey.besideOwnRedis(data.path(), settings, redis);
                Settings joined = keyed.with(settings.redis().at(redis.url()));
                return run(
                        new Start(deadline, service.join(), data, serverTls, local),
                        archived(joined, data),
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

    /** What is there before Redis is asked. */
    private record Start(
            StartDeadline deadline,
            Service service,
            DataFolder data,
            ServerTls tls,
            Optional<LocalCertificate> certificate) {}

    private Settings load() throws IOException {
        if (!tls) {
            return PublicAddress.concrete(SettingsLoader.load(options.discovered()), new Random());
        }
        options.imply(LocalCertificate.settings(options.data()));
        Settings settings = SettingsLoader.load(options.discovered());
        String own = LocalCertificate.file(options.data()).toString();
        Settings.Tls files = settings.http().tls();
        if (!files.certificate().equals(own) || !files.key().equals(own)) {
            throw new StartFailed("--tls makes a certificate, and http.tls.certificate names another one, "
                    + files.certificate() + ": leave out one of them");
        }
        String host = settings.http().host();
        boolean everywhere = host.equals("0.0.0.0") || host.equals("::") || host.equals("[::]");
        return PublicAddress.concrete(
                settings, new Random(), everywhere ? MachineNames.now().reachable() : "");
    }

    private Optional<LocalCertificate> localCertificate(Settings settings) throws IOException {
        if (!tls) {
            return Optional.empty();
        }
        String publicHost = URI.create(settings.http().publicUrl()).getHost();
        MachineNames names = MachineNames.now().and(settings.http().host()).and(publicHost == null ? "" : publicHost);
        return Optional.of(LocalCertificate.in(
                options.data(), names, InstantSource.system().instant(), new SecureRandom()));
    }

    private int run(Start start, Settings settings, String redis, Optional<Secret> administrator) {
        ConsoleInputs console = new ConsoleInputs(
                Main.version(),
                List.of("api", "worker", "stream"),
                settings.console().isOpen() ? SettingsLoader.explain(options.layers()) : List.of(),
                administrator);
        Optional<Function<ServiceContext, ManagementSite>> site =
                Optional.of(shared -> Composition.console(shared, console));
        Path folder = start.data().path();
        Function<ServiceContext, List<Component>> composition =
                shared -> Composition.keepingNodes(Composition.everything(shared, start.tls()), settings, folder);
        return start.service().run(start.deadline(), settings, composition, site, management -> {
            RuntimeFile runtime = runtime(settings, management);
            start.data().announce(runtime);
            System.out.println(welcome(runtime, settings, start, redis));
            if (endWhenReady) {
                start.service().end(0);
            } else {
                ClassArchive.makeBeside();
            }
        });
    }

    private RuntimeFile runtime(Settings settings, String management) {
        Map<String, String> shared = SettingsLoader.shared(options.layers());
        // Known only since the start.
        shared.put("http.public-url", settings.http().publicUrl());
        if (settings.http().tls().isSet()) {
            // Others may be started in another folder.
            shared.put("http.tls.certificate", absolute(settings.http().tls().certificate()));
            shared.put("http.tls.key", absolute(settings.http().tls().key()));
        }
        shared.put("media.directory", settings.media().directory());
        shared.put("search.directory", settings.search().directory());
        shared.put("redis.url", settings.redis().url().reveal());
        shared.put("archive.jdbc-url", settings.archive().jdbcUrl().reveal());
        return new RuntimeFile(
                ProcessHandle.current().pid(),
                PublicAddress.url(settings.http()),
                management,
                settings.management().token(),
                shared);
    }

    private static String absolute(String file) {
        return Path.of(file).toAbsolutePath().normalize().toString();
    }

    /** Every line of it that begins with a command can be pasted. */
    private static String welcome(RuntimeFile runtime, Settings settings, Start start, String redis) {
        DataFolder data = start.data();
        Optional<LocalCertificate> local = start.certificate();
        String curl = local.map(
                        made -> "curl --cacert " + Invocation.quoted(made.ca().toString()))
                .orElse("curl");
        String url = local.isPresent() ? settings.http().publicUrl() : runtime.httpUrl();
        String fanfare = Invocation.command();
        String onData = " --data " + Invocation.quoted(data.path().toString());
        String first = settings.auth().registrations()
                ? curl + " " + url + "/api/v1/accounts -d username=ada -d email=ada@example.org"
                        + " -d password='correct horse battery' -d agreement=true"
                : curl + " " + url + "/api/v1/instance";
        List<String> lines = new ArrayList<>(List.of(
                "",
                "Fanfare is ready after " + sinceJvmStart() + ": " + url,
                "  redis     " + redis + ", data in " + data.path(),
                "  operate   " + runtime.managementUrl() + "/readyz and /metrics"
                        + (settings.console().isOpen() ? ", and in a browser /console" : ""),
                "            " + fanfare + " admin queue stats" + onData,
                "  scale     " + fanfare + " worker" + onData + "   # as often as you like",
                "  try       " + first));
        local.ifPresent(made -> lines.addAll(List.of(
                "  tls       " + (made.isNew() ? "a new CA, which devices have to trust: " : "the CA is ") + made.ca(),
                "            its SHA-256 is " + made.fingerprint(),
                "  phone     send it that file, install it as a CA certificate, compare the SHA-256, and open " + url,
                "            (iPhone: then switch it on, Settings > General > About > Certificate Trust Settings)")));
        if (local.isPresent() && settings.auth().registrations()) {
            lines.add("  network   everybody on it can sign up; nobody with --set auth.registrations=false");
        }
        lines.addAll(List.of("Ctrl-C finishes what is under way and stops; the data stays.", ""));
        return String.join(System.lineSeparator(), lines);
    }

    private static String sinceJvmStart() {
        return String.format(Locale.ROOT, "%.1f s", StartPhases.age().toMillis() / 1000.0);
    }
}

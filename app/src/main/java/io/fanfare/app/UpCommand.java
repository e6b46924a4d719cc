package io.fanfare.app;

import io.fanfare.app.operate.ProcessFacts;
import io.fanfare.app.operate.VerifyRun;
import io.fanfare.common.settings.Registrations;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Release;
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
import io.fanfare.server.runtime.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
            arity = "0..2",
            paramLabel = "FILE",
            description =
                    "Speaks TLS for the network: --tls CERTIFICATE KEY is short for http.tls.certificate and http.tls.key,"
                            + " one FILE has both, and without one the settings name them. Listens on every IPv4"
                            + " address of the machine, unless http.host is set.")
    private List<Path> tls;

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
            ServerTls serverTls = ServerTls.load(settings.http(), InstantSource.system());
            certificates.end();
            if (settings.redis().url().isSet()) {
                Settings keyed = TokenKey.besideForeignRedis(data.path(), settings);
                Start start = new Start(deadline, service.join(), data, serverTls);
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
                Settings joined = keyed.with(options.ofOwn(redis, settings.redis()));
                return run(
                        new Start(deadline, service.join(), data, serverTls),
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

    /** The parts of a start that exist before the first request to Redis. */
    private record Start(StartDeadline deadline, Service service, DataFolder data, ServerTls tls) {}

    private Settings load() {
        if (tls == null) {
            return PublicAddress.concrete(SettingsLoader.load(options.discovered()), new Random());
        }
        options.imply(SettingsLayer.of("--tls", Map.of("http.host", "0.0.0.0")));
        options.assignCertificate(tls);
        Settings settings = SettingsLoader.load(options.discovered());
        Settings.Tls files = settings.http().tls();
        if (!files.isSet()) {
            throw new StartFailed(withoutCertificate(options.data()));
        }
        String host = settings.http().host();
        boolean everywhere = host.equals("0.0.0.0") || host.equals("::") || host.equals("[::]");
        if (!everywhere) {
            return PublicAddress.concrete(settings, new Random());
        }
        TlsIdentity identity = TlsIdentity.read(
                Path.of(files.certificate()),
                Path.of(files.key()),
                InstantSource.system().instant());
        return PublicAddress.concrete(settings, new Random(), identity.host().orElse(""));
    }

    /** Earlier versions made a certificate in the data folder; devices that trust its CA can go on until it ends. */
    private static String withoutCertificate(Path data) {
        Path former = data.toAbsolutePath().normalize().resolve("tls").resolve("server.pem");
        String files = "--tls needs the files of a certificate: --tls CERTIFICATE KEY, or http.tls.certificate and"
                + " http.tls.key; mkcert makes both files for a network at home";
        return Files.exists(former)
                ? files + ". Fanfare no longer makes certificates; the one of an earlier version serves until it ends:"
                        + " --tls " + Invocation.quoted(former.toString())
                : files;
    }

    private int run(Start start, Settings settings, String redis, Optional<Secret> administrator) {
        ProcessFacts facts = new ProcessFacts(
                Release.running().toString(),
                List.of("api", "worker", "stream"),
                settings.console().isOpen() ? SettingsLoader.explain(options.layers()) : List.of(),
                administrator);
        Optional<Function<ServiceContext, ManagementSite>> site = ManagementSites.of(facts);
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
    private String welcome(RuntimeFile runtime, Settings settings, Start start, String redis) {
        DataFolder data = start.data();
        String url = tls == null ? runtime.httpUrl() : settings.http().publicUrl();
        String fanfare = Invocation.command();
        String onData = " --data " + Invocation.quoted(data.path().toString());
        String first = settings.auth().registrations() == Registrations.OPEN
                ? "curl " + url + "/api/v1/accounts -d username=ada -d email=ada@example.org"
                        + " -d password='correct horse battery' -d agreement=true"
                : "curl " + url + "/api/v1/instance";
        List<String> lines = new ArrayList<>(List.of(
                "",
                "Fanfare is ready after " + sinceJvmStart() + ": " + url,
                "  version   " + Release.running(),
                "  redis     " + redis + ", data in " + data.path(),
                "  operate   " + runtime.managementUrl() + "/readyz and /metrics"
                        + (settings.console().isOpen() ? ", and in a browser /console" : ""),
                "            " + fanfare + " admin queue stats" + onData,
                "  scale     " + fanfare + " worker" + onData + "   # as often as you like",
                "  try       " + first));
        if (tls != null && settings.auth().registrations() == Registrations.OPEN) {
            lines.add("  network   everybody on it can sign up; nobody with --set auth.registrations=false");
        }
        lines.addAll(List.of("Ctrl-C finishes what is under way and stops; the data stays.", ""));
        return String.join(System.lineSeparator(), lines);
    }

    private static String sinceJvmStart() {
        return String.format(Locale.ROOT, "%.1f s", StartPhases.age().toMillis() / 1000.0);
    }
}

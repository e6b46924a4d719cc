package io.fanfare.app;

import io.fanfare.app.migrate.MigrateRun;
import io.fanfare.app.migrate.RaiseRun;
import io.fanfare.app.migrate.TargetUrl;
import io.fanfare.app.operate.VerifyRun;
import io.fanfare.common.id.Id;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.failure.Reason;
import io.fanfare.redis.RedisOptions;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fanfare migrate}: a running site moves from one Redis to another, or gets more shards. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Copies the data of a running site from its Redis to another one: to another machine, to a cluster, from Redis to Valkey. The site works meanwhile; writes are refused from the last step on, until its processes are started with the new redis.url. The archive, pictures and the signing key stay where they are. With --shards nothing is copied, and the data get more shards.",
        exitCodeListHeading = ExitStatus.HEADING,
        exitCodeList = {
            "0:the data have moved, or have more shards: set redis.url or redis.shards, and start the processes again",
            "1:nothing has changed, or the last step is not confirmed: stderr says which, and the same command goes on",
            "2:the arguments or settings are wrong"
        })
final class MigrateCommand implements Callable<Integer> {
    private static final String PASSWORD = "FANFARE_TARGET_PASSWORD";

    /** Far more than any password has. */
    private static final long FILE_BYTES_MAX = 4096;

    @Mixin
    private SettingsOptions options;

    @ArgGroup(multiplicity = "1")
    private What what;

    /** One of them. */
    private static final class What {
        @Option(
                names = "--to",
                paramLabel = "URL",
                required = true,
                description =
                        "The other Redis, as in redis.url but without a password: redis://USER@HOST:PORT, rediss:// or unix://. Whether it is a cluster is found out. The password of USER: "
                                + PASSWORD + " in the environment, or --to-password-file.")
        private String to;

        @Option(
                names = "--reopen",
                required = true,
                description =
                        "Instead of moving: takes the mark off a Redis that the data have left, so that it can be used again. What was written at the other one since is not brought back.")
        private boolean reopen;

        @Option(
                names = "--shards",
                paramLabel = "N",
                required = true,
                description =
                        "Instead of moving: raises the number of shards to N, a power of two up to 1024, within seconds. Accounts stay in their shards, new ones also go into the new ones. Running processes refuse writes from then on, until they are started again.")
        private int shards;
    }

    @Option(names = "--to-password-file", paramLabel = "FILE", description = "A file whose first line is the password.")
    private Path passwordFile;

    @Option(names = "--replace", description = "Removes keys of the site's namespace that the other Redis has already.")
    private boolean replace;

    @Option(
            names = "--close-others",
            description =
                    "Goes on although the servers of the source have keys of others, who cannot write there from the last step on.")
    private boolean closeOthers;

    @Option(
            names = "--read-only-max",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "For how long writes may be refused until the copy is complete, 1 to 3600; then the source is opened again. Default: ${DEFAULT-VALUE}.")
    private int readOnlyMax;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Logging.ofCommand();
        if (readOnlyMax < 1 || readOnlyMax > 3600) {
            throw wrong("--read-only-max must be 1 to 3600 seconds");
        }
        if (what.reopen) {
            return reopen();
        }
        if (what.to == null) {
            return raise();
        }
        String fault = TargetUrl.fault(what.to);
        if (!fault.isEmpty()) {
            throw wrong(fault);
        }
        Settings settings = options.joining();
        RedisOptions source = source(settings);
        RedisOptions target = withMode(source.as(RedisOptions.Mode.STANDALONE).at(TargetUrl.with(what.to, password())));
        MigrateRun.Wishes wishes = new MigrateRun.Wishes(replace, closeOthers, Duration.ofSeconds(readOnlyMax));
        MigrateRun.Outcome outcome =
                new CommandAudit("migrate", TargetUrl.shown(target)).of(() -> move(source, target, wishes));
        System.out.println(
                json
                        ? json(outcome).encodePrettily()
                        : text(outcome, settings, target.mode() == RedisOptions.Mode.CLUSTER));
        return 0;
    }

    private static void report(String line) {
        System.err.println(line);
    }

    private static MigrateRun.Outcome move(RedisOptions source, RedisOptions target, MigrateRun.Wishes wishes) {
        try (MigrateRun run = new MigrateRun(source, target, wishes, MigrateCommand::report)) {
            return untilKilled(run::abort, run::run);
        }
    }

    private RedisOptions source(Settings settings) {
        return settings.redis()
                .at(options.administrator().orElse(settings.redis().url()))
                .options();
    }

    private int reopen() {
        boolean stopped = !options.namesRedis()
                && options.running().isEmpty()
                && Files.isDirectory(options.data().resolve("redis"));
        String place = new CommandAudit("migrate/reopen", "")
                .of(() -> stopped ? reopenStopped() : MigrateRun.reopen(source(options.joining())));
        String what = stopped ? options.data().toString() : "this Redis";
        if (json) {
            System.out.println(
                    new JsonObject().put("reopened", what).put("was", place).encode());
        } else {
            System.out.println(what + " takes writes again. What was written at " + place
                    + " since the data moved is not here: start no process there");
        }
        return 0;
    }

    /** The redis-server of an {@code up} that does not start any more, since its data have moved. */
    private String reopenStopped() {
        Settings settings = options.looking();
        try (DataFolder data = DataFolder.take(options.data());
                EmbeddedRedis redis = EmbeddedRedis.start(
                        data.path(),
                        settings.redis().options().namespace(),
                        settings.redis().rewriteEvery(),
                        () -> {})) {
            redis.requireNamespace();
            return MigrateRun.reopen(settings.redis()
                    .at(VerifyRun.administratorOf(data.path()).orElse(redis.url()))
                    .options());
        } catch (IOException e) {
            throw new StartFailed("the data folder " + options.data() + " cannot be used: " + Reason.of(e));
        }
    }

    private int raise() {
        int shards = what.shards;
        if (shards < 1 || shards > Id.SHARDS_MAX || Integer.bitCount(shards) != 1) {
            throw wrong("--shards must be a power of two: 1, 2, 4 ... " + Id.SHARDS_MAX);
        }
        RedisOptions redis = source(options.joining());
        RaiseRun.Outcome outcome =
                new CommandAudit("migrate/shards", Integer.toString(shards)).of(() -> raise(redis, shards));
        System.out.println(
                json
                        ? new JsonObject()
                                .put("from", outcome.from())
                                .put("shards", outcome.to())
                                .encode()
                        : text(outcome));
        return 0;
    }

    private static RaiseRun.Outcome raise(RedisOptions redis, int shards) {
        try (RaiseRun run = new RaiseRun(redis, InstantSource.system(), MigrateCommand::report)) {
            return untilKilled(run::abort, () -> run.run(shards));
        }
    }

    private static String text(RaiseRun.Outcome outcome) {
        if (outcome.from() == outcome.to()) {
            return "the data have " + outcome.to() + " shards, as wanted: nothing had to change";
        }
        return String.join(
                System.lineSeparator(),
                "raised   from " + outcome.from() + " to " + outcome.to()
                        + " shards; accounts stay where they are, and new ones go into all shards",
                "now      set redis.shards: " + outcome.to() + " wherever it is set, and start every process again:",
                "         those that run refuse writes until then");
    }

    /** Calls {@code run}. A signal that ends the process meanwhile calls {@code abort}. */
    private static <T> T untilKilled(Runnable abort, Supplier<T> run) {
        Thread whenKilled = new Thread(abort, "migrate-abort");
        Runtime.getRuntime().addShutdownHook(whenKilled);
        try {
            return run.get();
        } finally {
            try {
                boolean unused = Runtime.getRuntime().removeShutdownHook(whenKilled);
            } catch (IllegalStateException ending) {
                // The process ends, and the hook runs.
            }
        }
    }

    private Secret password() {
        if (passwordFile == null) {
            return new Secret(System.getenv().getOrDefault(PASSWORD, ""));
        }
        try {
            if (Files.size(passwordFile) > FILE_BYTES_MAX) {
                throw new StartFailed("the file " + passwordFile + " of --to-password-file has more than "
                        + FILE_BYTES_MAX + " bytes: write the password alone into it");
            }
            return new Secret(Files.readString(passwordFile, StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse(""));
        } catch (IOException e) {
            throw new StartFailed("the file of --to-password-file cannot be read: " + Reason.of(e));
        }
    }

    private static RedisOptions withMode(RedisOptions target) {
        Map<String, String> facts = RedisFacts.of(target, false);
        return facts.getOrDefault("redis.mode", "").equals("cluster") ? target.as(RedisOptions.Mode.CLUSTER) : target;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    private static String text(MigrateRun.Outcome outcome, Settings settings, boolean cluster) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "moved    %,d keys, %,d MiB, to %s; every key was compared",
                outcome.keys(),
                outcome.bytes() >> 20,
                outcome.place()));
        lines.add(String.format(
                Locale.ROOT,
                "         %.2f s of read-only for the last %,d keys; writes are refused here from now on",
                outcome.readOnly().toMillis() / 1000.0,
                outcome.lastKeys()));
        outcome.notes().forEach(note -> lines.add("note: " + note));
        Settings.Redis usual = SettingsLoader.defaultsWith().redis();
        lines.add("now      give the user of the service its rights there (config/redis.conf), set in every process");
        lines.add("           redis.url: " + outcome.place() + " with its user and password");
        if (cluster || settings.redis().options().mode() != usual.options().mode()) {
            lines.add("           redis.mode: " + (cluster ? "cluster" : "standalone"));
        }
        lines.add("         and start the processes again; `up` keeps its --data, for archive, pictures and key");
        lines.add("back     " + Invocation.command() + " migrate --reopen, before anything is written there");
        return String.join(System.lineSeparator(), lines);
    }

    private static JsonObject json(MigrateRun.Outcome outcome) {
        JsonObject types = new JsonObject();
        outcome.types().forEach((type, keys) -> types.put(type.toString().toLowerCase(Locale.ROOT), keys));
        return new JsonObject()
                .put("to", outcome.place())
                .put("keys", outcome.keys())
                .put("types", types)
                .put("copied", outcome.copied())
                .put("bytes", outcome.bytes())
                .put("last_keys", outcome.lastKeys())
                .put("read_only_seconds", outcome.readOnly().toMillis() / 1000.0)
                .put("moment", outcome.moment().toString())
                .put("notes", new JsonArray(outcome.notes()));
    }
}

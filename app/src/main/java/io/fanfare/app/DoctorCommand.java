package io.fanfare.app;

import io.fanfare.common.settings.InvalidSettings;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.DataFormat;
import io.fanfare.common.store.Meta;
import io.fanfare.media.BucketCheck;
import io.fanfare.media.DecoderCheck;
import io.fanfare.media.Ffmpeg;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.fanfare.server.runtime.RuntimeFile;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fanfare doctor}: looks at Redis, the machine and the settings, before the first start or beside a service. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description =
                "Looks at Redis, this machine and the settings, and says what to do. Works beside a running service, with redis.url, and before the first start. Give it the --config of the service.",
        exitCodeListHeading = ExitStatus.HEADING,
        exitCodeList = {"0:all is well", "1:there are warnings", "2:there are errors, or the arguments are wrong"})
final class DoctorCommand implements Callable<Integer> {
    private static final int SCRATCH_RADIX = 36;

    @Mixin
    private SettingsOptions options;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Override
    public Integer call() {
        Logging.ofCommand();
        List<Finding> findings = examine();
        System.out.println(json ? json(findings).encodePrettily() : text(findings));
        return Finding.worst(findings).status();
    }

    private List<Finding> examine() {
        Settings settings;
        Optional<RuntimeFile> running;
        try {
            running = options.running();
            settings = options.looking();
        } catch (InvalidSettings e) {
            return e.problems().stream()
                    .map(problem -> Finding.error("settings", problem, "config/fanfare.yaml explains every setting"))
                    .toList();
        } catch (StartFailed e) {
            return List.of(Finding.error("settings", e.getMessage(), "correct or remove the file"));
        }
        List<Finding> findings = new ArrayList<>(redis(settings));
        findings.addAll(folder());
        MachineExam machine = new MachineExam(
                Path.of("/proc"), running.map(file -> Long.toString(file.pid())).orElse("self"));
        boolean ownRedis = !options.namesRedis();
        findings.addAll(machine.run(settings, options.data(), ownRedis));
        ServiceExam.certificate(settings.http(), InstantSource.system().instant())
                .ifPresent(findings::add);
        ServiceExam.archive(settings.archive()).ifPresent(findings::add);
        findings.addAll(bucket(settings.media().s3()));
        if (settings.media().isOffered() || ownRedis) {
            findings.add(MachineExam.ofDecoder(DecoderCheck.run(Ffmpeg.searchPath())));
        }
        findings.addAll(MailExam.run(settings));
        findings.add(SettingsExam.previews(settings.media(), Ffmpeg.searchPath()));
        findings.addAll(SettingsExam.run(settings, machine.heapBytes(), machine.directBytes()));
        return findings;
    }

    /** Nothing where pictures are in a folder. */
    private static List<Finding> bucket(Settings.S3 settings) {
        if (!settings.isSet()) {
            return List.of();
        }
        return RemoteStores.askOutside(vertx -> new BucketCheck(
                        vertx, settings, new SecureRandom(), InstantSource.system())
                .run()
                .map(trouble -> trouble
                        .map(found -> Finding.error("pictures", found.what(), found.remedy()))
                        .or(() -> Optional.of(Finding.ok(
                                "pictures",
                                "files can be stored in the bucket " + settings.bucket() + ", read and deleted")))
                        .stream()
                        .toList()));
    }

    /** The mark of the data folder, if it has one. */
    private List<Finding> folder() {
        try {
            return FormatFile.read(options.data())
                    .map(mark -> format("the data folder " + options.data(), mark))
                    .map(List::of)
                    .orElse(List.of());
        } catch (StartFailed e) {
            return List.of(Finding.error("data", e.getMessage(), "restore the folder from a backup"));
        }
    }

    private static Finding format(String what, DataFormat.Mark mark) {
        return mark.refusal(what)
                .map(sentence -> Finding.error("data", sentence, "start nothing of this release on it"))
                .orElseGet(() -> Finding.ok("data", what + " has " + mark.words()));
    }

    private static Future<List<Finding>> format(RedisLink redis) {
        return new Meta(redis, new SecureRandom())
                .format()
                .map(mark -> mark.map(there -> List.of(format("the data set", there)))
                        .orElse(List.of()))
                .otherwise(List.of()); // A Redis that does not answer has a finding of its own.
    }

    private List<Finding> redis(Settings settings) {
        if (!settings.redis().url().isSet()) {
            return List.of(Finding.ok(
                    "redis",
                    "no service runs on " + options.data()
                            + " and redis.url is empty: `fanfare up` starts a redis-server of its own"));
        }
        RedisOptions joined = settings.redis().options();
        String scratch = Long.toUnsignedString(new SecureRandom().nextLong(), SCRATCH_RADIX);
        List<Finding> findings = new ArrayList<>(ask(
                joined,
                redis -> RedisExam.run(
                        redis, settings.stream().logBytes(), InstantSource.system(), System::nanoTime, scratch)));
        if (findings.size() > 1) {
            RedisOptions asAdministrator = options.administrator()
                    .map(url -> settings.redis().at(url).options())
                    .orElse(joined);
            findings.addAll(ask(asAdministrator, DoctorCommand::format));
            findings.addAll(ask(asAdministrator, RedisExam::configuration));
            findings.addAll(ask(
                    asAdministrator,
                    redis -> HotSlots.of(redis, settings.redis().shards())));
            findings.addAll(
                    ask(joined, redis -> ServiceExam.site(redis, settings.auth().registrations())));
            findings.addAll(ask(
                    joined,
                    redis -> ServiceExam.backup(redis, InstantSource.system().instant())));
            findings.addAll(ask(
                    joined,
                    redis -> ServiceExam.waiting(
                            redis, settings, InstantSource.system().instant())));
        }
        return findings;
    }

    private static List<Finding> ask(RedisOptions redis, Function<RedisLink, Future<List<Finding>>> question) {
        try {
            return RemoteStores.askRedis(redis, question);
        } catch (RedisError | IllegalArgumentException | IllegalStateException e) {
            return List.of(Finding.error(
                    "redis", "a request to Redis failed: " + e.getMessage(), "start it, or correct redis.url"));
        }
    }

    private static String text(List<Finding> findings) {
        return findings.stream().map(Finding::line).collect(Collectors.joining(System.lineSeparator()));
    }

    private static JsonObject json(List<Finding> findings) {
        JsonArray lines = new JsonArray();
        findings.forEach(finding -> lines.add(finding.json()));
        return new JsonObject().put("status", Finding.worst(findings).label()).put("findings", lines);
    }
}

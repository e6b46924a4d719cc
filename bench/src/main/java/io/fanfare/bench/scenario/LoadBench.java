package io.fanfare.bench.scenario;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.load.SiteFill;
import io.fanfare.bench.load.WorkerServer;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.verify.MemorySurvey;
import io.fanfare.verify.MemorySurvey.Part;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench load}: fills a Redis, or a data folder from which {@code fanfare up} starts, with as many accounts,
 * follows, posts and homes as asked for, and reports the memory of each kind.
 */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = {
            "Fills a Redis through the stores with accounts, posts, follows by a power law, and homes. Reports the time, the memory of Redis by kind, and the append-only file.",
            "The command itself needs 8 bytes an account; a worker runs beside it."
        })
public final class LoadBench implements Callable<Integer> {
    /** Keys that Redis measures: a twentieth of those of a million accounts. */
    private static final int SURVEYED_KEYS = 500_000;

    private static final int FAMILIES_SHOWN = 14;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--accounts",
            paramLabel = "N",
            defaultValue = "2000",
            converter = Count.class,
            description = "Accounts, without passwords. Default: ${DEFAULT-VALUE}.")
    private int accounts;

    @Option(
            names = "--follows",
            paramLabel = "N",
            defaultValue = "50",
            converter = Count.class,
            description = "Others that each account follows; fewer than there are accounts. Default: ${DEFAULT-VALUE}.")
    private int follows;

    @Option(
            names = "--posts",
            paramLabel = "N",
            defaultValue = "5",
            converter = Count.class,
            description = "Posts of each account, of at most 200 characters. Default: ${DEFAULT-VALUE}.")
    private int posts;

    @Option(
            names = "--homes",
            paramLabel = "PERCENT",
            defaultValue = "30",
            converter = Count.class,
            description = "Accounts with a home, of a hundred. Default: ${DEFAULT-VALUE}.")
    private int homesPercent;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "A new data folder, which stays: start `fanfare up --data DIR` on it afterwards.")
    private Path data;

    @Override
    public Integer call() {
        if (follows >= accounts) {
            throw new BenchFailed("--follows must be less than --accounts");
        }
        if (homesPercent > 100) {
            throw new BenchFailed("--homes is a percentage, at most 100");
        }
        if (data != null && options.url() != null) {
            throw new BenchFailed("--data and --url exclude each other");
        }
        SiteFill.Shape shape = new SiteFill.Shape(accounts, follows, posts, homesPercent, options.seed());
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = data == null
                        ? BenchRedis.open(loop, options)
                        : BenchRedis.openIn(data.resolve("redis"), loop, options)) {
            SiteFill fill = new SiteFill(loop, redis.link(), redis.settings(), shape);
            Report report = new Report("load", "objects");
            report.settings(redis.description());
            report.setting("heap of the command", (Runtime.getRuntime().maxMemory() >> 20) + " MiB at most");
            report.setting(
                    "site",
                    String.format(
                            "%,d accounts, %d follows and %d posts each, %,d homes, seed %d",
                            accounts, follows, posts, shape.homes(), options.seed()));
            try (ServerProcess worker = ServerProcess.start(WorkerServer.class, redis.serverEnvironment())) {
                time(report, redis, worker, "accounts", accounts, fill::accounts);
                time(report, redis, worker, "posts", (long) accounts * posts, fill::posts);
                time(report, redis, worker, "follows", (long) accounts * follows, fill::follows);
                time(report, redis, worker, "homes", shape.homes(), fill::homes);
            }
            if (fill.dead() > 0) {
                throw new BenchFailed(fill.dead() + " jobs were given up: posts lack in the data");
            }
            memory(report, redis, loop, fill.entriesOfHome(), shape);
            if (redis.isOwn()) {
                file(report, redis);
            }
            return report.publish(options);
        }
    }

    private static void time(
            Report report, BenchRedis redis, ServerProcess worker, String kind, long count, Runnable step) {
        double redisBefore = redis.cpuSeconds();
        double workerBefore = worker.cpuSeconds();
        long begin = System.nanoTime();
        step.run();
        double seconds = (System.nanoTime() - begin) / 1e9;
        report.figure(kind, (double) count, "");
        report.figure(
                kind + "-seconds",
                seconds,
                String.format(
                        "%-8s %,12d in %7.1f s, %,9.0f/s; %6.1f us of Redis and %6.1f of the worker each",
                        kind,
                        count,
                        seconds,
                        count / seconds,
                        (redis.cpuSeconds() - redisBefore) / count * 1e6,
                        (worker.cpuSeconds() - workerBefore) / count * 1e6));
    }

    /** By unit, and by family of keys. */
    private static void memory(
            Report report, BenchRedis redis, EventLoop loop, double entriesOfHome, SiteFill.Shape shape) {
        long used = redis.usedMemory();
        MemorySurvey.Result survey =
                loop.await(() -> new MemorySurvey(redis.link(), Instant.now(), SURVEYED_KEYS, 1).run());
        report.figure(
                "used-memory",
                (double) used,
                String.format("%nused memory of Redis %,d bytes, %,d keys", used, survey.keys()));
        Map<String, Part> families =
                survey.families().stream().collect(Collectors.toMap(Part::name, Function.identity()));
        long accounts = shape.accounts();
        unit(
                report,
                families,
                "account",
                accounts,
                Set.of("user", "login", "{names}:index", "{directory}:active", "{directory}:new"));
        unit(report, families, "follow", accounts * shape.follows(), Set.of("following", "followers"));
        unit(report, families, "post", accounts * shape.posts(), Set.of("status"));
        unit(report, families, "place-of-post", accounts * shape.posts(), Set.of("profile", "outbox"));
        if (entriesOfHome > 0) {
            unit(report, families, "entry-of-home", Math.round(shape.homes() * entriesOfHome), Set.of("home"));
        }
        report.sentence(String.format("%n%-22s %13s %16s %9s", "family", "keys", "bytes", "each"));
        survey.families().stream()
                .limit(FAMILIES_SHOWN)
                .forEach(family -> report.sentence(String.format(
                        "%-22s %,13d %,16d %,9d",
                        family.name(), family.keys(), family.bytes(), family.bytes() / Math.max(1, family.keys()))));
    }

    private static void unit(
            Report report, Map<String, Part> families, String name, long count, Set<String> ofFamilies) {
        long bytes = ofFamilies.stream()
                .filter(families::containsKey)
                .mapToLong(family -> families.get(family).bytes())
                .sum();
        report.figure(
                name + "-bytes",
                (double) bytes / count,
                String.format("%-14s %,13d of %7.1f bytes", name, count, (double) bytes / count));
    }

    private static void file(Report report, BenchRedis redis) {
        long before = redis.fileBytes();
        long begin = System.nanoTime();
        long bytes = redis.writeFile();
        report.figure(
                "file-bytes",
                (double) bytes,
                String.format(
                        "%nappend-only file %,d bytes, written in %.1f s%s",
                        bytes,
                        (System.nanoTime() - begin) / 1e9,
                        before == 0 ? "" : String.format(", before that %,d", before)));
    }
}

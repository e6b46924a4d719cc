package io.fanfare.bench.scenario;

import io.fanfare.archive.JdbcArchive;
import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.HomeServer;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.redis.RedisLink;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.verify.MemorySurvey;
import io.fanfare.verify.MemorySurvey.Part;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench archive}: the memory that Redis needs for authors whose older posts have moved into SQLite, beside the
 * memory for authors who have posted no more than stays; and what moving a post costs. Posts come no faster than they
 * move.
 */
@Command(
        name = "archive",
        mixinStandardHelpOptions = true,
        description =
                "Measures memory of Redis after most posts have moved into SQLite, beside authors who posted only what"
                        + " stays.")
public final class ArchiveBench implements Callable<Integer> {
    private static final double GOAL = 1.05;
    private static final int PER_TURN = 10;
    private static final long QUIET_MAX_NANOS = 600_000_000_000L;

    /** The prefix of the keys of the event log. */
    private static final int SCAN_COUNT = 1000;

    private static final String LOG = Keys.BUS_LOG.substring(0, Keys.BUS_LOG.indexOf(':') + 1);

    /** A usual post: 140 characters. */
    private static final String TEXT = "0123456789 ".repeat(13).substring(0, 140);

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--authors",
            paramLabel = "N",
            defaultValue = "100",
            converter = Count.class,
            description = "Authors. Default: ${DEFAULT-VALUE}.")
    private int authors;

    @Option(
            names = "--posts",
            paramLabel = "N",
            defaultValue = "10000",
            converter = Count.class,
            description =
                    "Posts of each author, and one more of each than of the one before. Default: ${DEFAULT-VALUE}.")
    private int posts;

    @Option(
            names = "--kept",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Count.class,
            description = "archive.profile-max: posts of each author that stay in Redis. Default: ${DEFAULT-VALUE}.")
    private int kept;

    /**
     * The costs of one side.
     *
     * @param bytes used_memory, without the event log
     * @param moved posts
     * @param redisMicros processor time of Redis to move a post
     * @param seconds to move all
     * @param fileBytes of the database
     */
    private record Side(
            long bytes, List<Part> families, long moved, double redisMicros, double seconds, long fileBytes) {}

    @Override
    public Integer call() throws IOException {
        if (posts <= kept) {
            throw new BenchFailed("--posts must be more than --kept, or nothing moves");
        }
        if (options.url() != null) {
            throw new BenchFailed("two servers are compared: leave out --url");
        }
        Report report = new Report("archive", "posts");
        Side alone = side(report, false);
        Side archived = side(report, true);
        report.setting(
                "posts",
                String.format(
                        "%d authors with %,d to %,d posts of %d characters, %,d of each stay",
                        authors, posts, posts + authors - 1, TEXT.length(), kept));
        double ratio = (double) archived.bytes() / alone.bytes();
        report.figure("moved", (double) archived.moved(), String.format("%,d posts moved", archived.moved()));
        report.figure(
                "memory-ratio",
                ratio,
                String.format(
                        "%.3fx the memory of authors with %,d posts each (goal <= %.2fx): %,d bytes beside %,d",
                        ratio, kept, GOAL, archived.bytes(), alone.bytes()));
        report.figure(
                "redis-us-per-moved-post",
                archived.redisMicros(),
                String.format(
                        "a moved post costs %.1f us of Redis; %,.0f moved a second; %.0f bytes of the database each",
                        archived.redisMicros(),
                        archived.moved() / archived.seconds(),
                        (double) archived.fileBytes() / archived.moved()));
        families(report, alone, archived);
        return report.publish(options);
    }

    private Side side(Report report, boolean isArchived) throws IOException {
        Path folder = Files.createTempDirectory("fanfare-bench-archive");
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(
                        loop, options, "archive.profile-max=" + (isArchived ? kept : 0), "queue.depth-max=100000000")) {
            report.settings(redis.description());
            SocialGraph strangers =
                    new SocialGraph(LongStream.range(0, authors).boxed().toList(), new int[authors][0]);
            DataSet data = new DataSet(loop, redis.link(), redis.settings(), strangers);
            Path file = folder.resolve("archive.db");
            Archive archive = JdbcArchive.of(
                    loop.vertx(),
                    redis.settings().archive().at(new Secret("jdbc:sqlite:" + file)),
                    new SimpleMeterRegistry());
            // Delivers to nobody; but jobs that wait take memory.
            ServerProcess worker =
                    ServerProcess.start(HomeServer.class, redis.serverEnvironment(), HomeServer.WITH_WORKER);
            try {
                Mover mover = new Mover(loop, redis, data, archive);
                for (int post = 0; post < (isArchived ? posts + authors - 1 : kept); post++) {
                    // Authors are not at the same place between two passes.
                    int first = Math.max(0, post - posts + 1);
                    data.postOnce(IntStream.range(first, authors).boxed().toList(), TEXT);
                    if ((post + 1) % PER_TURN == 0) {
                        mover.move();
                    }
                }
                mover.move();
                data.awaitQuiet(QUIET_MAX_NANOS);
                long rows = mover.moved();
                dropLog(loop, redis);
                return new Side(
                        redis.usedMemory(),
                        survey(loop, redis),
                        rows,
                        rows == 0 ? 0 : mover.redisSeconds / rows * 1e6,
                        mover.seconds,
                        Files.size(file));
            } finally {
                worker.close();
                loop.run(archive::close);
            }
        } finally {
            BenchRedis.delete(folder);
        }
    }

    /** The event log has bounds of its own, by time and number, which fewer posts do not reach. */
    private static void dropLog(EventLoop loop, BenchRedis redis) {
        for (String node : loop.await(() -> Future.succeededFuture(redis.link().nodes()))) {
            String from = RedisLink.Scan.BEGIN;
            RedisLink.Scan page;
            do {
                String cursor = from;
                page = loop.await(() -> redis.link().scan(node, cursor, SCAN_COUNT));
                for (String key : page.keys()) {
                    if (key.startsWith(LOG)) {
                        loop.run(() -> redis.link().send(io.fanfare.redis.Command.of("DEL", key)));
                    }
                }
                from = page.cursor();
            } while (!page.isLast());
        }
    }

    private static List<Part> survey(EventLoop loop, BenchRedis redis) {
        return loop.await(() -> new MemorySurvey(redis.link(), Instant.now(), Integer.MAX_VALUE, 1).run())
                .families();
    }

    private void families(Report report, Side alone, Side archived) {
        Map<String, long[]> bytes = new LinkedHashMap<>();
        alone.families().forEach(part -> bytes.computeIfAbsent(part.name(), name -> new long[2])[0] = part.bytes());
        archived.families().forEach(part -> bytes.computeIfAbsent(part.name(), name -> new long[2])[1] = part.bytes());
        report.sentence(String.format("%-20s %16s %16s", "bytes by family", "only what stays", "most has moved"));
        bytes.forEach((name, both) -> report.sentence(String.format("%-20s %,16d %,16d", name, both[0], both[1])));
    }

    /** Runs passes until nothing is due, and keeps account of them. */
    private static final class Mover {
        private final EventLoop loop;
        private final BenchRedis redis;
        private final DataSet data;
        private final Archive archive;
        private final ArchivePass pass;
        private double seconds;
        private double redisSeconds;

        Mover(EventLoop loop, BenchRedis redis, DataSet data, Archive archive) {
            this.loop = loop;
            this.redis = redis;
            this.data = data;
            this.archive = archive;
            this.pass = new ArchivePass(redis.link(), redis.settings(), archive);
        }

        void move() {
            data.awaitQuiet(QUIET_MAX_NANOS);
            long begin = System.nanoTime();
            double before = redis.cpuSeconds();
            for (int shard = 0; shard < data.shards().count(); shard++) {
                int current = shard;
                while (loop.await(() -> pass.run(current))) {
                    // Goes on.
                }
            }
            redisSeconds += redis.cpuSeconds() - before;
            seconds += (System.nanoTime() - begin) / 1e9;
        }

        long moved() {
            return loop.await(archive::stats).live();
        }
    }
}

package io.fanfare.bench.scenario;

import io.fanfare.bench.input.EdgeListReader;
import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.Authors;
import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.HttpLoad;
import io.fanfare.bench.load.PowerLaw;
import io.fanfare.bench.load.RawFanOut;
import io.fanfare.bench.load.ServerUnderLoad;
import io.fanfare.bench.load.StageProfile;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench fanout}: deliveries per second from the POST of a status to the last home, beside what the same Redis
 * does when it gets the bare commands. A delivery is one id put into one follower's home.
 */
@Command(
        name = "fanout",
        mixinStandardHelpOptions = true,
        description =
                "Measures API post -> all homes, against raw pipelined ZADD + trim and raw pipelined RPUSHX on the"
                        + " same Redis.")
public final class FanOutBench implements Callable<Integer> {
    private static final double GOAL_ZADD = 2.5;
    private static final double GOAL_BYTES = 11;
    private static final int AUTHORS_MAX = 500;
    private static final int SAMPLED_HOMES = 100;
    private static final long QUIET_MAX_NANOS = 120_000_000_000L;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Mixin
    private StageOption stages = new StageOption();

    @Option(
            names = "--homes",
            paramLabel = "N",
            defaultValue = "10000",
            converter = Count.class,
            description = "Users, each with a home. Default: ${DEFAULT-VALUE}.")
    private int homes;

    @Option(
            names = "--entries",
            paramLabel = "N",
            defaultValue = "800",
            converter = Count.class,
            description = "Length of a full home. Default: ${DEFAULT-VALUE}.")
    private int entries;

    @Option(
            names = "--followers",
            paramLabel = "N",
            defaultValue = "100",
            converter = Count.class,
            description = "Followers of a user on average, power law. Default: ${DEFAULT-VALUE}.")
    private int followers;

    @Option(
            names = "--graph",
            paramLabel = "FILE",
            description = "Edge list, 'u v' per line: u follows v; instead of the power law.")
    private Path graphFile;

    @Option(names = "--undirected", description = "Each line of --graph is two edges.")
    private boolean undirected;

    @Option(
            names = "--authors",
            paramLabel = "HOW",
            defaultValue = "followers",
            description =
                    "'followers': who has f followers posts f times as often; 'uniform'. Default: ${DEFAULT-VALUE}.")
    private Authors authors;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "16",
            converter = Count.class,
            description = "HTTP connections that post. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Override
    public Integer call() throws IOException {
        RandomGenerator random = new Random(options.seed());
        SocialGraph graph = graph(random);
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(
                        loop,
                        options,
                        "feeds.home-max=" + entries,
                        "feeds.home-slack=" + entries * 2 / 5,
                        "http.port=0",
                        // No connection is used while the homes of a round are filled, which may take a minute.
                        "http.idle-timeout=10m",
                        "limits.enabled=false")) {
            return measure(loop, redis, graph, random);
        }
    }

    private int measure(EventLoop loop, BenchRedis redis, SocialGraph graph, RandomGenerator random) {
        System.err.println("filling " + graph.users() + " homes ...");
        DataSet data = new DataSet(loop, redis.link(), redis.settings(), graph);
        data.fillHomes(random);
        RawFanOut raw =
                new RawFanOut(redis.link(), random, graph.users(), entries, Id.of(System.currentTimeMillis(), 0, 0));
        loop.run(raw::fill);
        Vertx server = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setPreferNativeTransport(true));
        try {
            int port =
                    loop.await(() -> ServerUnderLoad.start(server, redis.settings(), data.shards(), data.keys(), true));
            Posts posts = new Posts(graph, data, random);
            HttpLoad load = HttpLoad.connect(port, connections, posts::next);
            System.err.println("measuring ...");
            Report report = comparison(loop, redis, data, raw, posts, load);
            describe(report, redis, data, graph);
            report.figure(
                    "deliveries-per-post",
                    posts.deliveriesEach(),
                    String.format(
                            "%,.0f deliveries a post; a batch of jobs pushes several posts onto a home with one"
                                    + " command",
                            posts.deliveriesEach()));
            report.print(System.out);
            if (options.json() != null) {
                report.write(options.json());
            }
            return 0;
        } finally {
            loop.run(server::close);
        }
    }

    private SocialGraph graph(RandomGenerator random) throws IOException {
        if (graphFile == null) {
            return PowerLaw.graph(homes, followers, random);
        }
        SocialGraph graph = new EdgeListReader(undirected, false, homes).read(graphFile);
        if (graph.users() == 0) {
            throw new BenchFailed("the graph file " + graphFile + " has no edges");
        }
        return graph;
    }

    private Report comparison(
            EventLoop loop, BenchRedis redis, DataSet data, RawFanOut raw, Posts posts, HttpLoad load) {
        Comparison comparison = new Comparison()
                .process("java", Comparison::javaCpuSeconds)
                .process("redis", redis::cpuSeconds)
                .contestant(
                        "raw ZADD + ZREMRANGEBYRANK", () -> loop.await(() -> raw.addAndTrim(options.nanosPerRound())))
                .contestant("raw RPUSHX, never trimmed", () -> loop.await(() -> raw.push(options.nanosPerRound())))
                .contestant("fanfare: POST -> all homes", () -> fanOut(data, posts, load));
        // Else the compiler takes nearly half of Java's time, and Redis waits for its core.
        for (int round = 0; round < Comparison.UNTIL_COMPILED; round++) {
            long unused = fanOut(data, posts, load);
        }
        Map<String, long[]> before = redis.commandStats();
        List<Comparison.Result> results = comparison.run(options.rounds());
        Report report = new Report("fanout", "deliveries");
        report.results(comparison, results);
        compare(report, results);
        report.sentence("Redis time by command, all contestants: " + redis.topCommands(before));
        StageProfile profile =
                new StageProfile(loop.call(() -> Thread.currentThread().getId()));
        stages.profile(report, Map.of("server", profile::answer), () -> fanOut(data, posts, load), "a delivery");
        List<Long> lacking = data.lackingLastPost(0, QUIET_MAX_NANOS);
        if (!lacking.isEmpty()) {
            throw new BenchFailed("a post did not reach " + lacking.size() + " homes: the figures are worth nothing");
        }
        if (data.dead() > 0) {
            throw new BenchFailed(data.dead() + " jobs were given up: the figures are worth nothing");
        }
        return report;
    }

    /** Posts for a round's time, then waits until nothing is left to do; answers the deliveries that were due. */
    private long fanOut(DataSet data, Posts posts, HttpLoad load) {
        long before = posts.deliveries();
        load.closed(options.nanosPerRound(), Long.MAX_VALUE).accepted();
        data.awaitQuiet(QUIET_MAX_NANOS);
        return posts.deliveries() - before;
    }

    private void compare(Report report, List<Comparison.Result> results) {
        double zadd = results.get(0).perSecond();
        double rpushx = results.get(1).perSecond();
        Comparison.Result ours = results.get(2);
        report.figure(
                "ratio-to-zadd-trim",
                ours.perSecond() / zadd,
                String.format(
                        "%.2fx raw ZADD + trim (goal >= %.1fx), %.2fx raw RPUSHX",
                        ours.perSecond() / zadd, GOAL_ZADD, ours.perSecond() / rpushx));
        report.figure(
                "redis-cpu-ratio-to-zadd-trim",
                results.get(0).cpuMicros("redis") / ours.cpuMicros("redis"),
                String.format(
                        "by Redis time alone: %.2fx", results.get(0).cpuMicros("redis") / ours.cpuMicros("redis")));
        report.sentence(
                ours.busy("redis") > 0.85
                        ? "Redis bounds it: a core at " + Math.round(ours.busy("redis") * 100) + " %."
                        : String.format(
                                "Not Redis alone bounds it (%.0f %% of a core); API, worker and generator share a"
                                        + " process that is at %.0f %%.",
                                ours.busy("redis") * 100, ours.busy("java") * 100));
    }

    private void describe(Report report, BenchRedis redis, DataSet data, SocialGraph graph) {
        report.settings(redis.description());
        report.setting("homes", graph.users() + " of " + entries + " entries");
        report.setting(
                "graph",
                (graphFile == null ? "power law" : graphFile.getFileName().toString()) + ", " + graph.edges()
                        + " edges, seed " + options.seed());
        report.setting("load", connections + " connections, authors by " + authors);
        report.setting(
                "raw load", "own generator over the project's Redis link, 100 commands a write, 4 writes under way");
        List<Integer> held = data.held(Math.min(SAMPLED_HOMES, graph.users()));
        report.figure(
                "ids-held-median",
                held.get(held.size() / 2),
                String.format(
                        "homes hold %d ids above their floors (median; the fewest %d), where feeds.home-max is %d",
                        held.get(held.size() / 2), held.get(0), entries));
        double list = bytesPerEntry(redis, data, graph, true);
        double zset = bytesPerEntry(redis, data, graph, false);
        report.figure(
                "bytes-per-home-entry",
                list,
                String.format(
                        "%.1f bytes per home entry (goal <= %.0f); as a sorted set %.1f", list, GOAL_BYTES, zset));
    }

    private static double bytesPerEntry(BenchRedis redis, DataSet data, SocialGraph graph, boolean ours) {
        long bytes = 0;
        long count = 0;
        for (int home = 0; home < Math.min(SAMPLED_HOMES, graph.users()); home++) {
            String key = ours ? Keys.home(data.id(home)) : RawFanOut.zset(home);
            bytes += redis.memoryUsage(key);
            count += redis.length(key, ours);
        }
        return (double) bytes / count;
    }

    /** The requests that post: authors drawn from the graph, with a text of usual length. One thread. */
    private final class Posts {
        private final List<String> heads = new ArrayList<>();
        private final int[] reach;
        private final long[] upTo;
        private final RandomGenerator random;
        private long deliveries;
        private long posts;

        Posts(SocialGraph graph, DataSet data, RandomGenerator random) {
            this.random = random;
            List<Integer> drawn = new ArrayList<>();
            for (int i = 0; i < Math.min(AUTHORS_MAX, graph.users()); i++) {
                drawn.add((int) ((long) i * graph.users() / Math.min(AUTHORS_MAX, graph.users())));
            }
            reach = drawn.stream().mapToInt(graph::followerCount).toArray();
            upTo = new long[drawn.size()];
            long total = 0;
            for (int i = 0; i < reach.length; i++) {
                total += authors == Authors.UNIFORM ? 1 : reach[i];
                upTo[i] = total;
            }
            data.tokens(drawn)
                    .forEach(token ->
                            heads.add("POST /api/v1/statuses HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
                                    + token + "\r\nContent-Type: application/json\r\nContent-Length: "));
        }

        byte[] next() {
            long at = random.nextLong(upTo[upTo.length - 1]);
            int author = 0;
            while (upTo[author] <= at) {
                author++;
            }
            posts++;
            deliveries += reach[author];
            String body = "{\"status\":\"post " + posts
                    + ": the quick brown fox jumps over the lazy dog, and everybody who follows it reads of it\"}";
            return (heads.get(author) + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII);
        }

        long deliveries() {
            return deliveries;
        }

        double deliveriesEach() {
            return (double) deliveries / posts;
        }
    }
}

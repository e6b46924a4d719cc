package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.HttpLoad;
import io.fanfare.bench.load.PostServer;
import io.fanfare.bench.load.PowerLaw;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.server.runtime.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench post}: posts over HTTP as fast as they go, beside a bare Vert.x handler that does nothing but run the
 * same script. No worker runs, so that the road of a post ends with its job.
 */
@Command(
        name = "post",
        mixinStandardHelpOptions = true,
        description =
                "Measures POST a status, against a bare Vert.x handler that runs the publishing script and answers"
                        + " static bytes.")
public final class PostBench implements Callable<Integer> {
    private static final double GOAL = 0.7;

    private static final String TEXT =
            "the quick brown fox jumps over the lazy dog, and everybody who follows it reads of it";

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Mixin
    private StageOption stages = new StageOption();

    @Option(
            names = "--users",
            paramLabel = "N",
            defaultValue = "500",
            converter = Count.class,
            description = "Authors, drawn evenly. Default: ${DEFAULT-VALUE}.")
    private int users;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "128",
            converter = Count.class,
            description =
                    "Keep-alive connections of the load generator. Of two trips to Redis a post takes longer than of one; with so many under way neither contestant waits for requests. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--alone",
            description = "Instead, 20 posts a second and nothing else: what a post costs the API, the worker, streams"
                    + " and Redis, and how soon it is delivered. Give it --seconds 20, since processor time is counted"
                    + " in steps of 10 ms.")
    private boolean alone;

    @Option(
            names = "--followers",
            paramLabel = "N",
            split = ",",
            defaultValue = "0,25,400",
            description = "With --alone, how many followers an author has. Default: ${DEFAULT-VALUE}.")
    private List<Integer> followers;

    private long posted;

    @Override
    public Integer call() {
        return alone ? new LonePosts(options, stages, followers).measure() : saturated();
    }

    private int saturated() {
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options)) {
            RandomGenerator random = new Random(options.seed());
            SocialGraph graph = PowerLaw.graph(users, 1, random);
            DataSet data = new DataSet(loop, redis.link(), redis.settings(), graph);
            Map<String, String> environment = new HashMap<>(redis.serverEnvironment());
            // No worker takes any job away.
            environment.put("FANFARE_QUEUE_DEPTH_MAX", "100000000");
            try (ServerProcess server = ServerProcess.start(PostServer.class, environment)) {
                Report report = measure(redis, server, data, random);
                report.settings(redis.description());
                report.setting(
                        "load",
                        "own generator, " + connections + " keep-alive connections, " + users
                                + " authors in random order, no worker");
                return report.publish(options);
            }
        }
    }

    private Report measure(BenchRedis redis, ServerProcess server, DataSet data, RandomGenerator random) {
        String[] ports = server.answer().split(" ", -1);
        List<String> tokens = data.tokens(IntStream.range(0, users).boxed().toList());
        HttpLoad full = load(ports[0], random, user -> request(tokens.get(user)));
        int bytes = (int) full.closed(options.nanosPerRound(), 1).bytesEach();
        posted = 1;
        HttpLoad bare =
                load(ports[1], random, user -> HttpLoad.request("POST /" + data.id(user) + "/" + bytes, "", TEXT));
        System.err.println("measuring ...");
        Comparison comparison = new Comparison()
                .warmUp(Comparison.UNTIL_COMPILED)
                .process("server", server::cpuSeconds)
                .process("redis", redis::cpuSeconds)
                .process("generator", Comparison::javaCpuSeconds)
                .contestant("bare handler, one script call", () -> saturate(bare))
                .contestant("fanfare: POST /api/v1/statuses", () -> post(full, redis));
        List<Comparison.Result> results = comparison.run(options.rounds());
        Report report = new Report("post", "posts");
        report.results(comparison, results);
        compare(report, results);
        stages.profile(report, Map.of("server", server::ask), () -> post(full, redis), "a post");
        long logged = redis.counter(Keys.BUS_SEQ);
        report.figure(
                "events-per-post",
                (double) logged / posted,
                String.format("Of %,d posts %,d are in the event log.", posted, logged));
        return report;
    }

    /** The request that posts a text of usual length. */
    static byte[] request(String token) {
        return HttpLoad.request(
                "POST /api/v1/statuses",
                HttpLoad.bearer(token) + "Content-Type: application/json\r\n",
                "{\"status\":\"" + TEXT + "\"}");
    }

    /**
     * A post is done when streams can hear of it: what the log does not have a second later has been left to the jobs,
     * which nobody runs here.
     */
    private long post(HttpLoad load, BenchRedis redis) {
        long accepted = saturate(load);
        posted += accepted;
        redis.awaitCounter(Keys.BUS_SEQ, posted, TimeUnit.SECONDS.toNanos(1));
        return accepted;
    }

    private long saturate(HttpLoad load) {
        return load.closed(options.nanosPerRound(), Long.MAX_VALUE).accepted();
    }

    private static void compare(Report report, List<Comparison.Result> results) {
        Comparison.Result bare = results.get(0);
        Comparison.Result full = results.get(1);
        double ratio = full.perSecond() / bare.perSecond();
        report.figure(
                "ratio-to-bare-script",
                ratio,
                String.format("%.2fx the bare handler with one script call (goal >= %.1fx)", ratio, GOAL));
        report.sentence(String.format(
                "Busy, bare / fanfare: server %.0f / %.0f %%, Redis %.0f / %.0f %%, generator %.0f / %.0f %% of a core each.",
                bare.busy("server") * 100,
                full.busy("server") * 100,
                bare.busy("redis") * 100,
                full.busy("redis") * 100,
                bare.busy("generator") * 100,
                full.busy("generator") * 100));
    }

    private HttpLoad load(String port, RandomGenerator random, IntFunction<byte[]> ofUser) {
        List<byte[]> requests = new ArrayList<>();
        IntStream.range(0, users).forEach(user -> requests.add(ofUser.apply(user)));
        return HttpLoad.connect(Integer.parseInt(port), connections, () -> requests.get(random.nextInt(users)));
    }
}

package io.fanfare.bench.scenario;

import io.fanfare.bench.input.EdgeListReader;
import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.HomeServer;
import io.fanfare.bench.load.HttpLoad;
import io.fanfare.bench.load.PowerLaw;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench mix}: what a server does on an ordinary day, in one stream of requests: 60 % home pages, 20 % profiles,
 * 10 % threads, 5 % posts that a worker delivers meanwhile, 5 % likes. Beside a bare handler that answers a static
 * body.
 */
@Command(
        name = "mix",
        mixinStandardHelpOptions = true,
        description = "Measures 60 %% home pages, 20 %% profiles, 10 %% threads, 5 %% posts, 5 %% likes, against a bare"
                + " Vert.x handler with a static body.")
public final class MixBench implements Callable<Integer> {
    private static final int BARE_BYTES = 10 << 10;
    /** It runs more code than other scenarios, which takes longer to be compiled. */
    private static final int WARM_UP_ROUNDS = 20;

    private static final int POSTS_PER_USER = 20;
    private static final double LATENCY_LOAD = 0.7;
    private static final long QUIET_MAX_NANOS = 600_000_000_000L;
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
    private static final String TEXT =
            "status=the+quick+brown+fox+jumps+over+the+lazy+dog%2C+and+everybody+who+follows+it+reads+of+it";

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--graph",
            paramLabel = "FILE",
            description = "Who follows whom: an edge list, read as undirected. Default: a power law.")
    private Path graphOrNull;

    @Option(
            names = "--users",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Count.class,
            description = "Users, or the first ones of the graph. Default: ${DEFAULT-VALUE}.")
    private int users;

    @Option(
            names = "--followees",
            paramLabel = "N",
            defaultValue = "40",
            converter = Count.class,
            description = "How many each follows on average, without a graph. Default: ${DEFAULT-VALUE}.")
    private int followees;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "32",
            converter = Count.class,
            description = "Keep-alive connections of the load generator. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Override
    public Integer call() throws IOException {
        RandomGenerator random = new Random(options.seed());
        SocialGraph graph = graphOrNull == null
                ? PowerLaw.graph(users, followees, random)
                : new EdgeListReader(/* undirected= */ true, /* reverse= */ false, users).read(graphOrNull);
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options, "http.port=0", "limits.enabled=false")) {
            System.err.println("making " + graph.users() + " users with " + POSTS_PER_USER + " posts each ...");
            DataSet data = new DataSet(loop, redis.link(), redis.settings(), graph);
            List<Long> newest = data.postAndBuildHomes(POSTS_PER_USER);
            try (ServerProcess server =
                    ServerProcess.start(HomeServer.class, redis.serverEnvironment(), HomeServer.WITH_WORKER)) {
                data.awaitQuiet(QUIET_MAX_NANOS);
                Report report = measure(redis, server, data, graph, newest, random);
                report.settings(redis.description());
                report.setting(
                        "graph",
                        graph.users() + " users, " + graph.edges() + " edges"
                                + (graphOrNull == null
                                        ? ", seed " + options.seed()
                                        : ", " + graphOrNull.getFileName()));
                report.print(System.out);
                if (options.json() != null) {
                    report.write(options.json());
                }
                return 0;
            }
        }
    }

    private Report measure(
            BenchRedis redis,
            ServerProcess server,
            DataSet data,
            SocialGraph graph,
            List<Long> newest,
            RandomGenerator random) {
        String[] ports = server.answer().split(" ", -1);
        List<String> tokens =
                data.tokens(IntStream.range(0, graph.users()).boxed().toList());
        HttpLoad mix =
                HttpLoad.connect(Integer.parseInt(ports[0]), connections, () -> request(tokens, data, newest, random));
        byte[] bareRequest = HttpLoad.request("GET /" + BARE_BYTES, "");
        HttpLoad bare = HttpLoad.connect(Integer.parseInt(ports[1]), connections, () -> bareRequest);
        System.err.println("measuring ...");
        Comparison comparison = new Comparison()
                .warmUp(WARM_UP_ROUNDS)
                .process("server", server::cpuSeconds)
                .process("redis", redis::cpuSeconds)
                .process("generator", Comparison::javaCpuSeconds)
                .contestant("bare handler, static 10 KB", () -> saturate(bare))
                .contestant("fanfare: the mix, a worker beside it", new Comparison.Contestant() {
                    @Override
                    public long work() {
                        return saturate(mix);
                    }

                    @Override
                    public void finish() {
                        data.awaitQuiet(QUIET_MAX_NANOS);
                    }
                });
        List<Comparison.Result> results = comparison.run(options.rounds());
        Report report = new Report("mix", "requests");
        report.setting("load", "own generator, " + connections + " keep-alive connections, users in random order");
        report.results(comparison, results);
        Comparison.Result mixed = results.get(1);
        double ratio = mixed.perSecond() / results.get(0).perSecond();
        report.figure("ratio-to-bare-10-kb", ratio, String.format("%.2fx the bare handler with 10 KB", ratio));
        report.sentence(String.format(
                "Busy: server %.0f %%, Redis %.0f %%, generator %.0f %% of a core each.",
                mixed.busy("server") * 100, mixed.busy("redis") * 100, mixed.busy("generator") * 100));
        latency(report, mix, mixed.perSecond() * LATENCY_LOAD);
        report.figure("jobs-given-up", (double) data.dead(), "");
        return report;
    }

    private void latency(Report report, HttpLoad mix, double rate) {
        Histogram nanos = mix.open(rate, options.nanosPerRound()).latencies();
        double p50 = nanos.getValueAtPercentile(50) / 1e6;
        double p99 = nanos.getValueAtPercentile(99) / 1e6;
        report.figure(
                "mix-p50-ms",
                p50,
                String.format(
                        "the mix at %.0f %% of its saturation (%,.0f/s, open loop): p50 %.2f ms, p99 %.2f ms, max %.2f ms",
                        LATENCY_LOAD * 100, rate, p50, p99, nanos.getMaxValue() / 1e6));
        report.figure("mix-p99-ms", p99, "");
    }

    private static byte[] request(List<String> tokens, DataSet data, List<Long> newest, RandomGenerator random) {
        String bearer = HttpLoad.bearer(tokens.get(random.nextInt(tokens.size())));
        long account = data.id(random.nextInt(tokens.size()));
        long status = newest.get(random.nextInt(newest.size()));
        int kind = random.nextInt(20);
        if (kind < 12) {
            return HttpLoad.request("GET /api/v1/timelines/home?limit=20", bearer);
        }
        if (kind < 16) {
            return HttpLoad.request("GET /api/v1/accounts/" + account + "/statuses?limit=20", bearer);
        }
        if (kind < 18) {
            return HttpLoad.request("GET /api/v1/statuses/" + status + "/context", bearer);
        }
        return kind == 18
                ? HttpLoad.request("POST /api/v1/statuses", bearer + FORM, TEXT)
                : HttpLoad.request("POST /api/v1/statuses/" + status + "/favourite", bearer + "Content-Length: 0\r\n");
    }

    private long saturate(HttpLoad load) {
        return load.closed(options.nanosPerRound(), Long.MAX_VALUE).accepted();
    }
}

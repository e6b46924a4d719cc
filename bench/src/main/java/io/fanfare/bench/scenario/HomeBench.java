package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.HomeServer;
import io.fanfare.bench.load.HttpLoad;
import io.fanfare.bench.load.PowerLaw;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.load.ServerUnderLoad;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.failure.Reason;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code bench home}: pages of 20 statuses from full home timelines over HTTP, beside a bare Vert.x handler that
 * answers a static body. First as fast as answers come, then at 70 % of that in open loop for the latencies.
 */
@Command(
        name = "home",
        mixinStandardHelpOptions = true,
        description = "Measures GET home timeline, 20 statuses with their authors and counters, against a bare Vert.x"
                + " handler with a static body.")
public final class HomeBench implements Callable<Integer> {
    /** {@code feeds.push-max-followers}: nobody is pulled. */
    private static final int PUSH_ALL = 1_000_000_000;

    /** Homes take what was posted up to two minutes before. */
    private static final int UNTIL_OLD_SECONDS = 125;

    private static final int BARE_BYTES = 10 << 10;

    /** The body of an empty answer and the headers that a bare handler lacks. */
    private static final int BARE_POLL_BYTES = 100;

    /** The parameters of a poll for newer statuses. */
    private static final List<String> POLLS = List.of("since_id", "min_id");

    private static final int POSTS_PER_USER = 20;
    private static final int READERS_MAX = 500;
    private static final double LATENCY_LOAD = 0.7;
    private static final long QUIET_MAX_NANOS = 600_000_000_000L;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Mixin
    private StageOption stages = new StageOption();

    @Option(
            names = "--users",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Count.class,
            description = "Users; each has posted 20 times. Default: ${DEFAULT-VALUE}.")
    private int users;

    @Option(
            names = "--followees",
            paramLabel = "N",
            defaultValue = "100",
            converter = Count.class,
            description = "How many each follows on average, power law. Default: ${DEFAULT-VALUE}.")
    private int followees;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "32",
            converter = Count.class,
            description = "Keep-alive connections of the load generator. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--likes",
            paramLabel = "N",
            defaultValue = "100",
            converter = Count.class,
            description =
                    "Likes a second of the newest statuses in a round of its own, since each changes what many homes show. Default: ${DEFAULT-VALUE}.")
    private int likes;

    @Option(
            names = "--posts",
            paramLabel = "N",
            split = ",",
            converter = Count.class,
            description =
                    "Posts a second by random users, delivered meanwhile, in a round of its own for each of these rates. Not with --after-backlog or --pull-news.")
    private List<Integer> posts = List.of();

    @Option(
            names = "--poll",
            description =
                    "Measures polls for what is newer than the newest status, which is nothing, in rounds of their own, against a bare handler with 100 bytes, alone and after one GET of Redis.")
    private boolean polls;

    @Option(
            names = "--gzip",
            description = "Measures the same pages for clients that accept gzip, as browsers and apps do, in a round of"
                    + " its own.")
    private boolean gzip;

    @Option(
            names = "--after-backlog",
            description = "Measures, lets everybody post 20 times more while no worker runs, and measures again when a"
                    + " worker has delivered it all.")
    private boolean afterBacklog;

    @Option(
            names = "--expired",
            paramLabel = "N",
            converter = Count.class,
            description =
                    "Afterwards, so many first reads a second of homes that have just expired, in open loop, for their latencies.")
    private int expired;

    @Option(
            names = "--pull-news",
            paramLabel = "N",
            converter = Count.class,
            description =
                    "Readers pull everybody, and so many users have posted since the homes took what there was. Takes two minutes more.")
    private int news;

    @Spec
    private CommandSpec spec;

    /** The homes as they are in the end, in quiet. */
    private Comparison.Result after;

    @Override
    public Integer call() {
        if (!posts.isEmpty() && (afterBacklog || news > 0)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--posts replaces the homes that --after-backlog and --pull-news measure: run them one by one");
        }
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(
                        loop,
                        options,
                        "http.port=0",
                        "limits.enabled=" + stages.isSet(),
                        "limits.rates.requests=1000000",
                        "limits.rates.requests-per-account=10000000",
                        "feeds.push-max-followers=" + (news > 0 ? 0 : PUSH_ALL))) {
            RandomGenerator random = new Random(options.seed());
            SocialGraph graph = PowerLaw.graph(users, followees, random);
            System.err.println("making " + graph.users() + " users with " + POSTS_PER_USER + " posts each ...");
            DataSet data = new DataSet(loop, redis.link(), redis.settings(), graph);
            List<Long> newest = data.postAndBuildHomes(POSTS_PER_USER);
            if (news > 0) {
                System.err.println("waiting until the posts are older than clocks may be apart ...");
                loop.await(() -> loop.vertx().timer(UNTIL_OLD_SECONDS, TimeUnit.SECONDS));
                data.buildHomes();
                data.postOnce(IntStream.range(0, news).boxed().toList(), "news");
            }
            List<String> tokens = data.tokens(
                    IntStream.range(0, Math.min(users, READERS_MAX)).boxed().toList());
            try (ServerProcess server = startServer(redis)) {
                if (!posts.isEmpty()) {
                    data.awaitQuiet(QUIET_MAX_NANOS);
                }
                Comparison.Result before = null;
                DataSet.Wholeness wholeness = null;
                if (afterBacklog) {
                    before = beforeBacklog(redis, server, tokens, random);
                    newest = deliverBacklog(loop, redis, data);
                    wholeness = data.wholeness();
                }
                Report report = measure(loop, redis, server, data, tokens, newest, random);
                if (afterBacklog) {
                    compareBacklog(report, before, wholeness);
                }
                report.settings(redis.description());
                report.setting(
                        "homes",
                        graph.users() + " users, " + graph.edges() + " edges, seed " + options.seed()
                                + "; homes of up to " + redis.settings().feeds().homeMax() + " entries"
                                + (afterBacklog ? ", after a backlog" : "")
                                + (news > 0 ? ", all authors pulled, " + news + " with news" : ""));
                report.print(System.out);
                if (options.json() != null) {
                    report.write(options.json());
                }
                return 0;
            }
        }
    }

    /** A worker would deliver what homes hold already, unless it is what is measured. */
    private ServerProcess startServer(BenchRedis redis) {
        return posts.isEmpty()
                ? ServerProcess.start(HomeServer.class, redis.serverEnvironment())
                : ServerProcess.start(HomeServer.class, redis.serverEnvironment(), HomeServer.WITH_WORKER);
    }

    /** Own posts are in every home before the first delivery; answers everybody's last. */
    private static List<Long> deliverBacklog(EventLoop loop, BenchRedis redis, DataSet data) {
        System.err.println("everybody posts while no worker runs ...");
        List<Long> newest = data.post(POSTS_PER_USER);
        System.err.println("delivering it ...");
        Vertx server = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setPreferNativeTransport(true));
        try {
            loop.run(() -> ServerUnderLoad.start(
                    server, redis.settings(), data.shards(), data.keys(), /* withWorker= */ true));
            data.awaitQuiet(QUIET_MAX_NANOS);
        } finally {
            loop.run(server::close);
        }
        return newest;
    }

    /** Pages of the homes as they come from the profiles. */
    private Comparison.Result beforeBacklog(
            BenchRedis redis, ServerProcess server, List<String> tokens, RandomGenerator random) {
        List<byte[]> requests = tokens.stream().map(HomeBench::homeRequest).toList();
        HttpLoad home = load(apiPort(server), () -> requests.get(random.nextInt(requests.size())));
        System.err.println("measuring before the backlog ...");
        return new Comparison()
                .warmUp(Comparison.UNTIL_COMPILED)
                .process("server", server::cpuSeconds)
                .process("redis", redis::cpuSeconds)
                .contestant("before", () -> saturate(home))
                .run(options.rounds())
                .get(0);
    }

    private void compareBacklog(Report report, Comparison.Result before, DataSet.Wholeness wholeness) {
        double ratio = after.perSecond() / before.perSecond();
        report.figure(
                "ratio-to-before-the-backlog",
                ratio,
                String.format(
                        "%.2fx the pages/s of before the backlog of %,d posts (%,.0f, %.0f us of the server and %.0f of Redis a page; goal >= 0.95x)",
                        ratio,
                        users * POSTS_PER_USER,
                        before.perSecond(),
                        before.cpuMicros("server"),
                        before.cpuMicros("redis")));
        report.figure(
                "homes-not-whole",
                (double) wholeness.lacking(),
                String.format(
                        "%d of %,d homes lack posts afterwards; each holds at least %.0f %% of what it has room for",
                        wholeness.lacking(), users, 100 * wholeness.leastHeld()));
    }

    private static String apiPort(ServerProcess server) {
        return server.answer().split(" ", -1)[0];
    }

    private Report measure(
            EventLoop loop,
            BenchRedis redis,
            ServerProcess server,
            DataSet data,
            List<String> tokens,
            List<Long> newest,
            RandomGenerator random) {
        String[] ports = server.answer().split(" ", -1);
        List<byte[]> requests = tokens.stream().map(HomeBench::homeRequest).toList();
        HttpLoad home = load(ports[0], () -> requests.get(random.nextInt(requests.size())));
        HttpLoad liking = load(
                ports[0],
                () -> likeRequest(
                        tokens.get(random.nextInt(tokens.size())), newest.get(random.nextInt(newest.size()))));
        HttpLoad posting = load(ports[0], () -> postRequest(tokens.get(random.nextInt(tokens.size()))));
        int bytes = (int) home.closed(options.nanosPerRound(), 1).bytesEach();
        // They are few in a round: too few for Java to compile what they run.
        warmUp(liking);
        if (!posts.isEmpty()) {
            warmUp(posting);
            data.awaitQuiet(QUIET_MAX_NANOS);
        }
        HttpLoad bare = load(ports[1], always(bareRequest(BARE_BYTES)));
        HttpLoad same = load(ports[1], always(bareRequest(bytes)));
        System.err.println("measuring ...");
        Comparison comparison = new Comparison()
                .warmUp(Comparison.UNTIL_COMPILED)
                .process("server", server::cpuSeconds)
                .process("redis", redis::cpuSeconds)
                .process("generator", Comparison::javaCpuSeconds)
                .contestant("bare handler, static 10 KB", () -> saturate(bare))
                .contestant(String.format("bare handler, static %.1f KB", bytes / 1024.0), () -> saturate(same))
                .contestant(
                        String.format("fanfare: GET home, 20 statuses, %.1f KB", bytes / 1024.0), () -> saturate(home))
                .contestant("the same, with " + likes + " likes/s", () -> saturate(loop, home, liking, likes));
        for (int rate : posts) {
            comparison = comparison.contestant("the same, with " + rate + " posts/s", new Comparison.Contestant() {
                @Override
                public long work() {
                    return saturate(loop, home, posting, rate);
                }

                @Override
                public void finish() {
                    data.awaitQuiet(QUIET_MAX_NANOS);
                }
            });
        }
        if (gzip) {
            List<byte[]> accepting = tokens.stream()
                    .map(token -> homeRequest(token, "Accept-Encoding: gzip\r\n"))
                    .toList();
            HttpLoad compressed = load(ports[0], () -> accepting.get(random.nextInt(accepting.size())));
            int packed = (int) compressed.closed(options.nanosPerRound(), 1).bytesEach();
            comparison = comparison.contestant(
                    String.format("the same, compressed, %.1f KB", packed / 1024.0), () -> saturate(compressed));
        }
        if (polls) {
            comparison = withPolls(comparison, ports, tokens, Collections.max(newest), random);
        }
        List<Comparison.Result> results = comparison.run(options.rounds());
        after = results.get(2);
        Report report = new Report("home", "requests");
        report.setting(
                "load",
                "own generator, " + connections + " keep-alive connections, " + requests.size()
                        + " readers in random order");
        report.results(comparison, results);
        compare(report, results);
        stages.profile(report, Map.of("server", server::ask), () -> saturate(home), "a page");
        latency(report, "bare 10 KB", bare, results.get(0).perSecond());
        latency(report, "home", home, results.get(2).perSecond());
        if (expired > 0) {
            HttpLoad first = load(ports[0], () -> {
                int reader = random.nextInt(requests.size());
                // Is executed before the server's commands: it is on its way when the request is.
                redis.link()
                        .send(io.fanfare.redis.Command.of("UNLINK", Keys.home(data.id(reader))))
                        .onFailure(cause -> System.err.println("not expired: " + Reason.of(cause)));
                return requests.get(reader);
            });
            warmUp(first);
            latency(report, "first read of an expired home", first, expired, options.rounds(), "");
        }
        return report;
    }

    private Comparison withPolls(
            Comparison comparison, String[] ports, List<String> tokens, long newest, RandomGenerator random) {
        HttpLoad bare = load(ports[1], always(bareRequest(BARE_POLL_BYTES)));
        HttpLoad reading = load(ports[1], always(HttpLoad.request("GET /" + BARE_POLL_BYTES + HomeServer.READING, "")));
        Comparison with = comparison
                .contestant("bare handler, static 100 bytes", () -> saturate(bare))
                .contestant("bare handler, the same after a GET of Redis", () -> saturate(reading));
        for (String poll : POLLS) {
            List<byte[]> requests = tokens.stream()
                    .map(token -> HttpLoad.request(
                            "GET /api/v1/timelines/home?limit=20&" + poll + "=" + newest, HttpLoad.bearer(token)))
                    .toList();
            HttpLoad load = load(ports[0], () -> requests.get(random.nextInt(requests.size())));
            with = with.contestant("fanfare: GET home, " + poll + " of the newest, []", () -> saturate(load));
        }
        return with;
    }

    private void warmUp(HttpLoad load) {
        long unused = load.closed(Comparison.UNTIL_COMPILED * options.nanosPerRound(), Long.MAX_VALUE)
                .accepted();
    }

    private long saturate(HttpLoad load) {
        return load.closed(options.nanosPerRound(), Long.MAX_VALUE).accepted();
    }

    /** Saturates the server. Requests beside the load do not count, but their processor time does. */
    private long saturate(EventLoop loop, HttpLoad load, HttpLoad beside, int rate) {
        Future<HttpLoad.Result> changes =
                loop.vertx().executeBlocking(() -> beside.open(rate, options.nanosPerRound()));
        long answers = saturate(load);
        loop.await(() -> changes).accepted();
        return answers;
    }

    private void compare(Report report, List<Comparison.Result> results) {
        Comparison.Result home = results.get(2);
        double ratio = home.perSecond() / results.get(0).perSecond();
        report.figure(
                "ratio-to-bare-10-kb",
                ratio,
                String.format(
                        "%.2fx the bare handler with 10 KB, %.2fx with a body of the same size",
                        ratio, home.perSecond() / results.get(1).perSecond()));
        String busiest = home.busy("server") > home.busy("redis") ? "The server's event loop" : "Redis";
        report.sentence(String.format(
                "%s is the busiest: server %.0f %%, Redis %.0f %%, generator %.0f %% of a core each.",
                busiest, home.busy("server") * 100, home.busy("redis") * 100, home.busy("generator") * 100));
        double liked = results.get(3).perSecond() / home.perSecond();
        report.figure(
                "ratio-while-liked",
                liked,
                String.format("%.2fx of that while others like what the homes show", liked));
        if (polls) {
            comparePolls(report, results);
        }
        for (int i = 0; i < posts.size(); i++) {
            double posted = results.get(4 + i).perSecond() / home.perSecond();
            report.figure(
                    "ratio-with-" + posts.get(i) + "-posts",
                    posted,
                    String.format("%.2fx of that while %d posts/s arrive", posted, posts.get(i)));
        }
        if (gzip) {
            double compressed = results.get(4 + posts.size()).cpuMicros("server") / home.cpuMicros("server");
            report.figure(
                    "cost-compressed",
                    compressed,
                    String.format("%.2fx of the processor time of the server for a compressed page", compressed));
        }
    }

    private static void comparePolls(Report report, List<Comparison.Result> results) {
        int first = results.size() - POLLS.size();
        double bare = results.get(first - 2).perSecond();
        double reading = results.get(first - 1).perSecond();
        for (int i = 0; i < POLLS.size(); i++) {
            double polled = results.get(first + i).perSecond();
            report.figure(
                    "ratio-of-" + POLLS.get(i),
                    polled / bare,
                    String.format(
                            "An empty poll by %s: %.2fx the bare handler with 100 bytes, %.2fx of it with a GET of Redis",
                            POLLS.get(i), polled / bare, polled / reading));
        }
    }

    private void latency(Report report, String name, HttpLoad load, double saturation) {
        latency(
                report,
                name,
                load,
                saturation * LATENCY_LOAD,
                1,
                String.format(" (%.0f %% of its saturation)", LATENCY_LOAD * 100));
    }

    private void latency(Report report, String name, HttpLoad load, double rate, int rounds, String remark) {
        HttpLoad.Result result = load.open(rate, rounds * options.nanosPerRound());
        Histogram nanos = result.latencies();
        double p50 = nanos.getValueAtPercentile(50) / 1e6;
        double p99 = nanos.getValueAtPercentile(99) / 1e6;
        String key = name.replace(' ', '-');
        report.figure(
                key + "-p50-ms",
                p50,
                String.format(
                        "%s at %,.0f/s%s, open loop: p50 %.2f ms, p99 %.2f ms, max %.2f ms",
                        name, rate, remark, p50, p99, nanos.getMaxValue() / 1e6));
        report.figure(key + "-p99-ms", p99, "");
    }

    private HttpLoad load(String port, Supplier<byte[]> requests) {
        return HttpLoad.connect(Integer.parseInt(port), connections, requests);
    }

    static byte[] homeRequest(String token) {
        return homeRequest(token, "");
    }

    private static byte[] homeRequest(String token, String headers) {
        return HttpLoad.request("GET /api/v1/timelines/home?limit=20", HttpLoad.bearer(token) + headers);
    }

    private static byte[] likeRequest(String token, long status) {
        return HttpLoad.request(
                "POST /api/v1/statuses/" + status + "/favourite", HttpLoad.bearer(token) + "Content-Length: 0\r\n");
    }

    static byte[] postRequest(String token) {
        String body = "status=the+quick+brown+fox+jumps+over+the+lazy+dog%2C+and+everybody+who+follows+it+reads+of+it";
        return HttpLoad.request(
                "POST /api/v1/statuses",
                HttpLoad.bearer(token) + "Content-Type: application/x-www-form-urlencoded\r\n",
                body);
    }

    private static byte[] bareRequest(int bytes) {
        return HttpLoad.request("GET /" + bytes, "");
    }

    private static Supplier<byte[]> always(byte[] request) {
        return () -> request;
    }
}

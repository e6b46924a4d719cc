package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.DeliveryProbe;
import io.fanfare.bench.load.FirehoseProbe;
import io.fanfare.bench.load.HttpLoad;
import io.fanfare.bench.load.ServiceProcesses;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Report;
import io.fanfare.core.feed.Homes;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * {@code bench post --alone}: posts so seldom that none shares a batch, a write or a wake-up with another, and nothing
 * else. API, worker and streams are processes of their own. Rounds without a post alternate with the others, and their
 * cost is subtracted. Latencies are measured afterwards, because looking into homes takes time of Redis.
 */
final class LonePosts {
    /** Authors with each number of followers, who post in turn; each reader follows one of them. */
    private static final int AUTHORS = 10;

    private static final int FOLLOWERS_MAX = 10_000;

    private static final int PER_SECOND = 20;
    private static final int CONNECTIONS = 4;

    private static final int WARM_UPS = 1;

    /**
     * Posts at full speed before the rounds, of each kind of author; of authors with many followers as many posts as
     * make a million deliveries. A server that has run for a day has compiled what a post needs; at this rate that
     * would take hours.
     */
    private static final int COMPILED_AFTER = 200_000;

    private static final String NONE = "no post";
    private static final long QUIET_MAX_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long ARRIVAL_MAX_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_MILLIS = 10;

    private final BenchOptions options;
    private final StageOption stages;
    private final List<Integer> followers;

    /** Reads of Redis by contestant and round. */
    private final Map<String, List<Double>> reads = new HashMap<>();

    /** @param followers of authors, each number a contestant */
    LonePosts(BenchOptions options, StageOption stages, List<Integer> followers) {
        this.options = options;
        this.stages = stages;
        this.followers = List.copyOf(followers);
        if (followers.isEmpty() || followers.stream().anyMatch(number -> number < 0 || number > FOLLOWERS_MAX)) {
            throw new BenchFailed("--followers must be numbers from 0 to " + FOLLOWERS_MAX);
        }
    }

    int measure() {
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options)) {
            System.err.println("filling homes ...");
            SocialGraph graph = graph();
            DataSet data = new DataSet(loop, redis.link(), redis.settings(), graph);
            data.fillHomes(new Random(options.seed()));
            try (ServiceProcesses processes = ServiceProcesses.start(redis.serverEnvironment())) {
                int port = processes.apiPort();
                System.err.println("compiling ...");
                List<HttpLoad> loads = new ArrayList<>();
                for (int kind = 0; kind < followers.size(); kind++) {
                    loads.add(load(port, data.tokens(authors(kind))));
                    compile(loads.get(kind), data, followers.get(kind));
                }
                // Only now: it need not read what was posted at full speed.
                FirehoseProbe firehose = loop.await(() -> FirehoseProbe.open(loop.vertx(), processes.streamPort()));
                System.err.println("measuring ...");
                Report report = new Report("post --alone", "posts");
                report.settings(redis.description());
                report.setting(
                        "load",
                        PER_SECOND + " posts/s in open loop by " + AUTHORS + " authors of each kind, homes of "
                                + redis.settings().feeds().homeMax() + " entries, one firehose open");
                costs(report, loop, redis, data, loads, processes);
                System.err.println("timing ...");
                for (int kind = 0; kind < followers.size(); kind++) {
                    latencies(report, loop, redis, data, graph, firehose, port, kind);
                }
                for (int kind = 0; kind < followers.size(); kind++) {
                    profile(report, loop, data, loads.get(kind), processes, kind);
                }
                if (data.dead() > 0) {
                    throw new BenchFailed(data.dead() + " jobs were given up: the figures are worth nothing");
                }
                return report.publish(options);
            }
        }
    }

    /** The authors of each kind first, then their readers. */
    private SocialGraph graph() {
        int[] followedByEach = IntStream.range(0, followers.size() * AUTHORS)
                .flatMap(author -> IntStream.generate(() -> author).limit(followers.get(author / AUTHORS)))
                .toArray();
        int[][] followees = IntStream.concat(
                        IntStream.generate(() -> -1).limit((long) followers.size() * AUTHORS),
                        Arrays.stream(followedByEach))
                .mapToObj(author -> author < 0 ? new int[0] : new int[] {author})
                .toArray(int[][]::new);
        return new SocialGraph(LongStream.range(0, followees.length).boxed().toList(), followees);
    }

    private static List<Integer> authors(int kind) {
        return IntStream.range(kind * AUTHORS, (kind + 1) * AUTHORS).boxed().toList();
    }

    private String name(int kind) {
        return followers.get(kind) + " followers";
    }

    private void costs(
            Report report,
            EventLoop loop,
            BenchRedis redis,
            DataSet data,
            List<HttpLoad> loads,
            ServiceProcesses processes) {
        Comparison comparison = new Comparison()
                .warmUp(WARM_UPS)
                .process("api", processes.api()::cpuSeconds)
                .process("worker", processes.worker()::cpuSeconds)
                .process("stream", processes.stream()::cpuSeconds)
                .process("redis", redis::cpuSeconds)
                .contestant(NONE, counted(NONE, redis, data, () -> idle(loop)));
        for (int kind = 0; kind < followers.size(); kind++) {
            HttpLoad load = loads.get(kind);
            comparison = comparison.contestant(name(kind), counted(name(kind), redis, data, () -> post(load)));
        }
        List<Comparison.Result> results = comparison.run(options.rounds());
        report.results(comparison, results);
        Comparison.Result idle = results.get(0);
        for (int kind = 0; kind < followers.size(); kind++) {
            Comparison.Result result = results.get(kind + 1);
            String prefix = "followers-" + followers.get(kind) + "-";
            StringBuilder sentence = new StringBuilder(name(kind) + ": a post costs");
            double all = 0;
            for (String process : List.of("api", "worker", "stream", "redis")) {
                double micros = result.cpuMicros(process) - idle.cpuMicros(process);
                all += micros;
                report.figure(prefix + process + "-us", micros, "");
                sentence.append(String.format(" %s %.0f us,", process, micros));
            }
            double trips = trips(name(kind)) - trips(NONE);
            report.figure(prefix + "all-us", all, "");
            report.figure(
                    prefix + "reads",
                    trips,
                    sentence + String.format(" %.0f us in all, and %.1f reads of Redis", all, trips));
        }
    }

    /** Posts nothing; answers how many posts another round would have. */
    private long idle(EventLoop loop) {
        loop.run(() -> loop.vertx().timer(options.nanosPerRound(), TimeUnit.NANOSECONDS));
        return Math.round(options.nanosPerRound() / 1e9 * PER_SECOND);
    }

    private long post(HttpLoad load) {
        return load.open(PER_SECOND, options.nanosPerRound()).accepted();
    }

    private void profile(
            Report report, EventLoop loop, DataSet data, HttpLoad load, ServiceProcesses processes, int kind) {
        Map<String, UnaryOperator<String>> profiled = new LinkedHashMap<>();
        profiled.put("api", processes.api()::ask);
        profiled.put("worker", processes.worker()::ask);
        profiled.put("stream", processes.stream()::ask);
        stages.profile(
                report,
                "followers-" + followers.get(kind) + "-",
                profiled,
                () -> idle(loop),
                () -> {
                    long posts = post(load);
                    data.awaitQuiet(QUIET_MAX_NANOS);
                    return posts;
                },
                "a post with " + name(kind));
    }

    private void compile(HttpLoad load, DataSet data, int followersEach) {
        load.closed(options.nanosPerRound(), COMPILED_AFTER / Math.max(1, followersEach / 5))
                .accepted();
        data.awaitQuiet(QUIET_MAX_NANOS);
    }

    private static HttpLoad load(int port, List<String> tokens) {
        List<byte[]> requests = tokens.stream().map(PostBench::request).toList();
        int[] next = {0};
        return HttpLoad.connect(port, CONNECTIONS, () -> requests.get(next[0]++ % requests.size()));
    }

    private double trips(String contestant) {
        List<Double> rounds = reads.get(contestant);
        return Comparison.median(rounds.subList(WARM_UPS, rounds.size()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray());
    }

    private interface Work {
        long run();
    }

    private Comparison.Contestant counted(String name, BenchRedis redis, DataSet data, Work work) {
        reads.put(name, new ArrayList<>());
        return () -> {
            long before = redis.reads();
            long posts = work.run();
            // The jobs of the last posts belong to the round.
            data.awaitQuiet(QUIET_MAX_NANOS);
            reads.get(name).add((double) (redis.reads() - before) / posts);
            return posts;
        };
    }

    private void latencies(
            Report report,
            EventLoop loop,
            BenchRedis redis,
            DataSet data,
            SocialGraph graph,
            FirehoseProbe firehose,
            int port,
            int kind) {
        List<String> tokens = data.tokens(authors(kind));
        // The author last: the probe looks at the first one alone until that has the post.
        List<List<Long>> readers = authors(kind).stream()
                .map(author -> IntStream.concat(IntStream.of(graph.followers(author)), IntStream.of(author))
                        .mapToObj(data::id)
                        .toList())
                .toList();
        DeliveryProbe probe = loop.call(() -> new DeliveryProbe(
                loop.vertx(), port, new Homes(redis.link(), redis.settings().feeds())));
        int posts = Math.max(1, (int) (options.rounds() * options.nanosPerRound() / 1e9 * PER_SECOND));
        Map<Long, Long> due = new HashMap<>();
        List<DeliveryProbe.Times> times = loop.await(() -> post(loop, probe, tokens, readers, posts, due));
        if (!loop.await(
                () -> Future.succeededFuture(times.stream()
                        .allMatch(one -> firehose.arrival(one.status()).isPresent())),
                ARRIVAL_MAX_NANOS,
                LOOK_MILLIS)) {
            long missing = times.stream()
                    .filter(one -> firehose.arrival(one.status()).isEmpty())
                    .count();
            throw new BenchFailed(missing + " of " + posts + " posts did not reach the firehose within 10 s");
        }
        Histogram answered = new Histogram(3);
        Histogram delivered = new Histogram(3);
        Histogram streamed = new Histogram(3);
        for (DeliveryProbe.Times one : times) {
            answered.recordValue(one.answered());
            delivered.recordValue(one.delivered());
            streamed.recordValue(Math.max(0, firehose.arrival(one.status()).orElseThrow() - due.get(one.status())));
        }
        String prefix = "followers-" + followers.get(kind) + "-";
        report.figure(prefix + "home-p50-ms", delivered.getValueAtPercentile(50) / 1e6, "");
        report.figure(prefix + "stream-p50-ms", streamed.getValueAtPercentile(50) / 1e6, "");
        report.sentence(String.format(
                "%s: answered after %.1f ms (p99 %.1f), in the last home after %.1f ms (p99 %.1f), on the stream after"
                        + " %.1f ms (p99 %.1f), of %d posts",
                name(kind),
                answered.getValueAtPercentile(50) / 1e6,
                answered.getValueAtPercentile(99) / 1e6,
                delivered.getValueAtPercentile(50) / 1e6,
                delivered.getValueAtPercentile(99) / 1e6,
                streamed.getValueAtPercentile(50) / 1e6,
                streamed.getValueAtPercentile(99) / 1e6,
                posts));
    }

    /** Posts at the rate; {@code due} gets when each post was due. */
    private static Future<List<DeliveryProbe.Times>> post(
            EventLoop loop,
            DeliveryProbe probe,
            List<String> tokens,
            List<List<Long>> readers,
            int posts,
            Map<Long, Long> due) {
        Promise<List<DeliveryProbe.Times>> done = Promise.promise();
        List<DeliveryProbe.Times> times = new ArrayList<>();
        int[] sent = {0};
        long ticker = loop.vertx().setPeriodic(1000 / PER_SECOND, timer -> {
            if (sent[0] == posts) {
                return;
            }
            int author = sent[0]++ % AUTHORS;
            long now = System.nanoTime();
            probe.deliver(tokens.get(author), readers.get(author), now)
                    .onComplete(
                            one -> {
                                due.put(one.status(), now);
                                times.add(one);
                                if (times.size() == posts) {
                                    done.tryComplete(times);
                                }
                            },
                            done::tryFail);
        });
        return done.future().onComplete(end -> {
            boolean cancelled = loop.vertx().cancelTimer(ticker);
            assert cancelled;
        });
    }
}

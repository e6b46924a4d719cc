package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.DeliveryProbe;
import io.fanfare.bench.load.HomeServer;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.load.Suspects;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.core.feed.Homes;
import io.fanfare.failure.Reason;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench fanout-latency}: from the start of a POST by an author with few followers to the last of their homes; in
 * quiet, while one author with very many followers posts every second, while one author with few followers posts a
 * burst every second, while the jobs of a worker that died wait as suspects, and with {@code --deletes} while the
 * author with very many followers deletes a post every second.
 */
@Command(
        name = "fanout-latency",
        mixinStandardHelpOptions = true,
        description =
                "Measures API post -> all homes for authors with few followers: in quiet, beside an author with very"
                        + " many, beside one who floods, beside suspects, beside deletes of the one with very"
                        + " many.")
public final class FanOutLatencyBench implements Callable<Integer> {
    private static final int PROBES = 100;
    private static final int WARM_UPS = 2;
    private static final long QUIET_MAX_NANOS = 120_000_000_000L;
    private static final double GOAL_RATIO = 1.5;
    private static final double GOAL_MILLIS = 5;
    /** For fewer than a million followers. */
    private static final double GOAL_LARGE_MILLIS = 600;

    private static final double GOAL_MILLION_MILLIS = 4000;
    private static final double GOAL_SUSPECTS_MILLIS = 100;
    /** Times of Redis for a post. */
    private static final double GOAL_DELETE = 2;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--large",
            paramLabel = "N",
            defaultValue = "100000",
            converter = Count.class,
            description = "Followers of the author with very many. Default: ${DEFAULT-VALUE}.")
    private int large;

    @Option(
            names = "--authors",
            paramLabel = "N",
            defaultValue = "100",
            converter = Count.class,
            description = "Authors with few followers. Default: ${DEFAULT-VALUE}.")
    private int authors;

    @Option(
            names = "--followers",
            paramLabel = "N",
            defaultValue = "50",
            converter = Count.class,
            description = "Followers of each of these, and of the one who floods. Default: ${DEFAULT-VALUE}.")
    private int followers;

    @Option(
            names = "--entries",
            paramLabel = "N",
            defaultValue = "200",
            converter = Count.class,
            description = "Length of a full home. Default: ${DEFAULT-VALUE}.")
    private int entries;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "100",
            converter = Count.class,
            description = "Posts a second of all authors with few followers. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--flood",
            paramLabel = "N",
            defaultValue = "2000",
            converter = Count.class,
            description = "Posts of a burst. Default: ${DEFAULT-VALUE}.")
    private int flood;

    @Option(
            names = "--suspects",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Count.class,
            description = "Suspects, made up to that number every second. Default: ${DEFAULT-VALUE}.")
    private int suspects;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "1",
            converter = Count.class,
            description = "Seconds from one post of the author with very many followers to the next, from burst to"
                    + " burst, and from one filling of the suspects to the next. Default: ${DEFAULT-VALUE}.")
    private int every;

    @Option(
            names = "--deletes",
            description =
                    "Also measure while the author with very many followers deletes posts, as often as that author"
                            + " posts otherwise.")
    private boolean deletes;

    private final List<List<Long>> readers = new ArrayList<>();
    private final Map<String, List<Histogram>> rounds = new LinkedHashMap<>();
    private final Map<String, Histogram> answeredNanos = new HashMap<>();
    private final Histogram largeNanos = new Histogram(3);
    private final Histogram deletedNanos = new Histogram(3);
    private final Deque<Long> doomed = new ArrayDeque<>();
    private boolean measuring;

    @Override
    public Integer call() {
        RandomGenerator random = new Random(options.seed());
        int homeMax = entries;
        int slack = Math.max(1, entries * 2 / 5);
        try (EventLoop loop = new EventLoop();
                BenchRedis redis =
                        BenchRedis.open(loop, options, "feeds.home-max=" + homeMax, "feeds.home-slack=" + slack)) {
            SocialGraph graph = graph(random);
            System.err.println("filling " + graph.users() + " homes ...");
            DataSet data = new DataSet(loop, redis.link(), redis.settings(), graph);
            data.fillHomes(random);
            for (int author = 0; author <= authors; author++) {
                int[] all = graph.followers(author);
                int step = Math.max(1, all.length / PROBES);
                // The last ones, of each page of the large author.
                readers.add(IntStream.rangeClosed(1, all.length / step)
                        .mapToObj(i -> data.id(all[i * step - 1]))
                        .toList());
            }
            Map<String, String> environment = new HashMap<>(redis.serverEnvironment());
            environment.put("FANFARE_FEEDS_HOME_MAX", Integer.toString(homeMax));
            environment.put("FANFARE_FEEDS_HOME_SLACK", Integer.toString(slack));
            try (ServerProcess server = ServerProcess.start(HomeServer.class, environment, HomeServer.WITH_WORKER)) {
                return measure(loop, redis, server, data).publish(options);
            }
        }
    }

    /** User 0 has very many followers, the next ones few; the last of those floods. */
    private SocialGraph graph(RandomGenerator random) {
        int users = large + 1;
        int firstReader = authors + 2;
        if (users - firstReader < 2 * followers) {
            throw new BenchFailed("--large must be more than --authors and twice --followers together");
        }
        int[][] followees = new int[users][];
        List<List<Integer>> lists = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            lists.add(new ArrayList<>(user == 0 ? List.of() : List.of(0)));
        }
        // A flood pushes everything else out of its homes, so these are nobody else's.
        for (int i = 0; i < followers; i++) {
            lists.get(firstReader + i).add(authors + 1);
        }
        int shared = firstReader + followers;
        for (int author = 1; author <= authors; author++) {
            for (int i = 0; i < followers; i++) {
                List<Integer> list = lists.get(shared + random.nextInt(users - shared));
                if (!list.contains(author)) {
                    list.add(author);
                }
            }
        }
        for (int user = 0; user < users; user++) {
            followees[user] =
                    lists.get(user).stream().mapToInt(Integer::intValue).toArray();
        }
        return new SocialGraph(LongStream.range(0, users).boxed().toList(), followees);
    }

    private Report measure(EventLoop loop, BenchRedis redis, ServerProcess server, DataSet data) {
        int port = Integer.parseInt(server.answer().split(" ", -1)[0]);
        List<String> tokens =
                data.tokens(IntStream.rangeClosed(0, authors).boxed().toList());
        DeliveryProbe probe = loop.call(() -> new DeliveryProbe(
                loop.vertx(), port, new Homes(redis.link(), redis.settings().feeds())));
        System.err.println("measuring ...");
        Loud nothing = Future::succeededFuture;
        Loud post = () -> probe.deliver(tokens.get(0), readers.get(0), System.nanoTime())
                .onSuccess(times -> record(largeNanos, times.delivered()))
                .mapEmpty();
        Loud burst = () -> data.burst(authors + 1, flood);
        Suspects abandoned = new Suspects(redis.link(), data.id(authors + 1), data.postOf(authors + 1));
        Loud fill = () -> abandoned.fill(suspects);
        Loud delete = () -> probe.delete(tokens.get(0), doomed.remove(), readers.get(0), System.nanoTime())
                .onSuccess(nanos -> record(deletedNanos, nanos))
                .mapEmpty();
        Comparison comparison = new Comparison()
                .warmUp(WARM_UPS)
                .process("server", server::cpuSeconds)
                .process("redis", redis::cpuSeconds)
                .process("generator", Comparison::javaCpuSeconds)
                .contestant("quiet", contestant(loop, data, "quiet", probe, tokens, nothing))
                .contestant("large", contestant(loop, data, "large", probe, tokens, post))
                .contestant("flood", contestant(loop, data, "flood", probe, tokens, burst))
                .contestant("suspects", contestant(loop, data, "suspects", probe, tokens, fill));
        if (deletes) {
            comparison = comparison.contestant("deletes", contestant(loop, data, "deletes", probe, tokens, delete));
        }
        List<Comparison.Result> results = comparison.run(options.rounds());
        Report report = new Report("fanout-latency", "posts");
        report.settings(redis.description());
        report.setting("homes", large + " of " + entries + " entries");
        report.setting(
                "load",
                rate + " posts/s of " + authors + " authors with " + followers
                        + " followers, open loop; large: one with "
                        + large + " posts every " + every + " s; flood: one with " + followers + " posts " + flood
                        + " times at once every " + every + " s; suspects: " + suspects + " wait, all in one shard"
                        + (deletes
                                ? "; deletes: the one with " + large + " deletes a post every " + every + " s"
                                : ""));
        report.results(comparison, results);
        figures(report);
        costs(report, results);
        if (data.dead() > 0) {
            throw new BenchFailed(data.dead() + " jobs were given up: the figures are worth nothing");
        }
        return report;
    }

    /** Makes noise beside the posts that are timed; done when nothing of it is under way. */
    private interface Loud {
        Future<Void> begin();
    }

    private void record(Histogram histogram, long nanos) {
        if (measuring) {
            histogram.recordValue(nanos);
        }
    }

    private static void fail(Throwable cause) {
        System.err.println("failed: " + Reason.of(cause));
    }

    private Comparison.Contestant contestant(
            EventLoop loop, DataSet data, String name, DeliveryProbe probe, List<String> tokens, Loud loud) {
        rounds.put(name, new ArrayList<>());
        return new Comparison.Contestant() {
            @Override
            public void prepare() {
                measuring = rounds.get(name).size() >= WARM_UPS;
                if (name.equals("deletes")) {
                    loop.await(() -> postDoomed(probe, tokens, loudPerRound()));
                    data.awaitQuiet(QUIET_MAX_NANOS);
                }
            }

            @Override
            public long work() {
                Histogram histogram = loop.await(() -> round(name, loop, probe, tokens, loud));
                rounds.get(name).add(histogram);
                return histogram.getTotalCount();
            }

            @Override
            public void finish() {
                data.awaitQuiet(QUIET_MAX_NANOS);
            }
        };
    }

    /** Posts that the deletes of a round are for, one after the other. */
    private Future<Void> postDoomed(DeliveryProbe probe, List<String> tokens, int count) {
        return count == 0
                ? Future.succeededFuture()
                : probe.deliver(tokens.get(0), readers.get(0), System.nanoTime())
                        .compose(times -> {
                            doomed.add(times.status());
                            return postDoomed(probe, tokens, count - 1);
                        });
    }

    private int loudPerRound() {
        return (int) Math.ceil(options.nanosPerRound() / (every * 1e9));
    }

    /**
     * Posts of authors in turn at the rate, each timed from when it was due. Ends when the noise has ended too, so that
     * its processor time counts.
     */
    private Future<Histogram> round(String name, EventLoop loop, DeliveryProbe probe, List<String> tokens, Loud loud) {
        List<Future<Void>> louds = new ArrayList<>();
        Histogram histogram = new Histogram(3);
        Promise<Histogram> done = Promise.promise();
        long begin = System.nanoTime();
        long[] sent = {0, 0};
        long count = Math.max(1, options.nanosPerRound() * rate / 1_000_000_000L);
        long ticker = loop.vertx().setPeriodic(1, timer -> {
            long now = System.nanoTime();
            if (now - begin >= 1_000_000_000L * louds.size() * every && louds.size() < loudPerRound()) {
                louds.add(loud.begin().onFailure(FanOutLatencyBench::fail).otherwiseEmpty());
            }
            while (sent[0] < count && begin + sent[0] * 1_000_000_000L / rate <= now) {
                int author = 1 + (int) (sent[0] % authors);
                long due = begin + sent[0] * 1_000_000_000L / rate;
                sent[0]++;
                probe.deliver(tokens.get(author), readers.get(author), due)
                        .onComplete(
                                times -> {
                                    histogram.recordValue(times.delivered());
                                    if (measuring) {
                                        answeredNanos
                                                .computeIfAbsent(name, n -> new Histogram(3))
                                                .recordValue(times.answered());
                                    }
                                    if (++sent[1] == count) {
                                        done.tryComplete(histogram);
                                    }
                                },
                                done::tryFail);
            }
        });
        return done.future()
                .onComplete(end -> {
                    boolean cancelled = loop.vertx().cancelTimer(ticker);
                    assert cancelled;
                })
                .compose(end -> Future.join(louds).map(end));
    }

    private void figures(Report report) {
        List<String> loud = deletes ? List.of("large", "flood", "deletes") : List.of("large", "flood");
        for (String name : rounds.keySet()) {
            for (double percentile : new double[] {50, 99}) {
                report.figure(name + "-p" + (int) percentile + "-ms", median(name, percentile), "");
            }
            report.sentence(String.format(
                    "%s: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms (p99 by round: %s); answered by the API: p50 %.1f ms,"
                            + " p99 %.1f ms",
                    name,
                    median(name, 50),
                    median(name, 90),
                    median(name, 99),
                    byRound(name),
                    answeredNanos.get(name).getValueAtPercentile(50) / 1e6,
                    answeredNanos.get(name).getValueAtPercentile(99) / 1e6));
        }
        double quiet = median("quiet", 99);
        for (String name : loud) {
            double p99 = median(name, 99);
            report.figure(
                    name + "-ratio",
                    p99 / quiet,
                    String.format(
                            "%s against quiet: %.2fx, %+.1f ms (goal <= %.1fx or +%.0f ms)",
                            name, p99 / quiet, p99 - quiet, GOAL_RATIO, GOAL_MILLIS));
        }
        report.sentence(String.format(
                "beside %,d suspects: p99 %.1f ms (goal <= %.0f ms)",
                suspects, median("suspects", 99), GOAL_SUSPECTS_MILLIS));
        report.figure(
                "large-reached-ms",
                largeNanos.getValueAtPercentile(50) / 1e6,
                String.format(
                        "%,d followers reached: median %.0f ms, worst %.0f ms of %d posts (goal <= %.0f ms)",
                        large,
                        largeNanos.getValueAtPercentile(50) / 1e6,
                        largeNanos.getMaxValue() / 1e6,
                        largeNanos.getTotalCount(),
                        large < 1_000_000 ? GOAL_LARGE_MILLIS : GOAL_MILLION_MILLIS));
    }

    /** Redis time of a post and of a delete of the author with very many followers, above that of a quiet round. */
    private void costs(Report report, List<Comparison.Result> results) {
        double post = loudMillis(results, "large");
        report.figure("large-redis-ms", post, String.format("a post to %,d followers: %.1f ms of Redis", large, post));
        if (deletes) {
            double delete = loudMillis(results, "deletes");
            report.figure("delete-redis-ms", delete, "");
            report.figure(
                    "delete-redis-ratio",
                    delete / post,
                    String.format(
                            "its delete: %.1f ms of Redis, %.2fx of the post (goal <= %.0fx); out of the last home"
                                    + " after %.0f ms (median; worst %.0f ms of %d)",
                            delete,
                            delete / post,
                            GOAL_DELETE,
                            deletedNanos.getValueAtPercentile(50) / 1e6,
                            deletedNanos.getMaxValue() / 1e6,
                            deletedNanos.getTotalCount()));
        }
    }

    private double loudMillis(List<Comparison.Result> results, String name) {
        double quiet = result(results, "quiet").cpuMicros("redis");
        double above = result(results, name).cpuMicros("redis") - quiet;
        return above * counted(name).get(0).getTotalCount() / loudPerRound() / 1000;
    }

    private static Comparison.Result result(List<Comparison.Result> results, String name) {
        return results.stream()
                .filter(result -> result.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<Histogram> counted(String name) {
        List<Histogram> all = rounds.get(name);
        return all.subList(all.size() - options.rounds(), all.size());
    }

    private double median(String name, double percentile) {
        return Comparison.median(counted(name).stream()
                .mapToDouble(round -> round.getValueAtPercentile(percentile) / 1e6)
                .toArray());
    }

    private String byRound(String name) {
        return String.join(
                ", ",
                counted(name).stream()
                        .map(round -> String.format("%.1f", round.getValueAtPercentile(99) / 1e6))
                        .toList());
    }
}

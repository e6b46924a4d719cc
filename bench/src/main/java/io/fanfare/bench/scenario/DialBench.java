package io.fanfare.bench.scenario;

import io.fanfare.bench.input.EdgeListReader;
import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.AuthorDraw;
import io.fanfare.bench.load.Authors;
import io.fanfare.bench.load.PowerLaw;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench dial}: processor time of Redis for posts and for home pages at several values of
 * {@code feeds.push-max-followers}, on one graph, in turn. Each value has a Redis and a server of its own, and every
 * user has a home. What is set up before is not measured.
 */
@Command(
        name = "dial",
        mixinStandardHelpOptions = true,
        description =
                "Measures Redis time of posts with all deliveries and of home pages, from pure pull to pure push, on"
                        + " one graph.")
public final class DialBench implements Callable<Integer> {
    /** {@code feeds.push-max-followers}: nobody is pulled. */
    private static final int PUSH_ALL = 1_000_000_000;

    /** Posts of each author before: the dial turns with a post, and again with a post ten seconds later. */
    private static final int POSTS_BEFORE = 3;

    private static final int UNTIL_TURNED_SECONDS = 11;

    private static final int IDLE_SECONDS = 3;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--graph",
            paramLabel = "FILE",
            description = "Who follows whom: an edge list, 'u v' per line: u follows v. Default: a power law.")
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
            defaultValue = "20",
            converter = Count.class,
            description = "How many each follows on average, without a graph. Default: ${DEFAULT-VALUE}.")
    private int followees;

    @Option(
            names = "--dials",
            paramLabel = "N",
            split = ",",
            defaultValue = "0,100,1000,1000000000",
            description = "Values to compare; 0 and 1000000000 always take part. Default: ${DEFAULT-VALUE}.")
    private List<Integer> dials;

    @Option(
            names = "--pages-per-post",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,10,50",
            converter = Count.class,
            description = "Home pages read for each post, each in rounds of its own. Default: ${DEFAULT-VALUE}.")
    private List<Integer> ratios;

    @Option(
            names = "--posts",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Count.class,
            description = "Posts in a round, before its pages. Default: ${DEFAULT-VALUE}.")
    private int posts;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "200",
            converter = Count.class,
            description = "Posts a second. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--authors",
            paramLabel = "HOW",
            defaultValue = "followers",
            description =
                    "'followers': who has f followers posts f times as often; 'uniform'. Default: ${DEFAULT-VALUE}.")
    private Authors authors;

    @Option(
            names = "--settle",
            paramLabel = "SECONDS",
            defaultValue = "125",
            converter = Count.class,
            description =
                    "How long to wait before homes are built. Homes of less than 125 s pull again what was posted before. Default: ${DEFAULT-VALUE}.")
    private int settleSeconds;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "32",
            converter = Count.class,
            description = "Keep-alive connections of each load generator. Default: ${DEFAULT-VALUE}.")
    private int connections;

    private final List<DialSide> sides = new ArrayList<>();
    private final Map<String, List<DialSide.Cycle>> cycles = new HashMap<>();

    @Override
    public Integer call() throws IOException {
        if (options.url() != null) {
            throw new BenchFailed("each value needs a Redis of its own: leave out --url");
        }
        SocialGraph graph = graphOrNull == null
                ? PowerLaw.graph(users, followees, new Random(options.seed()))
                : new EdgeListReader(/* undirected= */ false, /* reverse= */ false, users).read(graphOrNull);
        if (graph.edges() == 0 || Collections.min(dials) < 0) {
            throw new BenchFailed("--graph has no edges, or one of --dials is below 0");
        }
        TreeSet<Integer> values = new TreeSet<>(dials);
        Collections.addAll(values, 0, PUSH_ALL);
        try (EventLoop loop = new EventLoop()) {
            try {
                for (int dial : values) {
                    System.err.println("making " + graph.users() + " users for " + name(dial) + " ...");
                    sides.add(new DialSide(loop, options, dial, graph, authors, connections));
                }
                prepare(loop, graph);
                return measure(loop, graph).publish(options);
            } finally {
                sides.forEach(DialSide::close);
            }
        }
    }

    private void prepare(EventLoop loop, SocialGraph graph) {
        List<Integer> all = new AuthorDraw(graph, authors, new Random(options.seed())).all();
        System.err.println("posting " + POSTS_BEFORE + " times for each of " + all.size() + " authors ...");
        for (int post = 0; post < POSTS_BEFORE; post++) {
            pause(loop, post == 0 ? 0 : Math.min(UNTIL_TURNED_SECONDS, settleSeconds));
            sides.forEach(side -> side.postOnce(all));
        }
        // Homes take what was posted two minutes before: clocks may be so far apart.
        pause(loop, settleSeconds);
        System.err.println("building homes ...");
        sides.forEach(DialSide::buildHomes);
    }

    private static void pause(EventLoop loop, int seconds) {
        if (seconds > 0) {
            loop.run(() -> loop.vertx().timer(seconds, TimeUnit.SECONDS));
        }
    }

    private Report measure(EventLoop loop, SocialGraph graph) {
        System.err.println("measuring ...");
        Report report = new Report("dial", "posts and pages");
        report.settings(sides.get(0).description());
        report.setting(
                "graph",
                String.format(
                        "%s, %,d users, %,d follows, seed %d",
                        graphOrNull == null ? "power law" : graphOrNull.getFileName(),
                        graph.users(),
                        graph.edges(),
                        options.seed()));
        report.setting(
                "load",
                String.format(
                        "%,d posts a round at %d/s, authors by %s; pages of 20 of random readers as fast as they come",
                        posts, rate, authors));
        int most = Collections.max(ratios);
        sides.forEach(side -> {
            report.figure("idle-us-per-second-" + name(side.dial()), side.idleMicros(loop, IDLE_SECONDS), "");
            // Not counted: Java compiles, and the first pages after the homes were built.
            DialSide.Cycle unused = side.cycle(posts, rate, most);
            assert unused.posts() > 0;
        });
        for (int round = 0; round < options.rounds(); round++) {
            for (int ratio : ratios) {
                for (DialSide side : sides) {
                    cycles.computeIfAbsent(key(side, ratio), key -> new ArrayList<>())
                            .add(side.cycle(posts, rate, ratio));
                }
            }
        }
        sides.forEach(DialSide::check);
        ratios.forEach(ratio -> table(report, ratio));
        return report;
    }

    private void table(Report report, int ratio) {
        double undelivered = median(sides.get(0), ratio, DialSide.Cycle::postMicros);
        report.sentence("");
        report.sentence(String.format(
                "%d pages for each post, Redis microseconds (all = a post with its deliveries and its pages):", ratio));
        report.sentence(String.format(
                "%-12s %12s %12s %12s %12s %12s %12s %12s",
                "dial", "a post", "a delivery", "a page", "all", "deliveries", "RPUSHX", "pulls/page"));
        Map<Integer, Double> all = new HashMap<>();
        for (DialSide side : sides) {
            double post = median(side, ratio, DialSide.Cycle::postMicros);
            double page = median(side, ratio, DialSide.Cycle::pageMicros);
            double deliveries = median(side, ratio, cycle -> (double) cycle.deliveries() / cycle.posts());
            double delivery = deliveries == 0 ? 0 : (post - undelivered) / deliveries;
            double pushes = median(side, ratio, cycle -> (double) cycle.pushes() / cycle.posts());
            double pulls = median(side, ratio, DialSide.Cycle::pullsPerPage);
            all.put(side.dial(), post + ratio * page);
            String key = "pages-" + ratio + "-" + name(side.dial());
            report.figure(
                    key + "-post-us",
                    post,
                    String.format(
                            "%-12s %,12.1f %,12.2f %,12.1f %,12.0f %,12.1f %,12.1f %,12.3f",
                            name(side.dial()), post, delivery, page, all.get(side.dial()), deliveries, pushes, pulls));
            report.figure(key + "-page-us", page, "");
            report.figure(key + "-deliveries", deliveries, "");
            report.figure(key + "-pulls-per-page", pulls, "");
        }
        for (DialSide side : sides.subList(1, sides.size() - 1)) {
            double allRatio = better(all) / all.get(side.dial());
            report.figure(
                    "pages-" + ratio + "-" + name(side.dial()) + "-ratio",
                    allRatio,
                    String.format(
                            "%s: %.2fx cheaper than the better pure mode, %.2fx than the other",
                            name(side.dial()), allRatio, worse(all) / all.get(side.dial())));
        }
    }

    private static double better(Map<Integer, Double> costs) {
        return Math.min(costs.get(0), costs.get(PUSH_ALL));
    }

    private static double worse(Map<Integer, Double> costs) {
        return Math.max(costs.get(0), costs.get(PUSH_ALL));
    }

    private double median(DialSide side, int ratio, ToDoubleFunction<DialSide.Cycle> figure) {
        return Comparison.median(
                cycles.get(key(side, ratio)).stream().mapToDouble(figure).toArray());
    }

    private static String key(DialSide side, int ratio) {
        return side.dial() + " " + ratio;
    }

    private static String name(int dial) {
        return dial == 0 ? "pull" : dial == PUSH_ALL ? "push" : "dial-" + dial;
    }
}

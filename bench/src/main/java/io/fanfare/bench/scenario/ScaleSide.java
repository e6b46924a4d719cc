package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.AuthorDraw;
import io.fanfare.bench.load.Authors;
import io.fanfare.bench.load.BenchCluster;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.HttpLoad;
import io.fanfare.bench.load.ReaderProcess;
import io.fanfare.bench.load.ServiceProcesses;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.failure.Reason;
import io.fanfare.server.runtime.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * One cluster of {@code bench scale} with the processes that work on it, and what each of them has used. For the
 * command's main thread.
 */
final class ScaleSide implements AutoCloseable {
    private static final int CONNECTIONS = 16;
    /** Readers of pages and authors with one follower, at most so many of each. */
    private static final int USERS_MAX = 500;

    /** Posts a second while streams are measured. */
    static final int STREAMED_PER_SECOND = 50;

    private static final long QUIET_MAX_NANOS = TimeUnit.SECONDS.toNanos(120);

    /** The kinds of work, each measured in units of its own. */
    enum Work {
        /** Ids put into homes, by authors who post in proportion to their followers. */
        DELIVERIES,
        /** Posts of the authors with the fewest followers, who have one each. */
        POSTS,
        /** Pages of 20 statuses of homes whose readers follow the first user. */
        PAGES,
        /** Seconds of an open firehose. */
        STREAM_SECONDS;

        /** In tables and names of figures. */
        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The processes whose time is accounted. */
    enum Part {
        API,
        WORKER,
        STREAM,
        MASTERS,
        REPLICAS;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The servers and their data.
     *
     * @param replicas of each master
     * @param entries of a full home
     * @param streams firehoses that are open
     */
    record Shape(int masters, int replicas, int entries, int shards, int streams) {}

    /**
     * The masters and the bus in one round.
     *
     * @param busiest the time of the busiest master, as a multiple of the mean
     * @param messages of all nodes on the bus, for each unit of work
     * @param publishes those of them that copy an event to another node
     */
    record Round(double busiest, double messages, double publishes) {}

    private final Deque<AutoCloseable> opened;
    private final Map<Work, List<Round>> rounds = new EnumMap<>(Work.class);
    private final Shape shape;
    private final BenchCluster cluster;
    private final DataSet data;
    private final ServiceProcesses processes;
    private final ReaderProcess readers;
    private final HttpLoad deliveries;
    private final HttpLoad posts;
    private final HttpLoad pages;

    /** Deliveries of the posts that the load has sent. */
    private long delivered;

    private ScaleSide(
            EventLoop loop, BenchOptions options, Shape shape, SocialGraph graph, Deque<AutoCloseable> opened) {
        this.opened = opened;
        this.shape = shape;
        cluster = open(BenchCluster.start(
                loop,
                options,
                shape.masters(),
                shape.replicas(),
                BenchCluster.WITHOUT_FAILOVERS,
                "redis.shards=" + shape.shards(),
                "feeds.home-max=" + shape.entries(),
                "feeds.home-slack=" + shape.entries() * 2 / 5));
        data = new DataSet(loop, cluster.link(), cluster.settings(), graph);
        data.fillHomes(new Random(options.seed()));
        processes = open(ServiceProcesses.start(cluster.serverEnvironment()));
        readers = open(new ReaderProcess());
        readers.open(processes.streamPort(), shape.streams(), "/api/v1/streaming/firehose", 1);
        int port = processes.apiPort();
        AuthorDraw draw = new AuthorDraw(graph, Authors.FOLLOWERS, new Random(options.seed()));
        List<byte[]> ofAuthors = postsOf(draw.all());
        Map<Integer, byte[]> byAuthor = new HashMap<>();
        for (int i = 0; i < ofAuthors.size(); i++) {
            byAuthor.put(draw.all().get(i), ofAuthors.get(i));
        }
        deliveries = HttpLoad.connect(port, CONNECTIONS, () -> {
            int author = draw.next();
            delivered += graph.followerCount(author);
            return byAuthor.get(author);
        });
        int number = Math.min(USERS_MAX, graph.users());
        posts = HttpLoad.connect(port, CONNECTIONS, inTurn(postsOf(users(graph.users() - number, graph.users()))));
        // Their homes have the posts of the rounds before. The ids that fill a home belong to no status, and a page of
        // them reads the whole home.
        List<Integer> readersOfPages =
                Arrays.stream(graph.followers(0)).limit(number).boxed().toList();
        pages = HttpLoad.connect(
                port,
                CONNECTIONS,
                inTurn(data.tokens(readersOfPages).stream()
                        .map(token -> HttpLoad.request("GET /api/v1/timelines/home", HttpLoad.bearer(token)))
                        .toList()));
    }

    /** Starts the cluster, fills it, and starts the processes; leaves nothing running when it fails. */
    static ScaleSide start(EventLoop loop, BenchOptions options, Shape shape, SocialGraph graph) {
        Deque<AutoCloseable> opened = new ArrayDeque<>();
        try {
            return new ScaleSide(loop, options, shape, graph, opened);
        } catch (RuntimeException e) {
            close(opened);
            throw e;
        }
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.push(resource);
        return resource;
    }

    /** The users with the most followers have the lowest numbers. */
    private static List<Integer> users(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private List<byte[]> postsOf(List<Integer> authors) {
        return data.tokens(authors).stream().map(PostBench::request).toList();
    }

    private static Supplier<byte[]> inTurn(List<byte[]> requests) {
        int[] next = {0};
        return () -> requests.get(next[0]++ % requests.size());
    }

    int masters() {
        return shape.masters();
    }

    String name() {
        return shape.masters() + (shape.masters() == 1 ? " master" : " masters");
    }

    Map<String, String> description() {
        return cluster.description();
    }

    /** Bytes that the masters have allocated. */
    long usedMemory() {
        return cluster.usedMemory();
    }

    double cpuSeconds(Part part) {
        return switch (part) {
            case API -> processes.api().cpuSeconds();
            case WORKER -> processes.worker().cpuSeconds();
            case STREAM -> processes.stream().cpuSeconds();
            case MASTERS -> Arrays.stream(cluster.masterCpuSeconds()).sum();
            case REPLICAS -> cluster.replicaCpuSeconds();
        };
    }

    /** All rounds of this work, also those that do not count. */
    List<Round> rounds(Work work) {
        return List.copyOf(rounds.get(work));
    }

    Comparison.Contestant contestant(Work work, long nanosPerRound) {
        List<Round> all = new ArrayList<>();
        rounds.put(work, all);
        return () -> {
            double[] cpu = cluster.masterCpuSeconds();
            long messages = cluster.busMessages();
            long publishes = cluster.busPublishes();
            long units = work(work, nanosPerRound);
            double[] used = cluster.masterCpuSeconds();
            for (int master = 0; master < used.length; master++) {
                used[master] -= cpu[master];
            }
            all.add(new Round(
                    Arrays.stream(used).max().orElseThrow()
                            / Arrays.stream(used).average().orElseThrow(),
                    (double) (cluster.busMessages() - messages) / units,
                    (double) (cluster.busPublishes() - publishes) / units));
            return units;
        };
    }

    /** Works for a round, and until its jobs are done; answers the units. */
    private long work(Work work, long nanos) {
        long units =
                switch (work) {
                    case DELIVERIES -> {
                        long before = delivered;
                        deliveries.closed(nanos, Long.MAX_VALUE).accepted();
                        yield delivered - before;
                    }
                    case POSTS -> posts.closed(nanos, Long.MAX_VALUE).accepted();
                    case PAGES -> pages.closed(nanos, Long.MAX_VALUE).accepted();
                    case STREAM_SECONDS -> {
                        readers.reset();
                        posts.open(STREAMED_PER_SECOND, nanos).accepted();
                        yield Math.max(1, Math.round(shape.streams() * nanos / 1e9));
                    }
                };
        if (work != Work.PAGES) {
            data.awaitQuiet(QUIET_MAX_NANOS);
        }
        if (work == Work.STREAM_SECONDS && readers.await(0, Duration.ZERO).bytes() == 0) {
            throw new BenchFailed("no event came to the firehoses of " + name());
        }
        return units;
    }

    /** Throws {@link BenchFailed} when a job was given up or a post of the first user lacks in a home. */
    void requireWhole() {
        List<Long> lacking = data.lackingLastPost(0, QUIET_MAX_NANOS);
        if (!lacking.isEmpty() || data.dead() > 0) {
            throw new BenchFailed(name() + ": a post did not reach " + lacking.size() + " homes, and " + data.dead()
                    + " jobs were given up: the figures are worth nothing");
        }
    }

    @Override
    public void close() {
        close(opened);
    }

    private static void close(Deque<AutoCloseable> opened) {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                System.err.println("not closed: " + Reason.of(e));
            }
        }
    }
}

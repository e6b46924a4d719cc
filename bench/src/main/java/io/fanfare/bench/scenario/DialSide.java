package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.AuthorDraw;
import io.fanfare.bench.load.Authors;
import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.HomeServer;
import io.fanfare.bench.load.HttpLoad;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.server.runtime.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * One value of {@code feeds.push-max-followers} in {@link DialBench}: a Redis and a server of its own with the whole
 * graph. The same seed draws the same authors and readers at each value. For the command's main thread.
 */
final class DialSide implements AutoCloseable {
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
    private static final String TEXT =
            "status=the+quick+brown+fox+jumps+over+the+lazy+dog%2C+and+everybody+who+follows+it+reads+of+it";
    private static final long QUIET_MAX_NANOS = 600_000_000_000L;
    private static final long READ_MAX_NANOS = 600_000_000_000L;

    private final int dial;
    private final SocialGraph graph;
    private final BenchRedis redis;
    private final DataSet data;
    private final ServerProcess server;
    private final HttpLoad posts;
    private final HttpLoad pages;
    private long deliveries;

    /** Makes the accounts and the follows, and starts the server. */
    DialSide(EventLoop loop, BenchOptions options, int dial, SocialGraph graph, Authors authors, int connections) {
        this.dial = dial;
        this.graph = graph;
        redis = BenchRedis.open(loop, options, "feeds.push-max-followers=" + dial);
        data = new DataSet(loop, redis.link(), redis.settings(), graph);
        List<String> tokens =
                data.tokens(IntStream.range(0, graph.users()).boxed().toList());
        Map<String, String> environment = new HashMap<>(redis.serverEnvironment());
        environment.put("FANFARE_FEEDS_PUSH_MAX_FOLLOWERS", Integer.toString(dial));
        // Connections are idle while the other values have their turn.
        environment.put("FANFARE_HTTP_IDLE_TIMEOUT", "10m");
        server = ServerProcess.start(HomeServer.class, environment, HomeServer.WITH_WORKER);
        int port = Integer.parseInt(server.answer().split(" ", -1)[0]);
        AuthorDraw author = new AuthorDraw(graph, authors, new Random(options.seed()));
        posts = HttpLoad.connect(port, connections, () -> {
            int drawn = author.next();
            deliveries += isPushed(drawn) ? graph.followerCount(drawn) : 0;
            return HttpLoad.request("POST /api/v1/statuses", HttpLoad.bearer(tokens.get(drawn)) + FORM, TEXT);
        });
        int[] readers = IntStream.range(0, graph.users())
                .filter(user -> graph.followees(user).length > 0)
                .toArray();
        RandomGenerator random = new Random(options.seed());
        pages = HttpLoad.connect(port, connections, () -> {
            String token = tokens.get(readers[random.nextInt(readers.length)]);
            return HttpLoad.request("GET /api/v1/timelines/home?limit=20", HttpLoad.bearer(token));
        });
    }

    int dial() {
        return dial;
    }

    private boolean isPushed(int author) {
        return graph.followerCount(author) <= dial;
    }

    Map<String, String> description() {
        return redis.description();
    }

    /** Each of the users posts once. */
    void postOnce(List<Integer> users) {
        data.postOnce(users, "one of the posts before");
        data.awaitQuiet(QUIET_MAX_NANOS);
    }

    /** Every user has a home, as if all had read just now. */
    void buildHomes() {
        data.buildHomes();
    }

    /**
     * The costs of a cycle.
     *
     * @param deliveries that were due by the graph and the dial
     * @param pushes {@code RPUSHX} commands; one may carry several deliveries
     * @param postSeconds processor time of Redis from the first post to the last delivery
     * @param pageSeconds of Redis for all pages
     * @param serverSeconds of the server's process, for all of it
     * @param pulls authors whom the pages have pulled
     */
    record Cycle(
            long posts,
            long deliveries,
            long pushes,
            long pages,
            double postSeconds,
            double pageSeconds,
            double serverSeconds,
            long pulls) {
        double postMicros() {
            return postSeconds / posts * 1e6;
        }

        double pageMicros() {
            return pageSeconds / pages * 1e6;
        }

        double pullsPerPage() {
            return (double) pulls / pages;
        }
    }

    /** Posts at a rate; when everything is delivered, reads so many home pages for each post. */
    Cycle cycle(int count, int perSecond, int pagesPerPost) {
        final long deliveredBefore = deliveries;
        final long pulledBefore = pulls();
        final long pushedBefore = pushes();
        final double serverBefore = server.cpuSeconds();
        double begin = redis.cpuSeconds();
        final long posted =
                posts.open(perSecond, count * 1_000_000_000L / perSecond).accepted();
        data.awaitQuiet(QUIET_MAX_NANOS);
        double delivered = redis.cpuSeconds();
        long read = pages.closed(READ_MAX_NANOS, (long) count * pagesPerPost).accepted();
        double end = redis.cpuSeconds();
        return new Cycle(
                posted,
                deliveries - deliveredBefore,
                pushes() - pushedBefore,
                read,
                delivered - begin,
                end - delivered,
                server.cpuSeconds() - serverBefore,
                pulls() - pulledBefore);
    }

    /** Processor microseconds of Redis in a second in which nothing happens. */
    double idleMicros(EventLoop loop, int seconds) {
        double before = redis.cpuSeconds();
        loop.run(() -> loop.vertx().timer(seconds, TimeUnit.SECONDS));
        return (redis.cpuSeconds() - before) / seconds * 1e6;
    }

    private long pulls() {
        return Long.parseLong(server.ask(HomeServer.PULLS));
    }

    private long pushes() {
        return redis.commandStats().getOrDefault("rpushx", new long[1])[0];
    }

    /** Throws {@link BenchFailed} when a job was given up. */
    void check() {
        if (data.dead() > 0) {
            throw new BenchFailed(data.dead() + " jobs were given up: the figures are worth nothing");
        }
    }

    @Override
    public void close() {
        server.close();
        redis.close();
    }
}

package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.HomeServer;
import io.fanfare.bench.load.HttpLoad;
import io.fanfare.bench.load.PowerLaw;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.load.VoteLoad;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.Command;
import io.fanfare.server.runtime.EventLoop;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench articles}: votes per second beside the plain commands of <i>Redis in Action</i>, chapter 1, and pages of
 * 25 articles over HTTP beside a bare handler with as many bytes.
 */
@picocli.CommandLine.Command(
        name = "articles",
        mixinStandardHelpOptions = true,
        description = "Measures votes, against the book's own Redis commands; ranked pages of 25, against a bare Vert.x"
                + " handler with the same bytes.")
public final class ArticlesBench implements Callable<Integer> {
    private static final int USERS = 500;
    private static final int SHOWN = 1000;
    private static final int VOTED_ON = 10_000;
    private static final int PER_CALL = 1000;
    private static final long DAY_MILLIS = 86_400_000;
    private static final String GROUP = "java";

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--articles",
            paramLabel = "N",
            defaultValue = "1000000",
            converter = Count.class,
            description = "Articles in the ranking; the newest can be voted on. Default: ${DEFAULT-VALUE}.")
    private int ranked;

    @Option(
            names = "--group",
            paramLabel = "N",
            defaultValue = "100000",
            converter = Count.class,
            description = "Articles in the group. Default: ${DEFAULT-VALUE}.")
    private int grouped;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "32",
            converter = Count.class,
            description = "Keep-alive connections of the load generator. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Override
    public Integer call() {
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(
                        loop, options, "http.port=0", "limits.enabled=false", "articles.ranking-max=10000000")) {
            RandomGenerator random = new Random(options.seed());
            SocialGraph graph = PowerLaw.graph(USERS, 5, random);
            DataSet data = new DataSet(loop, redis.link(), redis.settings(), graph);
            System.err.println("ranking " + ranked + " articles ...");
            fillRankings(loop, redis, random);
            List<Long> shown = publish(loop, redis, data);
            VoteLoad votes = new VoteLoad(
                    redis.link(),
                    new Articles(redis.link(), redis.settings(), InstantSource.system()),
                    random,
                    young());
            loop.run(votes::publish);
            List<String> tokens = data.tokens(IntStream.range(0, USERS).boxed().toList());
            try (ServerProcess server = ServerProcess.start(HomeServer.class, redis.serverEnvironment())) {
                Report report = measure(loop, redis, server, votes, tokens, shown, random);
                report.settings(redis.description());
                report.setting("articles", ranked + " ranked, " + grouped + " in the group, seed " + options.seed());
                return report.publish(options);
            }
        }
    }

    /** Fills the rankings with old entries, so that the shown ones stand before them. */
    private void fillRankings(EventLoop loop, BenchRedis redis, RandomGenerator random) {
        long oldest = System.currentTimeMillis() - 300 * DAY_MILLIS;
        for (int from = 0; from < ranked; from += PER_CALL) {
            int count = Math.min(PER_CALL, ranked - from);
            List<Object> byScore = new ArrayList<>(2 * count);
            List<Object> byTime = new ArrayList<>(2 * count);
            for (int i = 0; i < count; i++) {
                long id = Id.of(oldest + from + i, 1, 0);
                byScore.addAll(List.of(Article.score(id, 1 + random.nextInt(300)), id));
                byTime.addAll(List.of(id, id));
            }
            List<Command> commands = new ArrayList<>(List.of(
                    Command.of("ZADD", Keys.ARTICLES_BY_SCORE, byScore.toArray()),
                    Command.of("ZADD", Keys.ARTICLES_BY_TIME, byTime.toArray()),
                    Command.of("ZADD", "raw-score", byScore.toArray())));
            if (from < grouped) {
                commands.add(Command.of("ZADD", Keys.articlesByScore(GROUP), byScore.toArray()));
                commands.add(Command.of("ZADD", Keys.articlesByTime(GROUP), byTime.toArray()));
                commands.add(Command.of(
                        "SADD",
                        "raw-group",
                        IntStream.range(0, count)
                                .mapToObj(i -> byScore.get(2 * i + 1))
                                .toArray()));
            }
            loop.run(() -> redis.link().pipeline(commands));
        }
    }

    /** Articles of which there is a status, newest and in the group; their ids. */
    private static List<Long> publish(EventLoop loop, BenchRedis redis, DataSet data) {
        Statuses statuses = new Statuses(redis.link(), redis.settings());
        Articles articles = new Articles(redis.link(), redis.settings(), InstantSource.system());
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < SHOWN; i++) {
            Article article =
                    new Article("An article about queues, number " + i, "https://example.org/" + i, List.of(GROUP));
            Content content = Content.of(article.text("What everybody who reads it should know."))
                    .with(article);
            Post post = Post.of(data.id(i % USERS), Visibility.PUBLIC, content);
            Status status = loop.await(() -> statuses.post(post, null)).status();
            loop.run(() -> articles.add(status));
            ids.add(status.id());
        }
        return ids;
    }

    /** Ids of the last six days. */
    private static List<Long> young() {
        long now = System.currentTimeMillis();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < VOTED_ON; i++) {
            ids.add(Id.of(now - 6 * DAY_MILLIS + i * 1000L, 1, 0));
        }
        return ids;
    }

    private Report measure(
            EventLoop loop,
            BenchRedis redis,
            ServerProcess server,
            VoteLoad votes,
            List<String> tokens,
            List<Long> shown,
            RandomGenerator random) {
        String[] ports = server.answer().split(" ", -1);
        HttpLoad ranking = load(ports[0], () -> page("/api/v1/articles?limit=25", tokens, random));
        HttpLoad group = load(ports[0], () -> page("/api/v1/groups/" + GROUP + "/articles?limit=25", tokens, random));
        HttpLoad voting = load(ports[0], () -> vote(tokens, shown, random));
        int bytes = (int) ranking.closed(options.nanosPerRound(), 1).bytesEach();
        HttpLoad bare = load(ports[1], () -> HttpLoad.request("GET /" + bytes, ""));
        System.err.println("measuring ...");
        Comparison comparison = new Comparison()
                .warmUp(Comparison.UNTIL_COMPILED)
                .process("server", server::cpuSeconds)
                .process("redis", redis::cpuSeconds)
                .process("generator", Comparison::javaCpuSeconds)
                .contestant("votes: the book's commands", () -> loop.await(() -> votes.ofBook(options.nanosPerRound())))
                .contestant(
                        "votes: all four commands, unasked",
                        () -> loop.await(() -> votes.unconditional(options.nanosPerRound())))
                .contestant("votes: fanfare's script", () -> loop.await(() -> votes.ofStore(options.nanosPerRound())))
                .contestant("votes: fanfare, POST", () -> saturate(voting))
                .contestant(String.format("pages: bare handler, %.1f KB", bytes / 1024.0), () -> saturate(bare))
                .contestant("pages: fanfare, by score", () -> saturate(ranking))
                .contestant("pages: fanfare, of the group", () -> saturate(group));
        List<Comparison.Result> results = comparison.run(options.rounds());
        Report report = new Report("articles", "units");
        report.setting(
                "load",
                "votes: 100 under way over the project's Redis link; HTTP: own generator, " + connections
                        + " keep-alive connections, " + tokens.size() + " users in random order");
        report.results(comparison, results);
        compare(report, results);
        intersect(loop, redis, report);
        Map<String, long[]> before = redis.commandStats();
        long pages = saturate(ranking);
        report.sentence(
                String.format("Redis time by command, %,d pages by score: %s", pages, redis.topCommands(before)));
        return report;
    }

    private static void compare(Report report, List<Comparison.Result> results) {
        Comparison.Result book = results.get(0);
        Comparison.Result ours = results.get(2);
        report.figure(
                "votes-ratio-to-book",
                ours.perSecond() / book.perSecond(),
                String.format(
                        "votes: %.2fx the book's commands (goal >= 0.7x), %.2fx all four unasked",
                        ours.perSecond() / book.perSecond(),
                        ours.perSecond() / results.get(1).perSecond()));
        report.figure(
                "votes-redis-cpu-ratio-to-book",
                book.cpuMicros("redis") / ours.cpuMicros("redis"),
                String.format(
                        "by Redis time alone: %.2fx and %.2fx",
                        book.cpuMicros("redis") / ours.cpuMicros("redis"),
                        results.get(1).cpuMicros("redis") / ours.cpuMicros("redis")));
        double page = results.get(5).perSecond() / results.get(4).perSecond();
        report.figure(
                "pages-ratio-to-bare",
                page,
                String.format(
                        "pages: %.2fx the bare handler with the same bytes (goal >= 0.3x); of the group %.2fx",
                        page, results.get(6).perSecond() / results.get(4).perSecond()));
    }

    /** Measures the book's work every minute for each group that is read. */
    private void intersect(EventLoop loop, BenchRedis redis, Report report) {
        double[] millis = new double[options.rounds()];
        for (int i = 0; i < millis.length; i++) {
            long begin = System.nanoTime();
            loop.run(() -> redis.link()
                    .send(Command.of(
                            "ZINTERSTORE",
                            "raw-page",
                            2,
                            new Command.Named("raw-group"),
                            new Command.Named("raw-score"),
                            "WEIGHTS",
                            0,
                            1)));
            millis[i] = (System.nanoTime() - begin) / 1e6;
        }
        report.figure(
                "group-intersection-ms",
                Comparison.median(millis),
                String.format(
                        "the book's intersection for that group stops Redis for %.1f ms", Comparison.median(millis)));
    }

    private long saturate(HttpLoad load) {
        return load.closed(options.nanosPerRound(), Long.MAX_VALUE).accepted();
    }

    private HttpLoad load(String port, Supplier<byte[]> requests) {
        return HttpLoad.connect(Integer.parseInt(port), connections, requests);
    }

    private static byte[] page(String path, List<String> tokens, RandomGenerator random) {
        return HttpLoad.request("GET " + path, authorization(tokens, random));
    }

    private static byte[] vote(List<String> tokens, List<Long> ids, RandomGenerator random) {
        return HttpLoad.request(
                "POST /api/v1/articles/" + ids.get(random.nextInt(ids.size())) + "/vote",
                authorization(tokens, random) + "Content-Length: 0\r\n");
    }

    private static String authorization(List<String> tokens, RandomGenerator random) {
        return HttpLoad.bearer(tokens.get(random.nextInt(tokens.size())));
    }
}

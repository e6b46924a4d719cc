package io.fanfare.bench.scenario;

import io.fanfare.bench.load.HttpLoad;
import io.fanfare.bench.load.SiteFill;
import io.fanfare.bench.replay.RunningServer;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Meta;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.RuntimeFile;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Readers of a running service on a data folder that {@link SiteFill} has filled: pages of their homes, and posts of
 * theirs. For the main thread.
 */
final class SiteVisit {
    private static final int PER_CALL = 100;

    /** Posts beside the pages of a warm-up, a second. */
    private static final int POSTS_OF_WARM_UP = 50;

    private final HttpLoad pages;
    private final HttpLoad posts;
    private final ProcessHandle service;
    private final ProcessHandle redis;

    /** The two loads of a round. */
    record Result(HttpLoad.Result pages, HttpLoad.Result posts) {}

    private SiteVisit(HttpLoad pages, HttpLoad posts, ProcessHandle service, ProcessHandle redis) {
        this.pages = pages;
        this.posts = posts;
        this.service = service;
        this.redis = redis;
    }

    /**
     * Joins the service on a folder, and makes tokens for the first readers. Fails with {@link BenchFailed} when none
     * runs there.
     */
    static SiteVisit of(EventLoop loop, Path data, int readersMax, int connections, long seed) {
        try {
            RunningServer server = RunningServer.at(null, data);
            List<String> tokens = tokens(loop, server.settings().orElseThrow(), readersMax);
            if (tokens.isEmpty()) {
                throw new BenchFailed("no reader is in " + data + ": fill a folder with 'fanfare bench load --data'");
            }
            int port = server.url().getPort();
            long pid = RuntimeFile.read(data).orElseThrow().pid();
            return new SiteVisit(
                    HttpLoad.connect(port, connections, random(tokens, seed, HomeBench::homeRequest)),
                    HttpLoad.connect(port, connections, random(tokens, seed + 1, HomeBench::postRequest)),
                    ProcessHandle.of(pid).orElseThrow(),
                    RedisProcess.running(data.resolve("redis"))
                            .orElseThrow(() -> new BenchFailed("the service on " + data + " has another Redis"))
                            .handle());
        } catch (IOException e) {
            throw new BenchFailed(e.getMessage());
        }
    }

    private static List<String> tokens(EventLoop loop, Settings settings, int readersMax) {
        SecureRandom random = new SecureRandom();
        RedisLink link =
                loop.await(() -> RedisLink.open(loop.vertx(), settings.redis().options()));
        Meta meta = new Meta(link, random);
        Accounts accounts = loop.await(
                () -> meta.join(settings.redis().shards()).map(shards -> new Accounts(link, shards, random)));
        Tokens issuer = loop.await(() -> meta.signingKeys(settings.auth())
                .map(keys -> new Tokens(link, keys, Clock.systemUTC(), System::nanoTime, random)));
        List<String> tokens = new ArrayList<>();
        for (int from = 0; from < readersMax && tokens.size() == from; from += PER_CALL) {
            IntStream numbers = IntStream.range(from, Math.min(readersMax, from + PER_CALL));
            tokens.addAll(loop.await(() -> Future.all(numbers.mapToObj(number -> token(accounts, issuer, number))
                            .toList())
                    .map(all ->
                            all.<String>list().stream().filter(Objects::nonNull).toList())));
        }
        loop.run(link::close);
        return tokens;
    }

    /** Null = there is no such reader. */
    private static Future<String> token(Accounts accounts, Tokens issuer, int reader) {
        return accounts.idByUsername(SiteFill.reader(reader))
                .compose(id -> id.isEmpty()
                        ? Future.succeededFuture(null)
                        : issuer.issue(id.get(), "bench", "bench", Set.of("read", "write"))
                                .map(Tokens.Issued::token));
    }

    private static Supplier<byte[]> random(List<String> tokens, long seed, Function<String, byte[]> request) {
        RandomGenerator random = new SplittableRandom(seed);
        return () -> request.apply(tokens.get(random.nextInt(tokens.size())));
    }

    /** Sends pages as fast as they are answered, and posts beside them, until Java has compiled most of it. */
    void warmUp(long nanos) {
        Result result = beside(() -> posts.open(POSTS_OF_WARM_UP, nanos), () -> pages.closed(nanos, Long.MAX_VALUE));
        result.pages().accepted();
        result.posts().accepted();
    }

    /** Both loads in open loop, beside each other. */
    Result round(double pagesPerSecond, double postsPerSecond, long nanos) {
        return beside(() -> posts.open(postsPerSecond, nanos), () -> pages.open(pagesPerSecond, nanos));
    }

    /** Each load on a thread of its own. */
    private static Result beside(Supplier<HttpLoad.Result> posting, Supplier<HttpLoad.Result> reading) {
        CompletableFuture<HttpLoad.Result> posted = CompletableFuture.supplyAsync(posting);
        HttpLoad.Result read = reading.get();
        return new Result(read, posted.join());
    }

    /** Processor seconds of the service without its Redis. */
    double serviceCpuSeconds() {
        return cpuSeconds(service);
    }

    /** Processor seconds of its Redis. */
    double redisCpuSeconds() {
        return cpuSeconds(redis);
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }
}

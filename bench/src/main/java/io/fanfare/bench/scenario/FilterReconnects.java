package io.fanfare.bench.scenario;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.load.ReaderProcess;
import io.fanfare.bench.peer.FanfarePeer;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * {@code bench stream-filter --reconnect}: clients with filters of phrases and accounts come back at once to a stream
 * process that has just started, whose code Java has not compiled. Then they all come once more, to compare.
 */
final class FilterReconnects {
    private static final int PHRASES = 10;
    private static final int FOLLOWS = 10;

    /** Connections that wait: fewer than the usual backlog of Linux, of which any further one waits a second. */
    private static final int AT_ONCE = 2000;

    private static final double GOAL_SECONDS = 2;

    /** For the server to take leave of streams that have ended. */
    private static final Duration SETTLING = Duration.ofSeconds(2);

    private final BenchOptions options;
    private final int filters;

    FilterReconnects(BenchOptions options, int filters) {
        this.options = options;
        this.filters = filters;
    }

    /** One time that all came. */
    private record Storm(
            ReaderProcess.Opening opening, double cpuSeconds, double redisCpuSeconds, double readersCpuSeconds) {}

    int measure() {
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options, FanfarePeer.PATIENT)) {
            System.err.println("signing up " + filters + " accounts ...");
            DataSet data = new DataSet(
                    loop,
                    redis.link(),
                    redis.settings(),
                    new SocialGraph(LongStream.range(0, accounts()).boxed().toList(), new int[accounts()][0]));
            String path = path(data);
            List<Storm> first = new ArrayList<>();
            List<Storm> second = new ArrayList<>();
            try (ReaderProcess readers = new ReaderProcess()) {
                // The round before the others is for the readers, which have to be compiled, too.
                for (int round = 0; round <= options.rounds(); round++) {
                    System.err.println("round " + round + " of " + options.rounds() + " ...");
                    try (FanfarePeer server = new FanfarePeer(loop, redis, filters, Map.of())) {
                        Storm cold = storm(redis, server, readers, path);
                        Storm again = storm(redis, server, readers, path);
                        if (round > 0) {
                            first.add(cold);
                            second.add(again);
                        }
                    }
                }
            }
            Report report = new Report("stream-filter --reconnect", "streams");
            report.settings(redis.description());
            report.setting(
                    "load",
                    String.format(
                            "%,d filters of %d phrases and %d accounts, one of them by its name; %,d wait at most",
                            filters, PHRASES, FOLLOWS, AT_ONCE));
            report(report, "cold", "A process that has just started", first);
            report(report, "warm", "The same process, once more", second);
            return report.publish(options);
        }
    }

    private int accounts() {
        return Math.max(filters, FOLLOWS);
    }

    private Storm storm(BenchRedis redis, FanfarePeer server, ReaderProcess readers, String path) {
        double before = server.cpuSeconds();
        double ofRedis = redis.cpuSeconds();
        double ofReaders = readers.cpuSeconds();
        ReaderProcess.Opening opening = readers.openAtOnce(server.port(), filters, path, AT_ONCE);
        Storm storm = new Storm(
                opening, server.cpuSeconds() - before, redis.cpuSeconds() - ofRedis, readers.cpuSeconds() - ofReaders);
        readers.closeStreams();
        LockSupport.parkNanos(SETTLING.toNanos());
        return storm;
    }

    /**
     * Phrases of one and of two words, none of which another filter has; accounts that all have, and one of its own.
     */
    private static String path(DataSet data) {
        String track = IntStream.range(0, PHRASES)
                .mapToObj(i -> "topic{}n" + i + (i % 2 == 0 ? "" : "+weather"))
                .collect(Collectors.joining(","));
        String follow = IntStream.range(0, FOLLOWS - 1)
                .mapToObj(i -> Long.toString(data.id(i)))
                .collect(Collectors.joining(","));
        return "/api/v1/streaming/filter?track=" + track + "&follow=" + follow + ",bench{}";
    }

    private void report(Report report, String key, String name, List<Storm> storms) {
        double seconds = median(storms, storm -> storm.opening().maxMillis() / 1e3);
        double cpuSeconds = median(storms, Storm::cpuSeconds);
        double redisCpuSeconds = median(storms, Storm::redisCpuSeconds);
        double readersCpuSeconds = median(storms, Storm::readersCpuSeconds);
        report.figure(
                key + "-seconds",
                seconds,
                String.format(
                        "%s has all %,d streams open after %.2f s (goal <= %.0f), median of %d: p50 %.0f ms, p99 %.0f ms,"
                                + " %.2f processor seconds of the server, %.0f us a stream; %.0f us of Redis and %.0f us"
                                + " of the readers.",
                        name,
                        filters,
                        seconds,
                        GOAL_SECONDS,
                        storms.size(),
                        median(storms, storm -> storm.opening().p50Millis()),
                        median(storms, storm -> storm.opening().p99Millis()),
                        cpuSeconds,
                        cpuSeconds / filters * 1e6,
                        redisCpuSeconds / filters * 1e6,
                        readersCpuSeconds / filters * 1e6));
        report.figure(key + "-p99-ms", median(storms, storm -> storm.opening().p99Millis()), "");
        report.figure(key + "-cpu-seconds", cpuSeconds, "");
        report.figure(key + "-redis-cpu-seconds", redisCpuSeconds, "");
        report.figure(key + "-readers-cpu-seconds", readersCpuSeconds, "");
    }

    private static double median(List<Storm> storms, ToDoubleFunction<Storm> of) {
        return Comparison.median(storms.stream().mapToDouble(of).toArray());
    }
}

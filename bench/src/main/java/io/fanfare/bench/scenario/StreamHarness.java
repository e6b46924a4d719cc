package io.fanfare.bench.scenario;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.ReaderProcess;
import io.fanfare.bench.peer.FanfarePeer;
import io.fanfare.bench.peer.MastodonPeer;
import io.fanfare.bench.peer.NchanPeer;
import io.fanfare.bench.peer.PlainPeer;
import io.fanfare.bench.peer.StreamPeer;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.failure.Reason;
import io.fanfare.server.runtime.EventLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Option;

/**
 * Options of the scenarios with peers, and what these scenarios share: the contestants, and whose processor time is
 * whose.
 */
final class StreamHarness implements AutoCloseable {
    private static final Duration HEARTBEAT = Duration.ofSeconds(12);

    @Option(
            names = "--nginx",
            paramLabel = "BINARY",
            description =
                    "An nginx with ../lib/nginx/modules/ngx_nchan_module.so beside its folder. Default: /usr/sbin/nginx; left out when there is none.")
    private Path nginx;

    @Option(
            names = "--mastodon",
            paramLabel = "DIR",
            description =
                    "A Mastodon of which streaming/index.js can be run; docs/benchmarks names what it needs. Default: left out.")
    private Path mastodon;

    @Option(
            names = "--heartbeat",
            paramLabel = "SECONDS",
            converter = Count.class,
            description =
                    "How often a comment goes to a silent stream, from every server alike. Default: 12, beside Mastodon its 15.")
    private Integer heartbeat;

    @Option(
            names = "--only-ours",
            description = "Measures nobody beside us: for trying something out, not for figures that are claimed.")
    private boolean onlyOurs;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "40",
            converter = Count.class,
            description =
                    "How long our server is loaded before anything counts, until Java has compiled it. Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    private static final double[] WARM_UP_PARTS = {0.1, 0.3, 0.6};

    private final Map<String, StreamContestant> contestants = new LinkedHashMap<>();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Adds contestants; what they have opened is closed by {@link #close}. Null = the peer is not there. */
    void add(StreamPeer peer, StreamContestant.Load load) {
        if (peer != null) {
            opened.push(peer);
            ReaderProcess readers = StreamContestant.open(peer, load);
            opened.push(readers);
            if (peer instanceof FanfarePeer && load.events() > 0) {
                System.err.println("warming up for " + warmUp + " s ...");
                warmUp(peer, readers, load);
            }
            contestants.put(peer.name(), new StreamContestant(peer.name(), peer, readers, load));
        }
    }

    /** Slowly at first: what has not been compiled yet must not fall behind. */
    private void warmUp(StreamPeer peer, ReaderProcess readers, StreamContestant.Load load) {
        readers.reset();
        long published = 0;
        for (double part : WARM_UP_PARTS) {
            double perSecond = part * load.perSecond();
            long events = Math.max(1, (long) (warmUp * perSecond / WARM_UP_PARTS.length));
            peer.publish(events, perSecond);
            published += events;
        }
        ReaderProcess.Figures come = readers.await(published * load.copies(), StreamContestant.TAIL_MAX);
        if (come.events() < published * load.copies()) {
            System.err.println(
                    "not everything was delivered while warming up: take a lower rate, or a machine that does less");
        }
    }

    /** A comment goes to a silent stream so often. */
    Duration heartbeat() {
        if (heartbeat != null) {
            return Duration.ofSeconds(heartbeat);
        }
        return mastodon == null ? HEARTBEAT : MastodonPeer.HEARTBEAT;
    }

    /** How long our server is loaded before anything counts. */
    int warmUpSeconds() {
        return warmUp;
    }

    /** Our own server. */
    FanfarePeer fanfare(EventLoop loop, BenchRedis redis, int topics) {
        // More than two heartbeats and more than a request may take, as the settings must be.
        Duration idle = heartbeat().multipliedBy(2).plusSeconds(6);
        Map<String, String> settings = Map.of(
                "FANFARE_STREAM_HEARTBEAT", heartbeat().toSeconds() + "s",
                "FANFARE_HTTP_IDLE_TIMEOUT", idle.toSeconds() + "s");
        return new FanfarePeer(loop, redis, topics, settings);
    }

    /** Null when it is not there or not wanted. */
    NchanPeer nchan(EventLoop loop, int topics) {
        return onlyOurs ? null : NchanPeer.start(loop, nginx, topics, heartbeat());
    }

    /** Null when it is not wanted. */
    MastodonPeer mastodon(EventLoop loop, BenchRedis redis, int topics) {
        return onlyOurs || mastodon == null ? null : MastodonPeer.start(loop, redis, mastodon, topics);
    }

    /** Null when it cannot be compiled or is not wanted. */
    PlainPeer plain(int tickMillis) {
        return onlyOurs ? null : PlainPeer.start(tickMillis);
    }

    /** Lets them play, and begins the report. */
    Report run(String scenario, BenchRedis redis, int rounds) {
        Comparison comparison = comparison(redis);
        for (StreamContestant each : contestants.values()) {
            comparison = comparison.contestant(each.name(), each);
        }
        System.err.println("measuring ...");
        List<Comparison.Result> results = comparison.run(rounds);
        Report report = new Report(scenario, "deliveries");
        report.settings(redis.description());
        report.results(comparison, results);
        contestants.forEach((name, contestant) -> contestant.report(report, key(name)));
        results.forEach(result -> report.figure(key(result.name()) + "-server-us", result.cpuMicros("server"), ""));
        return report;
    }

    /** Accounts servers, their readers, Redis and this process, which publishes. */
    Comparison comparison(BenchRedis redis) {
        return new Comparison()
                .processOf("server", name -> contestants.get(name).peer().cpuSeconds())
                .process("redis", redis::cpuSeconds)
                .processOf("readers", name -> contestants.get(name).readers().cpuSeconds())
                .process("publisher", Comparison::javaCpuSeconds);
    }

    /**
     * How much cheaper we are than somebody else, by the server's processor time for each delivery; says nothing when
     * they were left out.
     */
    static void compare(Report report, String other, double goal) {
        ToDoubleFunction<String> micros = name -> report.value(key(name) + "-server-us");
        if (!Double.isNaN(micros.applyAsDouble(other))) {
            double ratio = micros.applyAsDouble(other) / micros.applyAsDouble(FanfarePeer.NAME);
            report.figure(
                    "ratio-to-" + key(other),
                    ratio,
                    String.format(
                            "%.2fx the deliveries of %s for the same processor time of the server (goal >= %.1fx)",
                            ratio, other, goal));
        }
    }

    static String key(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                System.err.println("not closed: " + Reason.of(e));
            }
        }
    }
}

package io.fanfare.bench.scenario;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.Processes;
import io.fanfare.bench.load.ReaderProcess;
import io.fanfare.bench.peer.FanfarePeer;
import io.fanfare.bench.peer.StreamPeer;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench stream-idle}: streams on which nothing happens - what each costs in memory, and in processor time for
 * its heartbeats; beside nginx with nchan and Mastodon.
 */
@Command(
        name = "stream-idle",
        mixinStandardHelpOptions = true,
        description =
                "Measures 19,000 silent firehoses: memory and processor time of each, against nginx with nchan and"
                        + " Mastodon's streaming server.")
public final class StreamIdleBench implements Callable<Integer> {
    private static final double GOAL_BYTES = 8192;
    private static final double GOAL_MICROS = 1;

    /** Heartbeats of every stream before anything counts: Java compiles what they run meanwhile. */
    private static final int WARM_HEARTBEATS = 3;

    private static final int WARM_STREAMS = 1000;
    private static final int WARM_EVENTS_PER_SECOND = 30;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Mixin
    private StreamHarness peers = new StreamHarness();

    @Option(
            names = "--streams",
            paramLabel = "N",
            defaultValue = "19000",
            converter = Count.class,
            description =
                    "Streams of each contestant; a process may open 20,000 files on many machines. Default: ${DEFAULT-VALUE}.")
    private int streams;

    /** Bytes of memory that one stream takes, by contestant. */
    private final Map<String, Double> resident = new LinkedHashMap<>();

    private double kernelBytes;

    @Override
    public Integer call() {
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options, FanfarePeer.PATIENT);
                StreamHarness harness = peers) {
            open(harness, harness.nchan(loop, 0));
            open(harness, harness.mastodon(loop, redis, 0));
            FanfarePeer ours = harness.fanfare(loop, redis, 0);
            warmUp(ours);
            long heapBefore = ours.heapBytes();
            open(harness, ours);
            double heap = (double) (ours.heapBytes() - heapBefore) / streams;
            Comparison comparison = harness.comparison(redis);
            for (String name : resident.keySet()) {
                comparison = comparison.contestant(name, this::idle);
            }
            System.err.println("measuring ...");
            List<Comparison.Result> results = comparison.run(options.rounds());
            Report report = new Report("stream-idle", "stream-seconds");
            report.settings(redis.description());
            report.setting(
                    "load",
                    streams + " firehoses each, silent but for a heartbeat every "
                            + peers.heartbeat().toSeconds()
                            + " s; rounds of " + round().toSeconds() + " s; memory "
                            + FanfarePeer.GIVING_BACK.toSeconds()
                            + " s after a collection");
            report.results(comparison, results);
            report(report, results, heap);
            return report.publish(options);
        }
    }

    /** A server loads its classes and compiles its code with the first streams: those are not its memory per stream. */
    private void warmUp(FanfarePeer ours) {
        try (ReaderProcess readers = new ReaderProcess()) {
            readers.open(ours.port(), WARM_STREAMS, ours.path(), 1);
            ours.publish((long) peers.warmUpSeconds() * WARM_EVENTS_PER_SECOND, WARM_EVENTS_PER_SECOND);
        }
    }

    private void open(StreamHarness harness, StreamPeer peer) {
        if (peer != null) {
            long before = peer.residentBytes();
            long kernelBefore = Processes.kernelTcpBytes();
            harness.add(peer, new StreamContestant.Load(streams, 0, 1, 0, 1, /* gzip= */ false));
            Duration heartbeat = peers.heartbeat();
            LockSupport.parkNanos(heartbeat
                    .multipliedBy(WARM_HEARTBEATS)
                    .plus(heartbeat.dividedBy(6))
                    .toNanos());
            resident.put(peer.name(), (double) (peer.residentBytes() - before) / streams);
            kernelBytes = (double) (Processes.kernelTcpBytes() - kernelBefore) / streams;
        }
    }

    private long idle() {
        Duration time = round();
        LockSupport.parkNanos(time.toNanos());
        return streams * TimeUnit.NANOSECONDS.toSeconds(time.toNanos());
    }

    /** Whole heartbeats, so that every stream gets equally many. */
    private Duration round() {
        long beats = Math.max(1, options.nanosPerRound() / peers.heartbeat().toNanos());
        return peers.heartbeat().multipliedBy(beats);
    }

    private void report(Report report, List<Comparison.Result> results, double heap) {
        for (Comparison.Result result : results) {
            String key = StreamHarness.key(result.name());
            double bytes = resident.get(result.name());
            double micros = result.cpuMicros("server");
            report.figure(
                    key + "-bytes",
                    bytes,
                    String.format(
                            "%s: %,.0f bytes resident per stream, %.2f us of processor time per stream and second",
                            result.name(), bytes, micros));
            report.figure(key + "-us", micros, "");
        }
        report.figure(
                FanfarePeer.NAME + "-heap-bytes",
                heap,
                String.format(
                        "Goals: <= %,.0f bytes, <= %.0f us. Of ours %,.0f bytes are live objects; the kernel's buffers (%,.0f bytes) are not among them.",
                        GOAL_BYTES, GOAL_MICROS, heap, kernelBytes));
    }
}

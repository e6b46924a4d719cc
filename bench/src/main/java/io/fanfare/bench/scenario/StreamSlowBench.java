package io.fanfare.bench.scenario;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.Processes;
import io.fanfare.bench.load.ReaderProcess;
import io.fanfare.bench.peer.FanfarePeer;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench stream-slow}: whether readers who take next to nothing harm those beside them, and what each costs. */
@Command(
        name = "stream-slow",
        mixinStandardHelpOptions = true,
        description = "Measures 500 fast firehoses alone, and beside 1000 that are read at 1 KB/s.")
public final class StreamSlowBench implements Callable<Integer> {
    private static final String ALONE = "fast readers alone";
    private static final String BESIDE = "fast readers, slow ones beside them";

    /** Few, so that slow readers fall behind it and read from the log in Redis. */
    private static final String RING_EVENTS = "1000";

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--fast",
            paramLabel = "N",
            defaultValue = "500",
            converter = Count.class,
            description = "Streams that are read at once. Default: ${DEFAULT-VALUE}.")
    private int fast;

    @Option(
            names = "--slow",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Count.class,
            description = "Streams that are read slowly. Default: ${DEFAULT-VALUE}.")
    private int slow;

    @Option(
            names = "--slow-bytes",
            paramLabel = "N",
            defaultValue = "1024",
            converter = Count.class,
            description = "Bytes a second that each slow one reads. Default: ${DEFAULT-VALUE}.")
    private int slowBytes;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "100",
            converter = Count.class,
            description = "Events a second. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--fill",
            paramLabel = "SECONDS",
            defaultValue = "8",
            converter = Count.class,
            description = "How long slow readers fall behind before each round of theirs. Default: ${DEFAULT-VALUE}.")
    private int fill;

    private final List<Double> residentBytes = new ArrayList<>();
    private final List<Double> kernelBytes = new ArrayList<>();

    @Override
    public Integer call() {
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options, FanfarePeer.PATIENT);
                FanfarePeer server =
                        new FanfarePeer(loop, redis, 0, Map.of("FANFARE_STREAM_RING_EVENTS", RING_EVENTS));
                ReaderProcess fastReaders = StreamContestant.open(server, load());
                ReaderProcess slowReaders = new ReaderProcess()) {
            StreamContestant alone = new StreamContestant(ALONE, server, fastReaders, load());
            StreamContestant beside = new StreamContestant(BESIDE, server, fastReaders, load());
            Comparison comparison = new Comparison()
                    .process("server", server::cpuSeconds)
                    .process("redis", redis::cpuSeconds)
                    .contestant(ALONE, alone)
                    .contestant(BESIDE, new Beside(server, beside, slowReaders));
            System.err.println("measuring ...");
            List<Comparison.Result> results = comparison.run(options.rounds());
            Report report = new Report("stream-slow", "fast deliveries");
            report.settings(redis.description());
            report.setting(
                    "load",
                    fast + " firehoses of " + rate + " events/s read at once, " + slow + " read at " + slowBytes
                            + " bytes/s; " + RING_EVENTS
                            + " events in the server's memory, so that slow ones read the log");
            report.results(comparison, results);
            alone.report(report, "alone");
            beside.report(report, "beside");
            compare(report);
            return report.publish(options);
        }
    }

    private StreamContestant.Load load() {
        return StreamContestant.Load.of(options, fast, rate, fast, 1);
    }

    /** A round with slow readers: they come before it, fall behind, and leave afterwards. */
    private final class Beside implements Comparison.Contestant {
        private final FanfarePeer server;
        private final StreamContestant fastReaders;
        private final ReaderProcess slowReaders;

        Beside(FanfarePeer server, StreamContestant fastReaders, ReaderProcess slowReaders) {
            this.server = server;
            this.fastReaders = fastReaders;
            this.slowReaders = slowReaders;
        }

        @Override
        public void prepare() {
            long before = server.residentBytes();
            long kernelBefore = Processes.kernelTcpBytes();
            slowReaders.openSlow(server.port(), slow, server.path(), slowBytes);
            server.publish((long) fill * rate, rate);
            residentBytes.add((double) (server.residentBytes() - before) / slow);
            kernelBytes.add((double) (Processes.kernelTcpBytes() - kernelBefore) / slow);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            fastReaders.prepare();
        }

        @Override
        public long work() {
            return fastReaders.work();
        }

        @Override
        public void finish() {
            slowReaders.closeStreams();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    private void compare(Report report) {
        double alone = report.value("alone-p99-ms");
        double beside = report.value("beside-p99-ms");
        boolean reached = beside <= 1.5 * alone || beside <= alone + 5;
        report.figure(
                "p99-ratio",
                beside / alone,
                String.format(
                        "Fast p99 with slow ones beside: %.2fx, %+.1f ms (goal <= 1.5x or + 5 ms: %s).",
                        beside / alone, beside - alone, reached ? "reached" : "missed"));
        double resident = Comparison.median(values(residentBytes));
        double kernel = Comparison.median(values(kernelBytes));
        report.figure(
                "slow-reader-bytes",
                resident,
                String.format(
                        "A slow reader costs %,.0f bytes of the server's memory, and %,.0f of the kernel's in both directions.",
                        resident, kernel));
        report.figure("slow-reader-kernel-bytes", kernel, "");
    }

    private static double[] values(List<Double> list) {
        return list.stream().mapToDouble(Double::doubleValue).toArray();
    }
}

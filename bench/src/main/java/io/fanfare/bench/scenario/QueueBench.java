package io.fanfare.bench.scenario;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.CommandMonitor;
import io.fanfare.bench.peer.BullMqQueue;
import io.fanfare.bench.peer.FanfareQueue;
import io.fanfare.bench.peer.QueuePeer;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Count;
import io.fanfare.bench.report.Report;
import io.fanfare.server.runtime.EventLoop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench queue}: jobs that do nothing, at least once, on our queue beside BullMQ on the same Redis, with several
 * numbers of worker processes: a backlog, jobs that are produced meanwhile, and half of that.
 */
@Command(
        name = "queue",
        mixinStandardHelpOptions = true,
        description =
                "Measures jobs that do nothing, at least once, beside BullMQ on the same Redis: jobs/s, commands, time"
                        + " until the start.")
public final class QueueBench implements Callable<Integer> {
    /** Jobs of the first backlog; those after it are as large as a round is long. */
    private static final int FIRST_BACKLOG = 2000;

    /** Jobs of which the commands are counted. */
    private static final int COUNTED = 20_000;

    private static final int WARM_UPS = 3;
    private static final double GOAL_RATIO = 3;
    private static final double GOAL_COMMANDS = 0.1;
    private static final double GOAL_MILLIS = 20;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = "--bullmq",
            paramLabel = "DIR",
            description =
                    "Folder with peer.mjs and BullMQ: bench/src/bullmq of the source, after npm ci there. Default: without.")
    private Path bullmq;

    @Option(
            names = "--processes",
            paramLabel = "N,...",
            split = ",",
            defaultValue = "1,2,4",
            converter = Count.class,
            description = "Worker processes. Default: ${DEFAULT-VALUE}.")
    private List<Integer> processes;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "100",
            converter = Count.class,
            description = "Jobs that a worker of BullMQ has under way at most. Default: ${DEFAULT-VALUE}.")
    private int concurrency;

    @Option(
            names = "--bulk",
            paramLabel = "N",
            defaultValue = "200",
            converter = Count.class,
            description = "Jobs of one addBulk of BullMQ. Default: ${DEFAULT-VALUE}.")
    private int bulk;

    @Option(
            names = "--backlog",
            paramLabel = "N",
            defaultValue = "20000",
            converter = Count.class,
            description = "Most jobs that wait while jobs are produced as fast as they run. Default: ${DEFAULT-VALUE}.")
    private int backlog;

    /** By contestant. */
    private final Map<String, QueuePeer> peers = new LinkedHashMap<>();

    private final Map<String, List<Double>> p99Millis = new LinkedHashMap<>();
    private final Map<String, List<Double>> p50Millis = new LinkedHashMap<>();

    @Override
    public Integer call() {
        int most = Collections.max(processes);
        try (EventLoop loop = new EventLoop();
                BenchRedis redis = BenchRedis.open(loop, options);
                FanfareQueue fanfare = new FanfareQueue(loop, redis, most);
                QueuePeer peer = bullmq == null ? null : BullMqQueue.start(redis, bullmq, most, concurrency, bulk)) {
            Report report = measure(loop, redis, peer == null ? List.of(fanfare) : List.of(peer, fanfare));
            fanfare.requireAllDone();
            return report.publish(options);
        }
    }

    private Report measure(EventLoop loop, BenchRedis redis, List<QueuePeer> queues) {
        System.err.println("measuring ...");
        Comparison rates = comparison(redis);
        for (int number : processes) {
            for (QueuePeer queue : queues) {
                rates = with(rates, queue, name("backlog", queue, number), backlogOf(queue, number));
            }
        }
        for (int number : processes) {
            for (QueuePeer queue : queues) {
                rates = with(rates, queue, name("produced", queue, number), producedFor(queue, number));
            }
        }
        List<Comparison.Result> ofRates = rates.warmUp(WARM_UPS).run(options.rounds());
        Comparison half = comparison(redis);
        for (int number : processes) {
            for (QueuePeer queue : queues) {
                String name = name("half", queue, number);
                double rate = perSecond(ofRates, name("produced", queue, number)) / 2;
                half = with(half, queue, name, halfLoadOf(queue, number, name, rate));
            }
        }
        List<Comparison.Result> ofHalf = half.run(options.rounds());
        Report report = new Report("queue", "jobs");
        report.settings(redis.description());
        report.setting(
                "load",
                "jobs that do nothing; backlog: added while workers were held; produced: as fast as they run, at most "
                        + backlog + " waiting; half: half of produced, open loop");
        report.setting(
                "fanfare",
                "leases, batches and lanes as by default, "
                        + redis.settings().redis().shards() + " shards, 10,000 authors; each job enqueued by itself");
        if (bullmq == null) {
            report.sentence("BullMQ is left out: --bullmq names the folder in which it can be run.");
        } else {
            report.setting(
                    queues.get(0).name(),
                    "concurrency " + concurrency + ", addBulk of " + bulk
                            + ", removeOnComplete at once, locks and stalled checks as by default");
        }
        report.results(rates, ofRates);
        report.results(half, ofHalf);
        for (int number : processes) {
            figures(loop, redis, report, queues, number, ofRates);
        }
        return report;
    }

    private Comparison comparison(BenchRedis redis) {
        return new Comparison()
                .process("redis", redis::cpuSeconds)
                .processOf("workers", contestant -> peers.get(contestant).workersCpuSeconds())
                .processOf("producer", contestant -> peers.get(contestant).producerCpuSeconds());
    }

    private Comparison with(Comparison comparison, QueuePeer queue, String name, Comparison.Contestant contestant) {
        peers.put(name, queue);
        return comparison.contestant(name, contestant);
    }

    private static String name(String load, QueuePeer queue, int number) {
        return load + ": " + queue.name() + ", " + number + (number == 1 ? " process" : " processes");
    }

    private static double perSecond(List<Comparison.Result> results, String name) {
        return results.stream()
                .filter(result -> result.name().equals(name))
                .findFirst()
                .orElseThrow()
                .perSecond();
    }

    /** Jobs that were added before, from the moment workers may take them until the last is settled. */
    private Comparison.Contestant backlogOf(QueuePeer queue, int number) {
        return new Comparison.Contestant() {
            private int jobs = FIRST_BACKLOG;
            private long target;

            @Override
            public void prepare() {
                queue.start(number);
                queue.hold();
                target = queue.settled() + jobs;
                queue.add(jobs);
            }

            @Override
            public long work() {
                long begin = System.nanoTime();
                queue.resume();
                queue.awaitSettled(target, patienceNanos());
                int done = jobs;
                double perNano = (double) jobs / (System.nanoTime() - begin);
                jobs = Math.max(FIRST_BACKLOG, (int) (perNano * options.nanosPerRound()));
                return done;
            }

            @Override
            public void finish() {
                queue.stop();
            }
        };
    }

    /** Jobs that are produced while they run, as many as run. */
    private Comparison.Contestant producedFor(QueuePeer queue, int number) {
        return new Comparison.Contestant() {
            private long added;

            @Override
            public void prepare() {
                queue.start(number);
                added = queue.settled();
            }

            @Override
            public long work() {
                long before = added;
                long begin = System.nanoTime();
                long settled = before;
                while (System.nanoTime() - begin < options.nanosPerRound()) {
                    int room = (int) (settled + backlog - added);
                    int batch = Math.min(room, Math.max(1, backlog / 8));
                    if (batch > 0) {
                        queue.add(batch);
                        added += batch;
                    }
                    if (batch == room) {
                        queue.awaitSettled(added - backlog + Math.max(1, backlog / 8), patienceNanos());
                    }
                    settled = queue.settled();
                }
                return settled - before;
            }

            @Override
            public void finish() {
                queue.awaitSettled(added, patienceNanos());
                queue.stop();
            }
        };
    }

    private Comparison.Contestant halfLoadOf(QueuePeer queue, int number, String name, double perSecond) {
        int jobs = (int) Math.max(1, perSecond * options.nanosPerRound() / 1e9);
        p99Millis.put(name, new ArrayList<>());
        p50Millis.put(name, new ArrayList<>());
        return new Comparison.Contestant() {
            @Override
            public void prepare() {
                queue.start(number);
            }

            @Override
            public long work() {
                long target = queue.settled() + jobs;
                queue.pace(jobs, perSecond);
                queue.awaitSettled(target, patienceNanos());
                return jobs;
            }

            @Override
            public void finish() {
                var waited = queue.waited();
                p50Millis.get(name).add(waited.getValueAtPercentile(50) / 1e3);
                p99Millis.get(name).add(waited.getValueAtPercentile(99) / 1e3);
                queue.stop();
            }
        };
    }

    private long patienceNanos() {
        return 60_000_000_000L + 20 * options.nanosPerRound();
    }

    private void figures(
            EventLoop loop,
            BenchRedis redis,
            Report report,
            List<QueuePeer> queues,
            int number,
            List<Comparison.Result> rates) {
        List<String> parts = new ArrayList<>();
        for (QueuePeer queue : queues) {
            String key = (queue instanceof FanfareQueue ? "fanfare-" : "bullmq-") + number;
            CommandMonitor.Count commands = commands(loop, redis, queue, number);
            double sent = (double) commands.sent() / COUNTED;
            String half = name("half", queue, number);
            report.figure(key + "-commands-per-job", sent, "");
            report.figure(key + "-commands-in-scripts-per-job", (double) commands.inScripts() / COUNTED, "");
            report.figure(key + "-start-p50-ms", median(p50Millis, half), "");
            report.figure(key + "-start-p99-ms", median(p99Millis, half), "");
            parts.add(String.format(
                    "%s: %.3f commands a job (goal <= %.1f), %.2f more in scripts; at half load start after p50 %.1f ms, p99 %.1f ms (goal <= %.0f ms; by round: %s)",
                    queue.name(),
                    sent,
                    GOAL_COMMANDS,
                    (double) commands.inScripts() / COUNTED,
                    median(p50Millis, half),
                    median(p99Millis, half),
                    GOAL_MILLIS,
                    byRound(half)));
        }
        report.sentence(number + (number == 1 ? " process:" : " processes:"));
        if (queues.size() > 1) {
            for (String load : List.of("backlog", "produced")) {
                double ratio = perSecond(rates, name(load, queues.get(1), number))
                        / perSecond(rates, name(load, queues.get(0), number));
                report.figure(
                        load + "-ratio-" + number,
                        ratio,
                        String.format(
                                "  %s: %.1fx the jobs/s of %s%s",
                                load,
                                ratio,
                                queues.get(0).name(),
                                load.equals("backlog") ? String.format(" (goal >= %.0fx)", GOAL_RATIO) : ""));
            }
        }
        parts.forEach(part -> report.sentence("  " + part));
    }

    /** Counts the commands for a backlog, in a round that is not timed. */
    private CommandMonitor.Count commands(EventLoop loop, BenchRedis redis, QueuePeer queue, int number) {
        queue.start(number);
        queue.hold();
        long target = queue.settled() + COUNTED;
        queue.add(COUNTED);
        try (CommandMonitor monitor =
                new CommandMonitor(redis.settings().redis().url().reveal())) {
            queue.resume();
            queue.awaitSettled(target, patienceNanos());
            return monitor.end(loop, redis);
        } finally {
            queue.stop();
        }
    }

    private double median(Map<String, List<Double>> figures, String name) {
        return Comparison.median(
                counted(figures, name).stream().mapToDouble(Double::doubleValue).toArray());
    }

    private String byRound(String name) {
        return String.join(
                ", ",
                counted(p99Millis, name).stream()
                        .map(p99 -> String.format("%.1f", p99))
                        .toList());
    }

    /** Without the rounds of the warm-up. */
    private List<Double> counted(Map<String, List<Double>> figures, String name) {
        List<Double> all = figures.get(name);
        return all.subList(all.size() - options.rounds(), all.size());
    }
}

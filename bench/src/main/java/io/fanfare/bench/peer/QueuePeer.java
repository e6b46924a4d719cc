package io.fanfare.bench.peer;

import io.fanfare.bench.load.QueueWorker;
import io.fanfare.bench.load.ServerProcess;
import io.fanfare.bench.report.BenchFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * A task queue that {@code bench queue} measures: a producer, and worker processes that live as long as it does, so
 * that their code is compiled, and of which some work in a round. Jobs do nothing. All speak the protocol of
 * {@code QueueWorker}. For the command's main thread.
 */
public abstract class QueuePeer implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final List<ServerProcess> processes;
    private List<ServerProcess> working = List.of();

    QueuePeer(List<ServerProcess> processes) {
        this.processes = new ArrayList<>(processes);
    }

    /** With its version, where it has one of its own. */
    public abstract String name();

    /** Lets jobs wait from now on. */
    public abstract void hold();

    /** Lets workers take jobs again. */
    public abstract void resume();

    /** Adds jobs as fast as it can; returns when Redis has them. */
    public abstract void add(int jobs);

    /** Adds jobs at this rate in open loop; each says when it was due. Returns when Redis has them. */
    public abstract void pace(int jobs, double perSecond);

    /** Processor seconds of the producer so far. */
    public abstract double producerCpuSeconds();

    /** Lets so many of the worker processes work. */
    public final void start(int number) {
        working = processes.subList(0, number);
        working.forEach(process -> send(process, "start"));
    }

    /** Ends the work of all of them, as at a shutdown; returns when it has ended. */
    public final void stop() {
        working.forEach(process -> send(process, "stop"));
        working = List.of();
    }

    /** Asks for something that has no answer, and waits until it is done. */
    static void send(ServerProcess process, String command) {
        String answer = process.ask(command);
        if (!answer.equals(QueueWorker.DONE)) {
            throw new BenchFailed(command + " was answered with " + answer);
        }
    }

    /** Jobs whose end Redis has confirmed so far, to those that work or did. */
    public final long settled() {
        return processes.stream()
                .mapToLong(process -> Long.parseLong(process.ask("settled")))
                .sum();
    }

    /** Waits until so many are {@link #settled}; fails when they are not in time. */
    public final void awaitSettled(long jobs, long atMostNanos) {
        long until = System.nanoTime() + atMostNanos;
        long settled = settled();
        while (settled < jobs) {
            if (System.nanoTime() > until) {
                throw new BenchFailed(name() + " has not settled " + (jobs - settled) + " jobs in time");
            }
            LockSupport.parkNanos(LOOK_NANOS);
            settled = settled();
        }
    }

    /** How long the jobs of {@link #pace} since the last time waited for their start, in microseconds. */
    public final Histogram waited() {
        Histogram histogram = new Histogram(3);
        for (ServerProcess process : working) {
            String line = process.ask("waited");
            if (!line.isEmpty()) {
                for (String micros : line.split(" ", -1)) {
                    histogram.recordValue(Math.max(0, Long.parseLong(micros)));
                }
            }
        }
        return histogram;
    }

    /** Processor seconds of all worker processes so far. */
    public final double workersCpuSeconds() {
        return processes.stream().mapToDouble(ServerProcess::cpuSeconds).sum();
    }

    @Override
    public void close() {
        processes.forEach(ServerProcess::close);
    }
}

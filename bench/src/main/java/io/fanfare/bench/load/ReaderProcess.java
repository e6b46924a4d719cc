package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * {@link StreamReaders} in a process of its own, so that it has its own limit of open files and its processor time is
 * known. For the command's main thread.
 */
public final class ReaderProcess implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A collector that works only when it has to: readers make little garbage. */
    private static final String[] NO_THREADS_BESIDE = {"-XX:-UseG1GC", "-XX:+UseSerialGC"};

    private final ServerProcess process;

    public ReaderProcess() {
        process = ServerProcess.start(StreamReaders.class, Map.of(), NO_THREADS_BESIDE);
    }

    /**
     * The events received since the last {@link #reset}.
     *
     * @param p50Millis from the time at which an event was due to the time at which it was read, of the {@link Sample};
     *     so the others
     * @param published how many events the first stream got, none of which counts twice
     * @param whole streams that got each of these once, and no other
     */
    public record Figures(
            long events, long bytes, double p50Millis, double p99Millis, double maxMillis, long published, int whole) {}

    /**
     * Opens streams, once; {@code {}} in the path becomes the number of the stream.
     *
     * @param oneIn of so many streams one belongs to the {@link Sample}, from the next {@link #reset} on; 1 = all
     */
    public void open(int port, int count, String path, int oneIn) {
        send("open " + port + " " + count + " " + path + " " + oneIn);
    }

    /** As {@link #open}, for streams that come as gzip. */
    public void openCompressed(int port, int count, String path, int oneIn) {
        send("gzip " + port + " " + count + " " + path + " " + oneIn);
    }

    /**
     * The times from the first connection to the first byte of each stream.
     *
     * @param maxMillis until all streams are open
     */
    public record Opening(double p50Millis, double p99Millis, double maxMillis) {}

    /**
     * Opens streams as fast as the server takes them.
     *
     * @param atOnce how many may wait for their answer; more than the server's backlog lose a second each
     */
    public Opening openAtOnce(int port, int count, String path, int atOnce) {
        String[] micros = process.ask("storm " + port + " " + count + " " + path + " " + atOnce)
                .split(" ", -1);
        return new Opening(
                Long.parseLong(micros[0]) / 1e3, Long.parseLong(micros[1]) / 1e3, Long.parseLong(micros[2]) / 1e3);
    }

    /** Opens streams of which only so many bytes a second are read. */
    public void openSlow(int port, int count, String path, int bytesPerSecond) {
        send("slow " + port + " " + count + " " + path + " " + bytesPerSecond);
    }

    /** Counts from now on, until the figures are asked for; streams outside the sample are read only meanwhile. */
    public void reset() {
        send("reset");
    }

    /** Ends all streams. */
    public void closeStreams() {
        send("close");
    }

    /** Waits until so many events have come since the last {@link #reset}, or for the time; answers what has come. */
    public Figures await(long events, Duration atMost) {
        long until = System.nanoTime() + atMost.toNanos();
        while (Long.parseLong(process.ask("count " + events)) < events && System.nanoTime() < until) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return figures();
    }

    Figures figures() {
        String[] words = process.ask("figures").split(" ", -1);
        return new Figures(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Long.parseLong(words[2]) / 1e3,
                Long.parseLong(words[3]) / 1e3,
                Long.parseLong(words[4]) / 1e3,
                Long.parseLong(words[5]),
                Integer.parseInt(words[6]));
    }

    public double cpuSeconds() {
        return process.cpuSeconds();
    }

    private void send(String order) {
        String answer = process.ask(order);
        if (!answer.equals("done")) {
            throw new BenchFailed("the readers failed: " + answer);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}

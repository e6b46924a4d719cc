package io.fanfare.bench;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** {@link StreamReaders} in a process of its own, so that it has its own limit of open files and its processor time is known. For the command's main thread. */
final class ReaderProcess implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ServerProcess process;

    ReaderProcess() {
        process = ServerProcess.start(StreamReaders.class, Map.of());
    }

    /**
     * What has come since the last {@link #reset}.
     *
     * @param p50Millis from when an event was due to when it was read; so the others
     */
    record Figures(long events, long bytes, double p50Millis, double p99Millis, double maxMillis) {}

    /** Opens streams; {@code {}} in the path becomes the number of the stream. */
    void open(int port, int count, String path) {
        tell("open " + port + " " + count + " " + path);
    }

    /** Opens streams of which only so many bytes a second are read. */
    void openSlow(int port, int count, String path, int bytesPerSecond) {
        tell("slow " + port + " " + count + " " + path + " " + bytesPerSecond);
    }

    void reset() {
        tell("reset");
    }

    /** Ends all streams. */
    void closeStreams() {
        tell("close");
    }

    /** Waits until so many events have come since the last {@link #reset}, or for the time; answers what has come. */
    Figures await(long events, Duration atMost) {
        long until = System.nanoTime() + atMost.toNanos();
        while (Long.parseLong(process.ask("count")) < events && System.nanoTime() < until) {
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
                Long.parseLong(words[4]) / 1e3);
    }

    double cpuSeconds() {
        return process.cpuSeconds();
    }

    private void tell(String order) {
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

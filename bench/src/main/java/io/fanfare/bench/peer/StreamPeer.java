package io.fanfare.bench.peer;

/**
 * A server of streams that a scenario measures, in processes of its own, and whoever publishes to it. For the command's
 * main thread.
 */
public interface StreamPeer extends AutoCloseable {
    String name();

    int port();

    /** The path of streams; {@code {}} stands for the topic's number when there are several. */
    String path();

    /**
     * Publishes so many events, each when it is due at this rate, event n of the topic n modulo their number; returns
     * when the last has been handed over.
     */
    void publish(long events, double perSecond);

    /** Processor seconds used so far. */
    double cpuSeconds();

    /** Bytes that are resident; a Java process collects its garbage first. */
    long residentBytes();

    @Override
    void close();
}

package io.fanfare.bench.report;

import io.fanfare.redis.embedded.RedisProcess;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of every scenario. */
public final class BenchOptions {
    private static final int SECONDS_MAX = 3600;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            converter = Count.class,
            description = "Rounds of every contestant, taken in turn; medians are printed. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "3",
            description = "About how long one round takes. Default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures of every round, as JSON.")
    private Path json;

    @Option(
            names = "--redis",
            paramLabel = "BINARY",
            description =
                    "The redis-server or valkey-server to start. Default: the one on the PATH, else the bundled one.")
    private Path binary;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "An empty Redis that runs already, instead of starting one.")
    private String url;

    @Option(
            names = "--appendfsync",
            paramLabel = "WHEN",
            defaultValue = "off",
            description =
                    "When the started Redis syncs its append-only file: always, everysec, no; off = it has none. Default: off.")
    private RedisProcess.AppendSync appendSync;

    @Option(
            names = "--socket",
            description =
                    "The started Redis listens on a Unix socket, as under ./fanfare up. Default: on a port of 127.0.0.1.")
    private boolean socket;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Draws whatever is random. Default: ${DEFAULT-VALUE}.")
    private long seed;

    public int rounds() {
        return rounds;
    }

    public long nanosPerRound() {
        if (!(seconds > 0 && seconds <= SECONDS_MAX)) {
            throw new BenchFailed("--seconds must be over 0 and at most " + SECONDS_MAX);
        }
        return (long) (seconds * 1e9);
    }

    /** Null = no JSON is wanted. */
    public Path json() {
        return json;
    }

    /** Null = the best program of this machine. */
    public Path binary() {
        return binary;
    }

    /** Null = a server is started. */
    public String url() {
        return url;
    }

    public RedisProcess.AppendSync appendSync() {
        return appendSync;
    }

    /** Whether a started server listens on a Unix socket in place of a port. */
    public boolean socket() {
        return socket;
    }

    public long seed() {
        return seed;
    }
}

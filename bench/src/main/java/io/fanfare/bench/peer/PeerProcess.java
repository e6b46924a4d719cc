package io.fanfare.bench.peer;

import io.fanfare.bench.load.Processes;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.failure.Reason;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Somebody else's server, which listens on a port of this machine: our child, whose complaints go where ours go. For
 * the command's main thread.
 */
final class PeerProcess implements AutoCloseable {
    private static final long START_MAX_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int STOP_MAX_SECONDS = 10;

    private final Process process;
    private final int port;

    private PeerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts the program, which is told to listen on that port, and waits until it does; fails with
     * {@link BenchFailed}, which calls it by the name.
     */
    static PeerProcess start(String name, int port, ProcessBuilder program) {
        try {
            Process process = program.redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            PeerProcess peer = new PeerProcess(process, port);
            peer.awaitOpen(name);
            return peer;
        } catch (IOException e) {
            throw new BenchFailed(name + " cannot be started: " + Reason.of(e));
        }
    }

    static int freePort() {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new BenchFailed("no port is free: " + Reason.of(e));
        }
    }

    private void awaitOpen(String name) {
        long until = System.nanoTime() + START_MAX_NANOS;
        while (process.isAlive() && System.nanoTime() < until) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return;
            } catch (IOException notYet) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
        process.destroy();
        throw new BenchFailed(name + " does not start: see what it says above");
    }

    int port() {
        return port;
    }

    /** Writes one line to its standard input. */
    void send(String line) {
        try {
            BufferedWriter in = process.outputWriter(StandardCharsets.UTF_8);
            in.write(line + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    double cpuSeconds() {
        return Processes.cpuSeconds(process.toHandle());
    }

    long residentBytes() {
        return Processes.residentBytes(process.toHandle());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_MAX_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

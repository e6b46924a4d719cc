package io.fanfare.bench.peer;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.Processes;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.failure.Reason;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A program in C that writes the same bytes to everybody and can do nothing else: what no server can be much cheaper
 * than. Compiled from {@code stream_peer.c} with the machine's {@code cc}.
 */
public final class PlainPeer implements StreamPeer {
    public static final String NAME = "C program";
    private static final String SOURCE = "stream_peer.c";

    private final Path folder;
    private final Process process;
    private final BufferedWriter orders;
    private final BufferedReader answers;
    private final int port;

    private PlainPeer(Path folder, Process process) throws IOException {
        this.folder = folder;
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.US_ASCII);
        this.answers = process.inputReader(StandardCharsets.US_ASCII);
        this.port = Integer.parseInt(answers.readLine());
    }

    /**
     * Null, after a word why, when it cannot be compiled. {@code tickMillis}: what is due within it goes out in one
     * write.
     */
    public static PlainPeer start(int tickMillis) {
        try {
            Path folder = Files.createTempDirectory("fanfare-peer");
            if (!compile(folder)) {
                System.err.println("left out: the C program, since there is no C compiler (cc) that takes it");
                BenchRedis.delete(folder);
                return null;
            }
            Process process = new ProcessBuilder(folder.resolve("peer").toString(), Integer.toString(tickMillis))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new PlainPeer(folder, process);
        } catch (IOException e) {
            throw new BenchFailed("the C program cannot be started: " + Reason.of(e));
        }
    }

    private static boolean compile(Path folder) throws IOException {
        Path source = folder.resolve(SOURCE);
        try (InputStream text = PlainPeer.class.getResourceAsStream(SOURCE)) {
            Files.copy(text, source);
        }
        try {
            Process cc = new ProcessBuilder(
                            "cc", "-O2", "-o", folder.resolve("peer").toString(), source.toString())
                    .inheritIO()
                    .start();
            return cc.waitFor(60, TimeUnit.SECONDS) && cc.exitValue() == 0;
        } catch (IOException none) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String path() {
        return "/";
    }

    @Override
    public void publish(long events, double perSecond) {
        try {
            orders.write(events + " " + perSecond + "\n");
            orders.flush();
            if (answers.readLine() == null) {
                throw new BenchFailed("the C program has ended");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public double cpuSeconds() {
        return Processes.cpuSeconds(process.toHandle());
    }

    @Override
    public long residentBytes() {
        return Processes.residentBytes(process.toHandle());
    }

    @Override
    public void close() {
        process.destroyForcibly();
        BenchRedis.delete(folder);
    }
}

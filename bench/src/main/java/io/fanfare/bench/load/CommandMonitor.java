package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.failure.Reason;
import io.fanfare.redis.Command;
import io.fanfare.server.runtime.EventLoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Counts the commands that a Redis runs, with {@code MONITOR}: those that clients sent, and those that scripts called.
 * Slows the server down, so nothing is timed beside it. For the command's main thread; for {@code redis://} and
 * {@code unix://}.
 */
public final class CommandMonitor implements AutoCloseable {
    private static final int END_MAX_SECONDS = 60;

    /** The command that ends a count. */
    private static final String END = "bench-monitor-ends";

    private final SocketChannel channel;
    private final BufferedReader in;
    private final CompletableFuture<Count> counted = new CompletableFuture<>();

    /** How many commands. */
    public record Count(long sent, long inScripts) {}

    /** Begins to count. */
    public CommandMonitor(String url) {
        URI uri = URI.create(url);
        try {
            channel = SocketChannel.open(
                    uri.getScheme().equals("unix")
                            ? UnixDomainSocketAddress.of(uri.getPath())
                            : new InetSocketAddress(uri.getHost(), uri.getPort()));
            in = new BufferedReader(
                    new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.ISO_8859_1));
            if (uri.getUserInfo() != null) {
                String[] user = uri.getUserInfo().split(":", 2);
                ask(user[0].isEmpty() ? "AUTH " + user[1] : "AUTH " + user[0] + " " + user[1]);
            }
            ask("MONITOR");
        } catch (IOException e) {
            throw new BenchFailed("the commands cannot be counted: " + Reason.of(e));
        }
        Thread reader = new Thread(this::read, "bench-monitor");
        reader.setDaemon(true);
        reader.start();
    }

    private void ask(String command) throws IOException {
        Channels.newOutputStream(channel).write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
        String answer = in.readLine();
        if (!"+OK".equals(answer)) {
            throw new IOException(command.split(" ", 2)[0] + " was answered with " + answer);
        }
    }

    private void read() {
        try {
            long sent = 0;
            long inScripts = 0;
            for (String line = in.readLine(); line != null && !line.contains(END); line = in.readLine()) {
                // +1339518083.107412 [0 127.0.0.1:60866] "keys" "*", or [0 lua].
                if (line.contains(" lua] ")) {
                    inScripts++;
                } else {
                    sent++;
                }
            }
            counted.complete(new Count(sent, inScripts));
        } catch (IOException e) {
            counted.completeExceptionally(e);
        }
    }

    /** The count until now. */
    public Count end(EventLoop loop, BenchRedis redis) {
        loop.run(() -> redis.link().send(Command.routed("ECHO", null, END)));
        try {
            return counted.get(END_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new BenchFailed("the commands cannot be counted: " + Reason.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            System.err.println("not closed: " + Reason.of(e));
        }
    }
}

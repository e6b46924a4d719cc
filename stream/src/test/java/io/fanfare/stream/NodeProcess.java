package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.testing.Suspension;
import io.fanfare.server.http.BodyBudget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.LoggerFactory;

/**
 * A stream server in a process of its own, so that it can be killed and stopped like one. Ends when its parent does.
 */
final class NodeProcess implements AutoCloseable {
    /** Far beyond what a start takes, since test machines may be busy. */
    private static final long START_MAX_SECONDS = 60;

    private static final String PORT = "port=";

    private final Process process;
    private final CompletableFuture<Integer> port = new CompletableFuture<>();

    private NodeProcess(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "node-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns at once. */
    static NodeProcess start(List<String> assignments) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                NodeProcess.class.getName()));
        line.addAll(assignments);
        try {
            return new NodeProcess(
                    new ProcessBuilder(line).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(PORT)) {
                    port.complete(Integer.parseInt(line.substring(PORT.length())));
                } else {
                    System.out.println("node " + process.pid() + ": " + line);
                }
            }
        } catch (IOException closed) {
            // Gone.
        }
        port.completeExceptionally(new IllegalStateException("the node has ended"));
    }

    /** Waits until it listens. */
    int port() {
        try {
            return port.get(START_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    boolean isReady() {
        return port.isDone() && !port.isCompletedExceptionally() && process.isAlive();
    }

    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
    }

    /** SIGTERM: it tells its clients to come back, and ends. Returns at once. */
    void stop() {
        // Not of the process itself: that would close its input, which ends it as well.
        process.toHandle().destroy();
    }

    /** SIGSTOP: it keeps its connections and does nothing, until {@link #thaw}. */
    void freeze() {
        Suspension.begin(process.toHandle());
    }

    /** SIGCONT. */
    void thaw() {
        Suspension.end(process.toHandle());
    }

    /** Its wall clock jumps. */
    void stepClock(Duration by) {
        try {
            process.getOutputStream().write((by.toMillis() + "\n").getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException gone) {
            // Its clock is of no interest any more.
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The node, with these settings. */
    public static void main(String[] assignments) throws IOException {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.ERROR);
        // A node that is stopped for seconds knows nothing of it and would complain.
        Vertx vertx = Vertx.vertx(new VertxOptions().setBlockedThreadCheckInterval(Integer.MAX_VALUE));
        SteppedClock clock = new SteppedClock();
        StreamServer.Node node = null;
        while (node == null) {
            Settings settings = StreamServer.settings(List.of(assignments));
            // Null when Redis is away just now.
            node = StreamServer.Node.deploy(
                            vertx,
                            settings,
                            SigningKeys.of(StreamServer.KEY),
                            clock,
                            System::nanoTime,
                            new StreamMonitor(new SimpleMeterRegistry()),
                            new BodyBudget(settings.http(), new SimpleMeterRegistry()))
                    .otherwiseEmpty()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        }
        String deployed = node.deployment();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> await(vertx.undeploy(deployed))));
        System.out.println(PORT + node.port());
        BufferedReader steps = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String step = steps.readLine(); step != null; step = steps.readLine()) {
            clock.offset = clock.offset.plusMillis(Long.parseLong(step));
        }
        System.exit(0);
    }

    private static final class SteppedClock extends Clock {
        private volatile Duration offset = Duration.ZERO;

        @Override
        public Instant instant() {
            return Instant.now().plus(offset);
        }

        @Override
        public ZoneId getZone() {
            return ZoneId.of("UTC");
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }
}

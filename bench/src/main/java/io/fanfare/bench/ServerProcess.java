package io.fanfare.bench;

import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A Java process of ours, started from the same class path; ends with this one. For the command's main thread. */
final class ServerProcess implements AutoCloseable {
    /** What the process prints when it works, before whatever its starter must know. */
    static final String READY = "ready ";

    private final Process process;
    private final String answer;

    private ServerProcess(Process process, String answer) {
        this.process = process;
        this.answer = answer;
    }

    /** Starts the class's main method and waits until it prints a line that begins with {@link #READY}. */
    static ServerProcess start(Class<?> main, Map<String, String> environment) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                        java,
                        "-Xmx512m",
                        "-XX:+UseG1GC",
                        "-Dfanfare.log.level=WARN",
                        "-Dfanfare.log.target=System.err",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            String line = out.readLine();
            while (line != null && !line.startsWith(READY)) {
                line = out.readLine();
            }
            if (line == null) {
                throw new IllegalStateException(main.getSimpleName() + " ended at once");
            }
            return new ServerProcess(process, line.substring(READY.length()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The other end, in the process itself: says what its starter must know, and ends the process when its standard input ends. Does not return. */
    static void serve(Future<String> answer) throws IOException {
        // Event loops would keep a process alive that has nothing to serve, and its starter waiting.
        answer.onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
        System.out.println(
                READY + answer.toCompletionStage().toCompletableFuture().join());
        int input = System.in.read();
        while (input >= 0) {
            input = System.in.read();
        }
        System.exit(0);
    }

    /** What the process said after {@link #READY}. */
    String answer() {
        return answer;
    }

    /** Processor seconds it has used, all its threads. */
    double cpuSeconds() {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

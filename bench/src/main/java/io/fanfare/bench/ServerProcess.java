package io.fanfare.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A Java process of ours, started from the same class path; ends with this one. For the command's main thread. */
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final String firstLine;

    private ServerProcess(Process process, String firstLine) {
        this.process = process;
        this.firstLine = firstLine;
    }

    /** Starts the class's main method and waits for the first line that it prints. */
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
            if (line == null) {
                throw new IllegalStateException(main.getSimpleName() + " ended at once");
            }
            return new ServerProcess(process, line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String firstLine() {
        return firstLine;
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

package io.fanfare.bench.compare;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.failure.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;

/**
 * A jar of the product with the benchmarks of its own version: {@code fanfare-bench.jar} beside it, which loads the
 * {@code fanfare.jar} of its folder, or the classes that older jars contain. Immutable.
 */
final class MeasuredJar {
    private static final String PRODUCT = "fanfare.jar";
    private static final String BENCHMARKS = "fanfare-bench.jar";

    /** The main class of the benchmarks, which depends on this package. */
    private static final String MAIN = "io.fanfare.bench.Start";

    private static final int MINUTES_MAX = 30;
    private static final int STOP_SECONDS_MAX = 10;

    private final Path jar;
    private final List<String> command;

    private MeasuredJar(Path jar, List<String> command) {
        this.jar = jar;
        this.command = List.copyOf(command);
    }

    /** @throws BenchFailed if there is no such jar, or no benchmarks go with it */
    static MeasuredJar of(Path jar) {
        Path beside = jar.toAbsolutePath().resolveSibling(BENCHMARKS);
        try (JarFile product = new JarFile(jar.toFile())) {
            boolean inside = product.getEntry("io/fanfare/bench/BenchCommand.class") != null;
            if (!inside && !Files.exists(beside)) {
                throw new BenchFailed(jar + " has no benchmarks: put the " + BENCHMARKS + " of its version beside it");
            }
            if (!inside && !jar.getFileName().toString().equals(PRODUCT)) {
                throw new BenchFailed(jar + " must have the name " + PRODUCT + ", which " + BENCHMARKS
                        + " loads: give each version a folder of its own");
            }
            Path program = inside ? jar.toAbsolutePath() : beside;
            return new MeasuredJar(jar, List.of(java(), "-jar", program.toString(), "bench"));
        } catch (IOException e) {
            throw new BenchFailed(jar + " cannot be read as a jar: " + Reason.of(e));
        }
    }

    /** The version that this process belongs to. */
    static MeasuredJar running() {
        String classes = System.getProperty("java.class.path");
        return new MeasuredJar(Path.of("this version"), List.of(java(), "-cp", classes, MAIN, "bench"));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /**
     * Measures a scenario and waits until it has ended, 30 minutes at most. What the scenario prints goes to a file.
     *
     * @throws BenchFailed if the scenario fails or takes too long
     */
    void measure(String scenario, List<String> options, Path json, Path printed) {
        List<String> line = new ArrayList<>(command);
        line.add(scenario);
        line.addAll(options);
        line.addAll(List.of("--json", json.toString()));
        try {
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            try {
                if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                    throw new BenchFailed(
                            "bench " + scenario + " of " + jar + " took more than " + MINUTES_MAX + " minutes");
                }
                if (process.exitValue() != 0) {
                    throw new BenchFailed("bench " + scenario + " of " + jar + " failed with status "
                            + process.exitValue() + ": " + lastLine(printed));
                }
            } finally {
                stop(process);
            }
        } catch (IOException e) {
            throw new BenchFailed("bench " + scenario + " of " + jar + " cannot be run: " + Reason.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("the comparison was interrupted");
        }
    }

    /** Ends the scenario, which ends its servers; after a while both are killed. */
    private static void stop(Process process) throws InterruptedException {
        List<ProcessHandle> servers = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            servers.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static String lastLine(Path printed) throws IOException {
        List<String> lines = new String(Files.readAllBytes(printed), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return lines.isEmpty() ? "it printed nothing" : lines.get(lines.size() - 1);
    }

    @Override
    public String toString() {
        return jar.toString();
    }
}

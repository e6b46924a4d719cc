package io.fanfare.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.bench.BenchCommand;
import io.fanfare.bench.report.BenchFailed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the command with jars whose benchmarks report fixed costs. */
class CompareCommandTest {
    @TempDir
    private Path dir;

    @Test
    void equalCostsPassAndCostsAboveTheBoundFail() throws IOException {
        Path before = jar("before", report(0.0020));
        assertThat(compare(before, jar("equal", report(0.0020)))).isZero();
        assertThat(compare(before, jar("less", report(0.0010)))).isZero();
        assertThat(compare(before, jar("more", report(0.0021)))).isOne();
        assertThat(compare(before, jar("more-accepted", report(0.0021)), "--bound", "6"))
                .isZero();
    }

    @Test
    void theTableNamesEachCostWithItsRatio() throws IOException {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(compare(jar("before", report(0.002)), jar("after", report(0.004))))
                    .isOne();
        } finally {
            System.setOut(out);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("fanfare, redis")
                .contains("2.000x  2.000 to 2.000  above the bound");
    }

    @Test
    void theOrderOfThePairsAlternatesAndOptionsArePassedOn() throws IOException {
        Path results = dir.resolve("results");
        assertThat(compare(
                        jar("before", report(0.002)),
                        jar("after", report(0.002)),
                        "--with=--socket",
                        "--results",
                        results.toString()))
                .isZero();
        try (var files = Files.list(results)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "post.before.1.json",
                            "post.after.1.json",
                            "post.before.2.json",
                            "post.after.2.json",
                            "post.before.1.txt",
                            "post.after.1.txt",
                            "post.before.2.txt",
                            "post.after.2.txt");
        }
        assertThat(Files.readString(results.resolve("post.before.1.txt")))
                .contains("arguments [bench, post, --socket, --rounds, 1, --json, ");
        assertThat(Files.getLastModifiedTime(results.resolve("post.after.2.json")))
                .isLessThan(Files.getLastModifiedTime(results.resolve("post.before.2.json")));
    }

    @Test
    void aScenarioThatFailsIsReportedWithItsLastLine() throws IOException {
        AtomicReference<Exception> failure = new AtomicReference<>();
        assertThat(run(failure, jar("before", report(0.002)), jar("after", ""))).isNotZero();
        assertThat(failure.get())
                .isInstanceOf(BenchFailed.class)
                .hasMessageStartingWith("bench post of ")
                .hasMessageEndingWith("failed with status 1: no redis-server can be started");
    }

    @Test
    void aJarWithoutBenchmarksIsRefused() throws IOException {
        Path empty = Files.createDirectory(dir.resolve("empty")).resolve("fanfare.jar");
        new JarOutputStream(Files.newOutputStream(empty), new Manifest()).close();
        AtomicReference<Exception> failure = new AtomicReference<>();
        assertThat(run(failure, empty, empty)).isNotZero();
        assertThat(failure.get())
                .hasMessageEndingWith("has no benchmarks: put the fanfare-bench.jar of its version beside it");
    }

    @Test
    void aJarThatItsBenchmarksWouldNotLoadIsRefused() throws IOException {
        Path named = jar("named", report(0.002));
        Path renamed = Files.copy(named, named.resolveSibling("fanfare-1.2.jar"));
        AtomicReference<Exception> failure = new AtomicReference<>();
        assertThat(run(failure, renamed, named)).isNotZero();
        assertThat(failure.get())
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("must have the name fanfare.jar, which fanfare-bench.jar loads");
    }

    private static int compare(Path before, Path after, String... options) {
        return run(new AtomicReference<>(), before, after, options);
    }

    private static int run(AtomicReference<Exception> failure, Path before, Path after, String... options) {
        List<String> line = new ArrayList<>(List.of("compare", before.toString(), after.toString(), "post"));
        line.addAll(List.of("--rounds", "2"));
        line.addAll(List.of(options));
        return new CommandLine(new BenchCommand())
                .setExecutionExceptionHandler((exception, command, parsed) -> {
                    failure.set(exception);
                    return 70;
                })
                .execute(line.toArray(String[]::new));
    }

    /** A jar of a product, with the program that reports the given text beside it. */
    private Path jar(String name, String report) throws IOException {
        return FakeBenchmarks.jar(dir.resolve(name), report);
    }

    private static String report(double redisSeconds) {
        return "{\"scenario\":\"post\",\"contestants\":[{\"name\":\"fanfare\",\"rounds\":[{\"units\":1000,"
                + "\"cpu-seconds\":{\"redis\":" + redisSeconds + ",\"generator\":9}}]}]}";
    }
}

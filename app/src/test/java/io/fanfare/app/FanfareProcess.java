package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.SharedClasses;
import io.fanfare.server.runtime.RuntimeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A fanfare command in a process of its own, as an operator would start it; its output goes to a file. Closing kills
 * what is left of it.
 */
public final class FanfareProcess implements AutoCloseable {
    /** Far beyond what a start takes, since test machines may be busy. */
    private static final Duration START_MAX = Duration.ofSeconds(60);

    /** Netty's events for recordings are left out: to describe them takes longer than a start of Redis. */
    private static final List<String> JAVA =
            List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dio.netty.jfr.enabled=false");

    private final Process process;
    private final String command;
    private final Path data;
    private final Path output;

    private FanfareProcess(Process process, String command, Path data, Path output) {
        this.process = process;
        this.command = command;
        this.data = data;
        this.output = output;
    }

    /** Starts {@code fanfare COMMAND ARGUMENTS --data DATA} and returns at once. */
    static FanfareProcess start(Path data, String command, String... arguments) {
        return start(data, JAVA, command, arguments);
    }

    /** The same with a further option of java. */
    static FanfareProcess withJavaOption(String option, Path data, String command, String... arguments) {
        List<String> java = new ArrayList<>(JAVA);
        java.add(option);
        return start(data, java, command, arguments);
    }

    /** The same from the jar of another version. */
    static FanfareProcess ofJar(Path jar, Path data, String command, String... arguments) {
        return run(data, JAVA, List.of("-jar", jar.toString()), command, withData(data, arguments));
    }

    /** Starts {@code fanfare COMMAND ARGUMENTS}, which goes by a URL; its output goes into a folder. */
    static FanfareProcess ofClient(Path folder, String command, String... arguments) {
        return ofClient(Main.class, folder, command, arguments);
    }

    /** The same of another program on the class path. */
    static FanfareProcess ofClient(Class<?> program, Path folder, String command, String... arguments) {
        return run(folder.resolve("none"), JAVA, thisVersion(program), command, List.of(arguments));
    }

    private static FanfareProcess start(Path data, List<String> java, String command, String... arguments) {
        return run(data, java, thisVersion(Main.class), command, withData(data, arguments));
    }

    private static List<String> thisVersion(Class<?> program) {
        return Stream.concat(ThisVersion.CLASS_PATH.stream(), Stream.of(program.getName()))
                .toList();
    }

    /** Made at the first start. */
    private static final class ThisVersion {
        private static final List<String> TRIAL = List.of(UpTrial.class.getName(), SharedClasses.DATA);
        static final List<String> CLASS_PATH =
                SharedClasses.of("up", JAVA, TRIAL).options();
    }

    private static List<String> withData(Path data, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", data.toString()));
        return all;
    }

    private static FanfareProcess run(
            Path data, List<String> java, List<String> program, String command, List<String> arguments) {
        try {
            Path output = Files.createTempFile(data.getParent(), command, ".log");
            List<String> line = new ArrayList<>();
            line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            line.addAll(java);
            line.addAll(program);
            line.add(command);
            line.addAll(arguments);
            ProcessBuilder builder =
                    new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
            // With the latter, java begins its output with a line that no command wrote.
            builder.environment()
                    .keySet()
                    .removeIf(name -> name.startsWith("FANFARE_") || name.equals("JDK_JAVA_OPTIONS"));
            return new FanfareProcess(builder.start(), command, data, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code fanfare up} on a free port, ready. Passwords are hashed cheaply, unless an argument says how. */
    static FanfareProcess up(Path data, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--port", "0"));
        if (Stream.of(arguments).noneMatch(argument -> argument.startsWith("auth.argon-"))) {
            all.addAll(List.of("--set", "auth.argon-memory-kib=64", "--set", "auth.argon-passes=1"));
        }
        all.addAll(List.of(arguments));
        return ready(start(data, "up", all.toArray(String[]::new)));
    }

    /** {@code fanfare up} on a free port with these options of the JVM, ready. */
    public static FanfareProcess upWith(Path data, List<String> java) {
        return ready(start(data, java, "up", "--port", "0"));
    }

    private static FanfareProcess ready(FanfareProcess up) {
        up.awaitOutput("Ctrl-C finishes what is under way");
        return up;
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Waits until the output contains a text; fails at once when the process ends before. */
    void awaitOutput(String text) {
        Awaitility.await(text)
                .atMost(START_MAX)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> output().contains(text) || !process.isAlive());
        assertThat(output()).contains(text);
    }

    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Shows the lines of the output so far; for outputs that are too long for one string. */
    void eachLine(Consumer<String> reader) {
        try (Stream<String> lines = Files.lines(output)) {
            lines.forEach(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The runtime file that the process has written for other processes. */
    public RuntimeFile runtime() {
        return RuntimeFile.read(data).orElseThrow();
    }

    /** SIGTERM; the exit status. */
    public int stop(Duration atMost) throws InterruptedException {
        process.destroy();
        return awaitExit(atMost);
    }

    int awaitExit(Duration atMost) throws InterruptedException {
        assertThat(process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS))
                .as(output())
                .isTrue();
        return process.exitValue();
    }

    /** {@code kill -9}. Its redis-server, if any, ends a moment later. */
    void kill() throws InterruptedException {
        int status = process.destroyForcibly().waitFor();
        assertThat(status).isEqualTo(137);
    }

    /** The redis-server of an {@code up}; empty when it is gone. */
    Optional<ProcessHandle> redis() {
        Path pid = data.resolve("redis/redis.pid");
        try {
            return Files.exists(pid)
                    ? ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        boolean wasAlive = process.isAlive();
        process.destroyForcibly();
        if (wasAlive && command.equals("up")) {
            redis().ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}

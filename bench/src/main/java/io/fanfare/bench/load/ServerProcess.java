package io.fanfare.bench.load;

import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A process that does what it is asked, a line for a line: a Java process of ours, started from the same class path, or
 * another program that speaks alike; ends with this one. For the command's main thread.
 */
public final class ServerProcess implements AutoCloseable {
    /** The start of the line that the process prints when it works; the data for its starter follow. */
    static final String READY = "ready ";

    private final Process process;
    private final BufferedReader out;
    private final String answer;

    private ServerProcess(Process process, BufferedReader out, String answer) {
        this.process = process;
        this.out = out;
        this.answer = answer;
    }

    /**
     * Starts the class's main method and waits until it prints a line that begins with {@link #READY}. Options come
     * after ours, so theirs win.
     */
    public static ServerProcess start(Class<?> main, Map<String, String> environment, String... javaOptions) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                // As the script `fanfare` does.
                "-XX:+UseG1GC",
                "-XX:MaxHeapFreeRatio=40",
                "-XX:G1PeriodicGCInterval=300000",
                "-XX:PerfDataSamplingInterval=1000",
                "-Dfanfare.log.level=WARN",
                "-Dfanfare.log.target=System.err"));
        command.addAll(List.of(javaOptions));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return start(main.getSimpleName(), builder);
    }

    /** The same for any program; the name is for messages. */
    public static ServerProcess start(String name, ProcessBuilder program) {
        try {
            Process process =
                    program.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            String line = out.readLine();
            while (line != null && !line.startsWith(READY)) {
                line = out.readLine();
            }
            if (line == null) {
                throw new IllegalStateException(name + " ended at once");
            }
            return new ServerProcess(process, out, line.substring(READY.length()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The other end, in the process itself: says what its starter must know, and ends the process when its standard
     * input ends. Does not return.
     */
    public static void serve(Future<String> answer) throws IOException {
        serve(answer, question -> "");
    }

    /**
     * The same for a process that is {@link #ask}ed things: {@code questions} answers them, on the main thread, but
     * those of {@link StageProfile}.
     */
    public static void serve(Future<String> answer, UnaryOperator<String> questions) throws IOException {
        // Event loops would keep a process alive that has nothing to serve, and its starter waiting.
        answer.onFailure(cause -> {
            cause.printStackTrace();
            System.exit(1);
        });
        System.out.println(
                READY + answer.toCompletionStage().toCompletableFuture().join());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        StageProfile stages = new StageProfile();
        String question = in.readLine();
        while (question != null) {
            String profile = stages.answer(question);
            System.out.println(profile == null ? questions.apply(question) : profile);
            question = in.readLine();
        }
        System.exit(0);
    }

    /** Writes one line to the process and waits for the line that it answers. */
    public String ask(String question) {
        try {
            BufferedWriter in = process.outputWriter(StandardCharsets.UTF_8);
            in.write(question + "\n");
            in.flush();
            String line = out.readLine();
            if (line == null) {
                throw new IllegalStateException("the process ended at the command: " + question);
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** The data that the process printed after {@link #READY}. */
    public String answer() {
        return answer;
    }

    /** Processor seconds it has used, all its threads. */
    public double cpuSeconds() {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

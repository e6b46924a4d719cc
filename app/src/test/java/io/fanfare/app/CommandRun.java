package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.redis.testing.TestRedis;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The status and the output of a command of the program, run in this process. */
record CommandRun(int status, String out, String err) {
    /**
     * The start of a line of the log. A command logs to stderr; this process logs to stdout, where another thread, such
     * as the one that watches for blocked event loops, may write meanwhile.
     */
    private static final Pattern LOG_LINE =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z (TRACE|DEBUG|INFO |WARN |ERROR) \\[.*");

    static CommandRun of(List<String> arguments) {
        return of(Main::execute, arguments);
    }

    /** The same of another program. */
    static CommandRun of(ToIntFunction<String[]> program, List<String> arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream toOut = new ByteArrayOutputStream();
        ByteArrayOutputStream toErr = new ByteArrayOutputStream();
        System.setOut(new PrintStream(toOut, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(toErr, true, StandardCharsets.UTF_8));
        try {
            int status = program.applyAsInt(arguments.toArray(String[]::new));
            return new CommandRun(
                    status, toOut.toString(StandardCharsets.UTF_8), toErr.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** The output of {@code fanfare admin} about this Redis; fails unless the command succeeds. */
    @CanIgnoreReturnValue
    static String admin(TestRedis redis, String area, String... command) {
        List<String> line = new ArrayList<>(List.of("admin", area));
        line.addAll(List.of(command));
        line.addAll(List.of("--set", "redis.url=" + redis.server().url().reveal()));
        CommandRun run = of(line);
        assertThat(run.status).as(run.err).isZero();
        return run.printed();
    }

    /** The output of the command without the log of this process. */
    String printed() {
        return out.lines()
                .filter(line -> !LOG_LINE.matcher(line).matches())
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }
}

package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.redis.testing.TestRedis;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a command of the program answered and printed, run in this process. */
record CommandRun(int status, String out, String err) {
    static CommandRun of(List<String> arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream toOut = new ByteArrayOutputStream();
        ByteArrayOutputStream toErr = new ByteArrayOutputStream();
        System.setOut(new PrintStream(toOut, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(toErr, true, StandardCharsets.UTF_8));
        try {
            int status = Main.execute(arguments.toArray(String[]::new));
            return new CommandRun(
                    status, toOut.toString(StandardCharsets.UTF_8), toErr.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** What {@code fanfare admin} prints about this Redis, when it succeeds. */
    @CanIgnoreReturnValue
    static String admin(TestRedis redis, String area, String... command) {
        List<String> line = new ArrayList<>(List.of("admin", area));
        line.addAll(List.of(command));
        line.addAll(List.of("--set", "redis.url=" + redis.server().url().reveal()));
        CommandRun run = of(line);
        assertThat(run.status).as(run.err).isZero();
        return run.out;
    }
}

package io.fanfare.redis.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A process that stands still for a while: its connections stay, and nothing answers. */
public final class Suspension {
    private Suspension() {}

    /** SIGSTOP. Nothing happens to a process that has ended. */
    public static void begin(ProcessHandle process) {
        signal("-STOP", process);
    }

    /** SIGCONT; likewise. */
    public static void end(ProcessHandle process) {
        signal("-CONT", process);
    }

    private static void signal(String signal, ProcessHandle process) {
        try {
            int exit = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            assertThat(exit == 0 || !process.isAlive())
                    .as("kill %s %d answered %d", signal, process.pid(), exit)
                    .isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

package io.fanfare.app;

import java.time.Duration;

/**
 * The process that has started this one: the script that starts a service again when its memory is full, or what makes
 * a {@link ClassArchive}.
 */
final class Supervisor {
    /** Its process id; absent when there is none. */
    static final String PROPERTY = "fanfare.supervisor";

    private static final Duration LOOK = Duration.ofMillis(500);

    /** The exit status that a shell reports for a process ended by {@code kill -9}. */
    private static final int KILLED = 137;

    private Supervisor() {}

    /**
     * Ends this process at once when the other one is gone. For a script it would have ended if it were the script: who
     * kills that with {@code kill -9} means the service. Other signals it passes on.
     */
    static void endWithIt() {
        Long pid = Long.getLong(PROPERTY);
        if (pid == null) {
            return;
        }
        Thread watch = new Thread(() -> watch(pid), "supervisor-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void watch(long pid) {
        try {
            while (ProcessHandle.of(pid).isPresent()) {
                Thread.sleep(LOOK.toMillis());
            }
            Runtime.getRuntime().halt(KILLED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

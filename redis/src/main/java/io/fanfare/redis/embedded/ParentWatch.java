package io.fanfare.redis.embedded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell that ends a server when this process ends, however that comes about: {@code kill -9} and a JVM without memory
 * run no shutdown hooks. It reads from a pipe that nobody writes to, which the system closes with the process. Java has
 * no way to the signal that Linux sends to orphans.
 */
final class ParentWatch {
    /** The longest time in which a server may end cleanly, in seconds. */
    private static final int STOP_SECONDS_MAX = 20;

    private static final String SCRIPT = "trap '' INT TERM HUP; read -r unused; kill -TERM \"$1\" || exit 0; "
            + "for second in $(seq \"$2\"); do sleep 1; kill -0 \"$1\" || exit 0; done; kill -KILL \"$1\"";

    private ParentWatch() {}

    /**
     * Begins; ends with the server, so that it never ends another process that was given its number.
     *
     * @param session how to start it in a session of its own
     */
    static void over(ProcessHandle server, List<String> session) throws IOException {
        List<String> line = new ArrayList<>(session);
        line.addAll(List.of(
                "/bin/sh",
                "-c",
                SCRIPT,
                "fanfare-watch",
                Long.toString(server.pid()),
                Integer.toString(STOP_SECONDS_MAX)));
        Process shell = new ProcessBuilder(line)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        // Keeps the pipe open as well.
        var unused = server.onExit().thenRun(shell::destroyForcibly);
    }
}

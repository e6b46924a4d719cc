package io.fanfare.server.runtime;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs at DEBUG when each phase of a start has ended, in milliseconds since the JVM began. For any thread. */
public final class StartPhases {
    private static final Logger log = LoggerFactory.getLogger(StartPhases.class);

    private StartPhases() {}

    /**
     * Logs the end of a phase.
     *
     * @param phase a word, such as {@code redis}
     */
    public static void ended(String phase) {
        if (log.isDebugEnabled()) {
            log.debug("start phase={} at={} ms", phase, age().toMillis());
        }
    }

    /**
     * How long this JVM has been running. The start that the system has of the process may be a second off: it counts
     * from a boot time in whole seconds.
     */
    public static Duration age() {
        return Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
    }
}

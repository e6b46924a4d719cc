package io.fanfare.app;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import io.fanfare.common.settings.Settings;
import io.fanfare.failure.Reason;
import org.slf4j.LoggerFactory;

/** Tells {@code config/logback.xml} what the settings say. To be called before much is logged. */
final class Logging {
    private Logging() {}

    /** For a service: standard output is its log. */
    static void ofService(Settings.Log settings) {
        System.setProperty("fanfare.log.level", settings.level());
        System.setProperty("fanfare.log.format", settings.json() ? "json" : "text");
        System.setProperty("fanfare.log.target", "System.out");
        // Now, while there is one thread: SLF4J holds back and remarks on what others log meanwhile. And anew: what
        // reads the settings may have made a logger, as of a command.
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging) {
            configure(logging);
        }
    }

    private static void configure(LoggerContext logging) {
        logging.reset();
        try {
            new ContextInitializer(logging).autoConfig();
        } catch (JoranException e) {
            throw new IllegalStateException("the log cannot be set up: " + Reason.of(e), e);
        }
    }

    /** For a command with a result: standard output is the result, and the log only tells of trouble. */
    static void ofCommand() {
        System.setProperty("fanfare.log.level", "WARN");
        System.setProperty("fanfare.log.target", "System.err");
    }
}

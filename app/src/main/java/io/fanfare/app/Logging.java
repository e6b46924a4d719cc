package io.fanfare.app;

import io.fanfare.common.settings.Settings;
import org.slf4j.LoggerFactory;

/** Tells {@code config/logback.xml} what the settings say. To be called before the first logger is made. */
final class Logging {
    private Logging() {}

    /** For a service: standard output is its log. */
    static void ofService(Settings.Log settings) {
        System.setProperty("fanfare.log.level", settings.level());
        System.setProperty("fanfare.log.format", settings.json() ? "json" : "text");
        System.setProperty("fanfare.log.target", "System.out");
        // Now, while there is one thread: SLF4J holds back and remarks on what others log meanwhile.
        LoggerFactory.getILoggerFactory();
    }

    /** For a command with a result: standard output is the result, and the log only tells of trouble. */
    static void ofCommand() {
        System.setProperty("fanfare.log.level", "WARN");
        System.setProperty("fanfare.log.target", "System.err");
    }
}

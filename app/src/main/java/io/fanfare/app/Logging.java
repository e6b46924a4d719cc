package io.fanfare.app;

import io.fanfare.common.settings.Settings;

/** Tells {@code config/logback.xml} what the settings say. To be called before the first logger is made. */
final class Logging {
    private Logging() {}

    /** For a service: standard output is its log. */
    static void ofService(Settings.Log settings) {
        System.setProperty("fanfare.log.level", settings.level());
        System.setProperty("fanfare.log.format", settings.json() ? "json" : "text");
        System.setProperty("fanfare.log.target", "System.out");
    }

    /** For a command with a result: standard output is the result, and the log only tells of trouble. */
    static void ofCommand() {
        System.setProperty("fanfare.log.level", "WARN");
        System.setProperty("fanfare.log.target", "System.err");
    }
}

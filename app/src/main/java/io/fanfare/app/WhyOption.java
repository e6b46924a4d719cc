package io.fanfare.app;

import io.fanfare.core.moderation.Act;
import io.fanfare.server.runtime.StartFailed;
import picocli.CommandLine.Option;

/** The reason of an act, for the log of acts. */
final class WhyOption {
    @Option(
            names = "--why",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "The reason, for the log of acts: at most " + Act.TEXT_CHARS_MAX + " characters.")
    private String text;

    /** The reason; fails when it is too long. */
    String text() {
        if (text.length() > Act.TEXT_CHARS_MAX) {
            throw new StartFailed("--why must have at most " + Act.TEXT_CHARS_MAX + " characters: nothing is done");
        }
        return text;
    }

    /** The reason; fails if the operator gave none. */
    String required() {
        if (text.isBlank()) {
            throw new StartFailed("--why must say the reason, for the log of acts: nothing is done");
        }
        return text();
    }
}

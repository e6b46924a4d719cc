package io.fanfare.api.feature;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.Act;
import io.fanfare.server.http.Parameters;

/** Reads the reasons of acts. */
public final class Reasons {
    private Reasons() {}

    /** The text of a parameter, without spaces around it; refuses one that is too long for the log. */
    public static String of(Parameters given, String name) {
        String why = given.text(name, "").strip();
        ValidationErrors errors = new ValidationErrors();
        if (why.length() > Act.TEXT_CHARS_MAX) {
            errors.add(name, "ERR_TOO_LONG", "is too long (at most " + Act.TEXT_CHARS_MAX + " characters)");
        } else {
            errors.addUnlessStreamSafe(name, why);
        }
        errors.refuseIfAny();
        return why;
    }

    /**
     * The reason of an act with a message to the account concerned: {@code why}, which that account never reads, or
     * else the message.
     */
    public static String why(Parameters given, String text) {
        String why = of(given, "why");
        return why.isEmpty() ? text : why;
    }

    /** The report that an act resolves; 0 = none. */
    public static long report(Parameters given) {
        long report = given.id("report_id");
        if (report < 0) {
            throw Refusal.unknown();
        }
        return report;
    }
}

package io.fanfare.api.moderation;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.core.moderation.Act;
import io.fanfare.server.http.Parameters;

/** Reads the reasons of acts. */
final class Reasons {
    private Reasons() {}

    /** The text of a parameter, without spaces around it; refuses one that is too long for the log. */
    static String of(Parameters given, String name) {
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
}

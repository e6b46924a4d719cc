package io.fanfare.api.account;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.server.http.Parameters;

/**
 * A user's note about an account.
 *
 * @param text at most {@value #TEXT_MAX} characters; empty = no note
 */
public record NewNote(String text) {
    /** As in Mastodon. */
    private static final int TEXT_MAX = 2000;

    /** Refuses one that is too long. */
    public static NewNote of(Parameters given) {
        String text = given.text("comment", "").strip();
        ValidationErrors errors = new ValidationErrors();
        if (text.codePointCount(0, text.length()) > TEXT_MAX) {
            errors.add("comment", "ERR_TOO_LONG", "is too long (at most " + TEXT_MAX + " characters)");
        } else {
            errors.addUnlessStreamSafe("comment", text);
        }
        errors.refuseIfAny();
        return new NewNote(text);
    }
}

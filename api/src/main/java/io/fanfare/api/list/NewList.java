package io.fanfare.api.list;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.UserList;
import io.fanfare.common.text.ControlCharacters;
import io.fanfare.common.text.StreamSafeText;
import io.fanfare.server.http.Parameters;

/**
 * A list of accounts as somebody wants it: the body of {@code POST /api/v1/lists} and {@code PUT /api/v1/lists/:id}.
 * Whoever holds one holds acceptable values.
 *
 * @param title null = as before
 * @param replies null = as before, of a new list {@code list}
 * @param exclusive null = as before, of a new list false
 */
public record NewList(String title, UserList.Replies replies, Boolean exclusive) {
    static final int TITLE_MAX = 256;

    /** A new list: it must have a title. */
    public static NewList of(Parameters given) {
        return read(given, given.has("title") ? given.text("title") : "");
    }

    /** The change of an existing list. */
    public static NewList change(Parameters given) {
        return read(given, given.has("title") ? given.text("title") : null);
    }

    private static NewList read(Parameters given, String title) {
        return new NewList(
                title == null ? null : title(title),
                replies(given.text("replies_policy", "")),
                given.text("exclusive", "").isEmpty() ? null : given.flag("exclusive", false));
    }

    private static String title(String given) {
        if (given.length() > 4 * TITLE_MAX) {
            throw tooLong();
        }
        String title = ControlCharacters.oneLine(given);
        if (title.isEmpty()) {
            throw invalid("Title can't be blank");
        }
        if (title.codePointCount(0, title.length()) > TITLE_MAX) {
            throw tooLong();
        }
        if (!StreamSafeText.isStreamSafe(title)) {
            throw invalid(
                    "Title has more than " + StreamSafeText.MARKS_MAX + " combining marks in a row: leave some out");
        }
        return title;
    }

    private static UserList.Replies replies(String wire) {
        UserList.Replies replies = UserList.Replies.of(wire);
        if (replies == null && !wire.isEmpty()) {
            throw invalid("Replies policy must be followed, list or none");
        }
        return replies;
    }

    private static Refusal tooLong() {
        return invalid("Title is too long (maximum is " + TITLE_MAX + " characters)");
    }

    private static Refusal invalid(String what) {
        return new Refusal(Refusal.Reason.INVALID, "Validation failed: " + what);
    }
}

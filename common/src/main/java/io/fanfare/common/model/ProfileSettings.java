package io.fanfare.common.model;

import java.util.List;

/**
 * The profile of an account beyond its name and note.
 *
 * @param bot whether a program posts
 * @param discoverable whether the account wants to be suggested to others
 * @param indexable whether its posts may be found by search engines
 * @param fields below the note, in order
 * @param avatar name of the file of its picture; empty = none
 * @param header name of the file of its wide picture; empty = none
 * @param locked whether a follow needs the account's approval
 * @param hidesFollows whether its followees and followers are hidden; their numbers are not
 * @param limited whether a moderator has limited the account
 */
public record ProfileSettings(
        boolean bot,
        boolean discoverable,
        boolean indexable,
        List<Field> fields,
        String avatar,
        String header,
        boolean locked,
        boolean hidesFollows,
        boolean limited) {
    /** The profile of an account that has set nothing. */
    public static final ProfileSettings PLAIN = new ProfileSettings(false, true, true, List.of());

    /** The profile of an account without pictures. */
    public ProfileSettings(boolean bot, boolean discoverable, boolean indexable, List<Field> fields) {
        this(bot, discoverable, indexable, fields, "", "", false, false, false);
    }

    public ProfileSettings {
        fields = List.copyOf(fields);
    }

    /** A name and a value, both plain text on one line. */
    public record Field(String name, String value) {}
}

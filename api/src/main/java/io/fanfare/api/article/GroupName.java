package io.fanfare.api.article;

import io.fanfare.common.text.TextEntities;

/** Names of groups of articles: letters and digits of any script, {@code _} and {@code -}. */
public final class GroupName {
    /** Most UTF-16 units of a name. */
    public static final int CHARS_MAX = 50;

    /** The rule for a name, to follow the name of a field. */
    public static final String RULE = "must have 1 to " + CHARS_MAX + " letters or digits of any script, _ and -";

    private GroupName() {}

    /**
     * The name as it is compared and kept: compatibility forms and case do not count, {@code Ｊａｖａ} is {@code java};
     * null when no group can have it. Takes time in proportion to {@value #CHARS_MAX} at most.
     */
    public static String folded(String name) {
        if (!isName(name)) {
            return null;
        }
        String folded = TextEntities.fold(name); // Some letters stand for several.
        return isName(folded) ? folded : null;
    }

    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= CHARS_MAX
                && !isMark(text.codePointAt(0))
                && text.codePoints().allMatch(c -> Character.isLetterOrDigit(c) || isMark(c) || c == '_' || c == '-');
    }

    /** Whether the character belongs to the letter before it, such as the vowel signs of Indic scripts. */
    private static boolean isMark(int c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
    }
}

package io.fanfare.api.endpoint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The characters of a text that a reader sees. Each method takes time in proportion to the length of the text. */
public final class VisibleCharacters {
    /** One character as a reader sees it, such as a letter with its marks or an emoji of several code points. */
    private static final Pattern CHARACTER = Pattern.compile("\\X");

    private static final int HANGUL_FILLER = 0x3164;

    private VisibleCharacters() {}

    /** The number of characters that a reader sees. */
    public static int count(String text) {
        Matcher character = CHARACTER.matcher(text);
        int count = 0;
        while (character.find()) {
            count++;
        }
        return count;
    }

    /** True if the text has only white space of any script and characters without a shape. */
    public static boolean isBlank(String text) {
        int i = 0;
        while (i < text.length() && isInvisible(text.codePointAt(i))) {
            i += Character.charCount(text.codePointAt(i));
        }
        return i == text.length();
    }

    private static boolean isInvisible(int character) {
        int type = Character.getType(character);
        return Character.isWhitespace(character)
                || Character.isSpaceChar(character)
                || type == Character.FORMAT
                || type == Character.CONTROL
                // Unicode calls it a letter.
                || character == HANGUL_FILLER;
    }
}

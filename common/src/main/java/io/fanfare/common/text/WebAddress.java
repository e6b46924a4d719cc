package io.fanfare.common.text;

/**
 * Finds {@code http} and {@code https} addresses in plain text that people write: an address ends where a sentence
 * would go on, so that neither its full stop nor the bracket around it belongs to it. Letters of any script may stand
 * in it; what could hide or reorder text, or leave an attribute of HTML, may not.
 */
final class WebAddress {
    private static final String PATH_SIGNS = "-._~:/?#[]@!$&'()*+,;=%";
    private static final String PUNCTUATION = ".,:;!?'*";

    private WebAddress() {}

    /**
     * Where the address that begins at {@code start} ends, exclusive; {@code start} when none begins there. Takes time
     * in proportion to what it answers.
     */
    static int end(String text, int start) {
        int host = start + scheme(text, start);
        if (host == start || isInWord(text, start) || host >= text.length() || !isWord(text.codePointAt(host))) {
            return start;
        }
        int end = pathEnd(text, portEnd(text, hostEnd(text, host)));
        return withoutPunctuation(text, host, end);
    }

    /** The length of {@code http://} or {@code https://} at this place; 0 when there is neither. */
    private static int scheme(String text, int start) {
        // The signs first: nearly every h of a text is that of some word.
        if (text.startsWith("://", start + 4)) {
            return text.regionMatches(true, start, "http", 0, 4) ? 7 : 0;
        }
        return text.startsWith("://", start + 5) && text.regionMatches(true, start, "https", 0, 5) ? 8 : 0;
    }

    /** A scheme's letters go on from others. Other scripts do not put spaces between words. */
    private static boolean isInWord(String text, int start) {
        return start > 0 && text.charAt(start - 1) < 128 && Character.isLetterOrDigit(text.charAt(start - 1));
    }

    private static int hostEnd(String text, int from) {
        int end = from;
        while (end < text.length()) {
            int c = text.codePointAt(end);
            if (!isWord(c) && c != '-' && c != '.') {
                break;
            }
            end += Character.charCount(c);
        }
        return end;
    }

    private static int portEnd(String text, int from) {
        int end = from + 1;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return from < text.length() && text.charAt(from) == ':' && end > from + 1 ? end : from;
    }

    private static int pathEnd(String text, int from) {
        if (from >= text.length() || "/?#".indexOf(text.charAt(from)) < 0) {
            return from;
        }
        int end = from;
        while (end < text.length()) {
            int c = text.codePointAt(end);
            if (!isWord(c) && PATH_SIGNS.indexOf(c) < 0) {
                break;
            }
            end += Character.charCount(c);
        }
        return end;
    }

    /** Closing brackets stay as far as the address has opened them: Wikipedia's do. */
    private static int withoutPunctuation(String text, int from, int to) {
        int round = surplus(text, from, to, '(', ')');
        int square = surplus(text, from, to, '[', ']');
        int end = to;
        while (end > from) {
            char last = text.charAt(end - 1);
            if (last == ')' && round > 0) {
                round--;
            } else if (last == ']' && square > 0) {
                square--;
            } else if (PUNCTUATION.indexOf(last) < 0) {
                break;
            }
            end--;
        }
        return end;
    }

    private static int surplus(String text, int from, int to, char open, char close) {
        int surplus = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            surplus += c == close ? 1 : c == open ? -1 : 0;
        }
        return surplus;
    }

    /** Letters and digits of any script, and the marks that belong to them. */
    private static boolean isWord(int c) {
        int type = Character.getType(c);
        return Character.isLetterOrDigit(c)
                || type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || c == '_';
    }
}

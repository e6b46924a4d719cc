package io.fanfare.common.text;

/**
 * Finds {@code http} and {@code https} addresses in plain text that people write: an address ends where a sentence
 * would go on, so that neither its full stop nor the bracket around it belongs to it. Letters of any script may stand
 * in it; what could hide or reorder text, or leave an attribute of HTML, may not. Before the host may stand the name of
 * a user and a password; the host may have symbols such as a snowman's, and may be a number in brackets (IPv6).
 */
final class WebAddress {
    private static final String PATH_SIGNS = "-._~:/?#[]@!$&'()*+,;=%^|";
    private static final String PUNCTUATION = ".,:;!?'*^|";

    /**
     * Signs that titles of pages have between two letters or digits: middle dots, en dash, the apostrophe of
     * typography, Hebrew maqaf, geresh and gershayim, and the joiner of Persian. Elsewhere they belong to the sentence.
     */
    private static final String PATH_JOINERS = "\u00b7\u30fb\u2013\u2019\u05be\u05f3\u05f4\u200c";

    /** Signs that a label of a host may have between some letters (RFC 5892, appendix A). */
    private static final String HOST_JOINERS = "\u00b7\u30fb\u05f3\u05f4\u200c\u200d";

    /** Characters that may stand before the host, besides letters and digits. */
    private static final String USER_SIGNS = "-.~!$&'()*+,;=:%";

    private static final char KATAKANA_DOT = '\u30fb';

    private static final char APOSTROPHE = '\u2019';

    private static final String HEX = "0123456789abcdefABCDEF";

    private WebAddress() {}

    /**
     * The end, exclusive, of the address that begins at {@code start}; {@code start} when none begins there. Takes time
     * in proportion to its result.
     */
    static int end(String text, int start) {
        int authority = start + scheme(text, start);
        if (authority == start || isInWord(text, start)) {
            return start;
        }
        int host = userEnd(text, authority);
        int hostEnd = hostEnd(text, host);
        return hostEnd == host ? start : withoutPunctuation(text, host, pathEnd(text, portEnd(text, hostEnd)));
    }

    /** Whether the address from one index to another has a user before its host. */
    static boolean hasUser(String text, int from, int to) {
        int authority = from + scheme(text, from);
        int host = userEnd(text, authority);
        return host > authority && host < to;
    }

    /**
     * The start of the host, behind a user and {@code @}; {@code from} when there is no user. The host behind it has a
     * dot or is a number, unlike the name that somebody puts right behind an address and a comma.
     */
    private static int userEnd(String text, int from) {
        int end = from;
        while (end < text.length()) {
            int c = text.codePointAt(end);
            if (!isWord(c) && USER_SIGNS.indexOf(c) < 0) {
                break;
            }
            end += Character.charCount(c);
        }
        if (end == from || end >= text.length() || text.charAt(end) != '@') {
            return from;
        }
        int host = end + 1;
        boolean isHost = hasDot(text, host, hostEnd(text, host)) || numberEnd(text, host) > host;
        return isHost ? host : from;
    }

    /** Whether there is a dot between two others of these. */
    private static boolean hasDot(String text, int from, int to) {
        for (int i = from + 1; i < to - 1; i++) {
            if (text.charAt(i) == '.') {
                return true;
            }
        }
        return false;
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

    /**
     * The end of the host that begins here; {@code from} when none does. Symbols belong to it if a dot and a word
     * follow: any other symbol behind a host is an emoji of the sentence.
     */
    private static int hostEnd(String text, int from) {
        int number = numberEnd(text, from);
        if (number > from) {
            return number;
        }
        int end = from;
        int symbol = -1;
        int dots = 0;
        int joiner = -1;
        int before = '.';
        while (end < text.length()) {
            int c = text.codePointAt(end);
            if (joins(text, end, HOST_JOINERS)) {
                boolean mayJoin = mayJoin(text.codePointBefore(end), (char) c, text.codePointAt(end + 1));
                if (!mayJoin && c == KATAKANA_DOT && dots > 0) {
                    break; // Japanese puts it between the items of a list.
                }
                if (!mayJoin) {
                    return from; // Cut off here it would be a host that nobody wrote.
                }
                joiner = joiner < 0 ? end : joiner;
                before = c;
                end++;
                continue;
            }
            if (c == '.') {
                dots++;
                joiner = -1;
            }
            boolean isWord = isWord(c);
            boolean isSign = c == '-' || c == '.';
            if ((!isWord && !isSign && !isSymbol(c)) || (isSign && end == from)) {
                break;
            }
            if (isWord && before == '.') {
                symbol = -1;
            } else if (!isWord && !isSign && symbol < 0) {
                symbol = end;
            }
            before = c;
            end += Character.charCount(c);
        }
        if (joiner >= 0 && dots > 0 && (symbol < 0 || joiner < symbol)) {
            return joiner; // No top-level name has such a sign: the sentence goes on.
        }
        return symbol < 0 ? end : symbol;
    }

    /** The end of the number in brackets that begins here: {@code [2001:db8::1]}. */
    private static int numberEnd(String text, int from) {
        if (from >= text.length() || text.charAt(from) != '[') {
            return from;
        }
        int end = from + 1;
        boolean hasColon = false;
        while (end < text.length() && (HEX.indexOf(text.charAt(end)) >= 0 || ":.".indexOf(text.charAt(end)) >= 0)) {
            hasColon |= text.charAt(end) == ':';
            end++;
        }
        return hasColon && end < text.length() && text.charAt(end) == ']' ? end + 1 : from;
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
            if (!isWord(c) && PATH_SIGNS.indexOf(c) < 0 && !joins(text, end, PATH_JOINERS)) {
                break;
            }
            end += Character.charCount(c);
        }
        return end;
    }

    /** Whether a sign is one of these and stands between two words. */
    private static boolean joins(String text, int at, String joiners) {
        char sign = text.charAt(at);
        if (joiners.indexOf(sign) < 0 || at == 0 || at + 1 >= text.length()) {
            return false;
        }
        int before = text.codePointBefore(at);
        int after = text.codePointAt(at + 1);
        if (!isWord(before) || !isWord(after)) {
            return false;
        }
        // Chinese puts a quotation mark there, and a word of the sentence behind it without a space.
        return sign != APOSTROPHE || (isLatin(before) && isLatin(after));
    }

    private static boolean isLatin(int c) {
        return Character.UnicodeScript.of(c) == Character.UnicodeScript.LATIN;
    }

    /** Whether a label may have this sign of {@link #HOST_JOINERS} between these letters (RFC 5892, appendix A). */
    private static boolean mayJoin(int before, char sign, int after) {
        return switch (sign) {
            case '\u00b7' -> Character.toLowerCase(before) == 'l' && Character.toLowerCase(after) == 'l';
            case '\u30fb' -> isJapanese(before) || isJapanese(after);
            case '\u05f3', '\u05f4' -> Character.UnicodeScript.of(before) == Character.UnicodeScript.HEBREW;
            // Nobody sees it, so that two hosts would look the same.
            default -> false;
        };
    }

    private static boolean isJapanese(int c) {
        return switch (Character.UnicodeScript.of(c)) {
            case HIRAGANA, KATAKANA, HAN -> true;
            default -> false;
        };
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

    private static boolean isSymbol(int c) {
        return c > 127 && Character.getType(c) == Character.OTHER_SYMBOL;
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

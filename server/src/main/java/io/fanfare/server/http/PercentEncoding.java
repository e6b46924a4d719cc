package io.fanfare.server.http;

/**
 * Decodes characters written with % and two hexadecimal digits, in paths, queries and forms: one rule for all of them.
 * The letters of another charset than UTF-8 are refused, where decoders would silently put U+FFFD in their place.
 */
final class PercentEncoding {
    private static final int CONTINUATION_MIN = 0x80;
    private static final int CONTINUATION_MAX = 0xbf;

    private PercentEncoding() {}

    /** Whether every % begins an escape: what has others cannot be matched with a route, nor its parameters be read. */
    static boolean isWellFormed(String text) {
        for (int i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
            if (i + 2 >= text.length() || digit(text.charAt(i + 1)) < 0 || digit(text.charAt(i + 2)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether the bytes of each run of escapes, which are {@link #isWellFormed}, are characters in UTF-8. */
    static boolean isUtf8(String text) {
        int end = -1; // of the run so far
        int missing = 0;
        int min = CONTINUATION_MIN;
        int max = CONTINUATION_MAX;
        for (int i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 3)) {
            if (missing > 0 && i != end) {
                return false;
            }
            int next = digit(text.charAt(i + 1)) << 4 | digit(text.charAt(i + 2));
            if (missing > 0) {
                if (next < min || next > max) {
                    return false;
                }
                missing--;
                min = CONTINUATION_MIN;
                max = CONTINUATION_MAX;
            } else if (next >= CONTINUATION_MIN) {
                // RFC 3629: no longer form than needed, no half of a surrogate pair, nothing above U+10FFFF.
                if (next < 0xc2 || next > 0xf4) {
                    return false;
                }
                missing = next < 0xe0 ? 1 : next < 0xf0 ? 2 : 3;
                min = next == 0xe0 ? 0xa0 : next == 0xf0 ? 0x90 : CONTINUATION_MIN;
                max = next == 0xed ? 0x9f : next == 0xf4 ? 0x8f : CONTINUATION_MAX;
            }
            end = i + 3;
        }
        return missing == 0;
    }

    /** Whether all of it is ASCII, as RFC 3986 has it. */
    static boolean isAscii(String uri) {
        for (int i = 0; i < uri.length(); i++) {
            if (uri.charAt(i) > 0x7e) {
                return false;
            }
        }
        return true;
    }

    /** -1 = none; digits of other scripts are none here. */
    private static int digit(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }
}

package io.fanfare.api.endpoint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a file that a client asks for (RFC 9110, section 14). Immutable.
 *
 * @param length 0 = the file does not have the range
 */
public record ByteRange(long from, long length) {
    /** One that the file does not have. */
    public static final ByteRange NONE = new ByteRange(0, 0);

    private static final Pattern ONE = Pattern.compile("bytes=(\\d{0,15})-(\\d{0,15})");

    /** The range of a header; null = all of it: nothing is asked for, or what is not understood, or several parts. */
    public static ByteRange of(String header, long bytes) {
        Matcher range = ONE.matcher(header == null ? "" : header.strip());
        if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty())) {
            return null;
        }
        if (range.group(1).isEmpty()) {
            long last = Math.min(bytes, Long.parseLong(range.group(2)));
            return last == 0 ? NONE : new ByteRange(bytes - last, last);
        }
        long from = Long.parseLong(range.group(1));
        long to = range.group(2).isEmpty() ? bytes - 1 : Math.min(bytes - 1, Long.parseLong(range.group(2)));
        if (from >= bytes) {
            return NONE;
        }
        return to < from ? null : new ByteRange(from, to - from + 1);
    }
}

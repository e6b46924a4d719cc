package io.fanfare.app;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** How the admin commands print values for people. */
final class Terminal {
    /** Control characters, the eight-bit ones among them, and format characters such as bidi controls. */
    private static final Pattern STEERING = Pattern.compile("[\\p{gc=Cc}\\p{gc=Cf}]");

    private Terminal() {}

    /** The text with a question mark for each character that a terminal obeys instead of showing it. */
    static String printable(String text) {
        return STEERING.matcher(text).replaceAll("?");
    }

    /** A moment, to the second. */
    static String time(long epochMillis) {
        return Instant.ofEpochMilli(epochMillis).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}

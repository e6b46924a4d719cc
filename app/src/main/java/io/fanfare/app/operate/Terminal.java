package io.fanfare.app.operate;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** How admin commands and the console write values for people. */
public final class Terminal {
    /**
     * Control characters, the eight-bit ones among them, format characters such as bidi controls, and the separators of
     * lines and paragraphs.
     */
    private static final Pattern STEERING = Pattern.compile("[\\p{gc=Cc}\\p{gc=Cf}\\p{gc=Zl}\\p{gc=Zp}]");

    private Terminal() {}

    /** The text with a question mark for each character that a terminal obeys instead of showing it. */
    public static String printable(String text) {
        return STEERING.matcher(text).replaceAll("?");
    }

    /** A moment, to the second. */
    public static String time(long epochMillis) {
        return Instant.ofEpochMilli(epochMillis).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}

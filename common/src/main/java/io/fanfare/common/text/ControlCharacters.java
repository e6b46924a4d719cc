package io.fanfare.common.text;

import java.util.function.IntPredicate;

/**
 * Control characters in texts that users send. Each run of them becomes one space in one pass: a regular expression
 * allocates about 80 bytes for each run, so that a text of line breaks cost 40 times its length.
 */
public final class ControlCharacters {
    private ControlCharacters() {}

    /** Replaces control characters and Unicode's separators of lines, and removes white space at both ends. */
    public static String oneLine(String text) {
        return replaced(text, ControlCharacters::endsLine);
    }

    /** The same, but line feeds stay. */
    public static String lines(String text) {
        return replaced(text, unit -> isAsciiControl(unit) && unit != '\n');
    }

    /** The same as one line, with runs of spaces as one too. */
    public static String collapsed(String text) {
        return replaced(text, unit -> unit == ' ' || isAsciiControl(unit));
    }

    private static boolean isAsciiControl(int unit) {
        return unit < ' ' || unit == 0x7f;
    }

    private static boolean endsLine(int unit) {
        return isAsciiControl(unit) || unit == 0x85 || unit == 0x2028 || unit == 0x2029;
    }

    private static String replaced(String text, IntPredicate isControl) {
        if (text.chars().noneMatch(isControl)) {
            return text.strip();
        }
        StringBuilder replaced = new StringBuilder(text.length());
        boolean inRun = false;
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            boolean control = isControl.test(unit);
            if (!control) {
                replaced.append(unit);
            } else if (!inRun) {
                replaced.append(' ');
            }
            inRun = control;
        }
        return replaced.toString().strip();
    }
}

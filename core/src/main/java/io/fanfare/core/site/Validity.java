package io.fanfare.core.site;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.text.ControlCharacters;
import io.fanfare.common.text.StreamSafeText;

/** Checks texts of operators: their lengths, in characters, before everything else. */
final class Validity {
    private Validity() {}

    /** A text of one line. */
    static String line(String name, String text, int max) {
        return required(name, lineOrEmpty(name, text, max));
    }

    static String lineOrEmpty(String name, String text, int max) {
        return ControlCharacters.oneLine(bounded(name, text, max)).strip();
    }

    /** A text of several lines. */
    static String lines(String name, String text, int max) {
        return required(name, ControlCharacters.lines(bounded(name, text, max)).strip());
    }

    private static String required(String name, String text) {
        if (text.isEmpty()) {
            throw invalid(name + " must not be empty.");
        }
        return text;
    }

    private static String bounded(String name, String text, int max) {
        // Longer texts are not even counted.
        if (text.length() > 2 * max || text.codePointCount(0, text.length()) > max) {
            throw invalid(name + " must have at most " + max + " characters.");
        }
        if (!StreamSafeText.isStreamSafe(text)) {
            throw invalid(
                    name + " has more than " + StreamSafeText.MARKS_MAX + " combining marks in a row: leave some out.");
        }
        return text;
    }

    static Refusal invalid(String sentence) {
        return new Refusal(Refusal.Reason.INVALID, sentence);
    }

    static Refusal unknown(String sentence) {
        return new Refusal(Refusal.Reason.NOT_FOUND, sentence);
    }
}

package io.fanfare.stream.session;

import io.fanfare.server.http.Parameters;
import io.fanfare.stream.match.InvalidFilter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A parameter with a fixed list of values: a misspelled one would silently get another stream than requested. */
public final class EnumParameter {
    /** Longer than every value. */
    private static final int WORD_CHARS_MAX = 32;

    private EnumParameter() {}

    /**
     * The word that was sent, whatever its case; throws {@link InvalidFilter} for any other.
     *
     * @param words all that there are; the first is meant when none was sent
     */
    public static String of(Parameters parameters, String name, String... words) {
        List<String> known = List.of(words);
        String given = parameters.text(name, words[0]).strip();
        // What is longer than any word is not looked at: small letters may cost the length of a text squared.
        String value = given.length() > WORD_CHARS_MAX ? "" : given.toLowerCase(Locale.ROOT);
        if (!known.contains(value)) {
            throw InvalidFilter.unacceptable(name, name + " must be one of " + String.join(", ", known) + ".");
        }
        return value;
    }

    /**
     * The same of words that are the names of constants, in lower case; the first constant is meant when none was sent.
     */
    public static <E extends Enum<E>> E of(Parameters parameters, String name, Class<E> constants) {
        String[] words = Arrays.stream(constants.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
        return Enum.valueOf(constants, of(parameters, name, words).toUpperCase(Locale.ROOT));
    }
}

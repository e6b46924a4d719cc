package io.fanfare.app.console;

import io.fanfare.app.operate.Terminal;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import io.vertx.core.MultiMap;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The arguments of a query or an action: texts by name. Immutable. */
final class Arguments {
    /** The maximum length of each value in the log. */
    private static final int LOGGED_CHARS_MAX = 200;

    private static final int NAME_CHARS_MAX = 50;

    private final Map<String, String> texts;

    private Arguments(Map<String, String> texts) {
        this.texts = texts;
    }

    /** The arguments of a query string. If a name appears twice, its first value counts. */
    static Arguments of(MultiMap query) {
        Map<String, String> texts = new LinkedHashMap<>();
        query.forEach(entry -> texts.putIfAbsent(entry.getKey(), entry.getValue()));
        return new Arguments(texts);
    }

    /**
     * The arguments of a body: a JSON object of texts, numbers and booleans. Throws a {@link Refusal} for any other
     * body.
     */
    static Arguments of(String body) {
        try {
            Map<String, String> texts = new LinkedHashMap<>();
            new JsonObject(body.isEmpty() ? "{}" : body).forEach(entry -> {
                Object value = entry.getValue();
                if (value instanceof String || value instanceof Number || value instanceof Boolean) {
                    texts.put(entry.getKey(), value.toString());
                } else {
                    throw malformed(
                            Terminal.beginning(entry.getKey(), NAME_CHARS_MAX) + " must be a text or a number.");
                }
            });
            return new Arguments(texts);
        } catch (DecodeException | ClassCastException e) {
            throw malformed("The body must be a JSON object.");
        }
    }

    /**
     * Throws a {@link Refusal} when anything else than these is given: a name that is misspelled would count as absent,
     * and what it should leave out would be done.
     */
    void allowOnly(List<String> names) {
        for (String name : texts.keySet()) {
            if (!names.contains(name)) {
                throw malformed("Nothing is known as " + Terminal.beginning(name, NAME_CHARS_MAX) + " here: "
                        + (names.isEmpty() ? "give nothing." : "give some of " + String.join(", ", names) + "."));
            }
        }
    }

    /** The text of a name; empty when it is not given. */
    String text(String name) {
        return texts.getOrDefault(name, "");
    }

    /** The same, of which this must hold; throws a {@link Refusal}. */
    String matching(String name, String pattern, String what) {
        if (!text(name).matches(pattern)) {
            throw malformed(name + " must be " + what + ".");
        }
        return text(name);
    }

    /** One of the words of an enum, in lower case; throws a {@link Refusal} for another. */
    <E extends Enum<E>> E one(String name, E absent) {
        return text(name).isEmpty() ? absent : one(name, absent.getDeclaringClass());
    }

    /** The same of one that must be given. */
    <E extends Enum<E>> E one(String name, Class<E> words) {
        List<E> all = List.of(words.getEnumConstants());
        return all.stream()
                .filter(one -> label(one).equals(text(name)))
                .findFirst()
                .orElseThrow(() -> malformed(name + " must be one of "
                        + all.stream().map(Arguments::label).collect(Collectors.joining(", ")) + "."));
    }

    private static String label(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }

    int number(String name, int absent, int min, int max) {
        return text(name).isEmpty() ? absent : requiredNumber(name, min, max);
    }

    /** A number that must be given; throws a {@link Refusal}. */
    int requiredNumber(String name, int min, int max) {
        String text = text(name);
        int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
        if (number < min || number > max) {
            throw malformed(name + " must be a whole number from " + min + " to " + max + ".");
        }
        return number;
    }

    /** The id of an account, a post or another thing; throws a {@link Refusal} for any other text. */
    long id(String name) {
        long id = Id.parse(text(name));
        if (id <= 0) {
            throw malformed(name + " must be an id: digits, as the list shows them.");
        }
        return id;
    }

    /** The cursor {@code before} of a list, exclusive; {@link Id#MAX} = from the newest. */
    long before() {
        return text("before").isEmpty() ? Id.MAX : id("before");
    }

    /** A text without spaces around it, of at most so many characters; throws a {@link Refusal}. */
    String text(String name, int charsMax) {
        String text = text(name).strip();
        if (text.length() > charsMax) {
            throw malformed(name + " must have at most " + charsMax + " characters.");
        }
        return text;
    }

    /** Whether the word {@code true} is given. */
    boolean flag(String name) {
        return Boolean.parseBoolean(text(name));
    }

    /**
     * The named arguments that are present, as one line for the log. Their values end no line, contain no terminal
     * control and cannot pass for a name.
     */
    String line(List<String> names) {
        return names.stream()
                .filter(texts::containsKey)
                .map(name -> name + "="
                        + Terminal.beginning(Terminal.printable(text(name)), LOGGED_CHARS_MAX)
                                .replace('"', '?')
                                .replace('=', '?'))
                .collect(Collectors.joining(" "));
    }

    static Refusal malformed(String sentence) {
        return new Refusal(Refusal.Reason.MALFORMED, sentence);
    }
}

package io.fanfare.app.console;

import io.fanfare.common.model.Refusal;
import io.vertx.core.MultiMap;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What is given with a question or an action: texts by name. Immutable. */
final class Arguments {
    private static final int LOGGED_CHARS_MAX = 200;

    private final Map<String, String> texts;

    private Arguments(Map<String, String> texts) {
        this.texts = texts;
    }

    /** Of an address; of a name that is there twice the first counts. */
    static Arguments of(MultiMap query) {
        Map<String, String> texts = new LinkedHashMap<>();
        query.forEach(entry -> texts.putIfAbsent(entry.getKey(), entry.getValue()));
        return new Arguments(texts);
    }

    /** Of a body, which is a JSON object of texts and numbers; throws a {@link Refusal} for another. */
    static Arguments of(String body) {
        try {
            Map<String, String> texts = new LinkedHashMap<>();
            new JsonObject(body.isEmpty() ? "{}" : body).forEach(entry -> {
                Object value = entry.getValue();
                if (value instanceof String || value instanceof Number || value instanceof Boolean) {
                    texts.put(entry.getKey(), value.toString());
                } else if (value != null) {
                    throw malformed(entry.getKey() + " must be a text or a number.");
                }
            });
            return new Arguments(texts);
        } catch (DecodeException | ClassCastException e) {
            throw malformed("The body must be a JSON object.");
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

    int number(String name, int absent, int min, int max) {
        String text = text(name);
        if (text.isEmpty()) {
            return absent;
        }
        int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
        if (number < min || number > max) {
            throw malformed(name + " must be a whole number from " + min + " to " + max + ".");
        }
        return number;
    }

    /** One line for the log, without what would end or steer it. */
    String line() {
        String line = texts.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "))
                .replaceAll("[\\p{gc=Cc}\\p{gc=Cf}\"]", "?");
        return line.length() <= LOGGED_CHARS_MAX ? line : line.substring(0, LOGGED_CHARS_MAX);
    }

    static Refusal malformed(String sentence) {
        return new Refusal(Refusal.Reason.MALFORMED, sentence);
    }
}

package io.fanfare.app.operate;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    /** The text, cut off with three dots behind its first {@code charsMax} characters if it is longer. */
    public static String beginning(String text, int charsMax) {
        return text.length() <= charsMax ? text : text.substring(0, charsMax) + "...";
    }

    /**
     * The output of a command that lists objects: JSON for programs, or a line each for people.
     *
     * @param none the sentence for people when the list is empty
     */
    public static String list(JsonArray all, boolean json, String none, Function<JsonObject, String> line) {
        if (json) {
            return all.encodePrettily();
        }
        return all.isEmpty() ? none : lines(all, line);
    }

    /** A line for each of these objects. */
    public static String lines(JsonArray all, Function<JsonObject, String> line) {
        return all.stream().map(JsonObject.class::cast).map(line).collect(Collectors.joining(System.lineSeparator()));
    }
}

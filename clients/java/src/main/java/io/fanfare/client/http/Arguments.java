package io.fanfare.client.http;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.regex.Pattern;

/** Checks of arguments. Each failure is an {@link IllegalArgumentException} with a sentence. */
public final class Arguments {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,100}");
    private static final Pattern CONTROLS = Pattern.compile("\\p{Cntrl}");

    private Arguments() {}

    /** An id of the API: letters, digits, minus and underscore, so that it is one step of a path. */
    public static String id(String id) {
        check(
                id != null && ID.matcher(id).matches(),
                "an id has 1 to 100 letters and digits, such as \"376295782367260\"");
        return id;
    }

    @CanIgnoreReturnValue
    public static <T> T present(T value, String name) {
        check(value != null, name + " is null: pass a value");
        return value;
    }

    /** A text with content, without control characters, of limited length. */
    public static String text(String value, String name, int charactersMax) {
        check(value != null && !value.isBlank(), name + " is empty: pass a text");
        check(value.length() <= charactersMax, name + " has more than " + charactersMax + " characters");
        check(!CONTROLS.matcher(value).find(), name + " has a line break or another control character");
        return value;
    }

    public static int range(int value, int min, int max, String name) {
        check(value >= min && value <= max, name + " is " + value + ": pass " + min + " to " + max);
        return value;
    }

    @CanIgnoreReturnValue
    public static <T extends Collection<?>> T notEmpty(T values, String name) {
        check(values != null && !values.isEmpty(), name + " is empty: pass at least one");
        return values;
    }

    public static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** A value of a query or form. */
    public static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}

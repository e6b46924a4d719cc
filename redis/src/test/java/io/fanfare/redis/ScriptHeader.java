package io.fanfare.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of KEYS and ARGV in the header of a script, in their order, as a {@link BoundScript} has them; without
 * those that the script takes in any number.
 */
public record ScriptHeader(List<String> keys, List<String> args) {
    private static final Pattern HEADER = Pattern.compile(
            "\\A#!lua.*\\R(?:table\\.remove\\(KEYS\\) )?(?:do local may=.* end end )?--\\[\\[\\R((?s:.*?))\\R]]");
    private static final Pattern LINE =
            Pattern.compile("(?m)^  (KEYS|ARGV)\\[(\\d+)(\\.\\.|\\?)?] +(.+?)(?= [A-Z]+\\b|  |$)");

    /** Reads it; throws {@link AssertionError} when the numbers do not go up one by one. */
    public static ScriptHeader of(Script script) {
        return of(script.text());
    }

    static ScriptHeader of(String text) {
        Matcher header = HEADER.matcher(text);
        if (!header.find()) {
            throw new AssertionError("no header");
        }
        return new ScriptHeader(names("KEYS", header.group(1)), names("ARGV", header.group(1)));
    }

    private static List<String> names(String of, String header) {
        List<String> names = new ArrayList<>();
        boolean last = false;
        Matcher lines = LINE.matcher(header);
        while (lines.find()) {
            if (lines.group(1).equals(of)) {
                if (last || Integer.parseInt(lines.group(2)) != names.size() + 1) {
                    throw new AssertionError(of + "[" + lines.group(2) + "] is out of order");
                }
                last = "..".equals(lines.group(3));
                if (!last) {
                    names.add(lines.group(4).replace("{bus}:", "").replace(' ', '_'));
                }
            }
        }
        return names;
    }

    /** The names that the Java side gives. */
    public static ScriptHeader of(BoundScript<?, ?> bound) {
        return new ScriptHeader(bound.keyNames(), bound.argNames());
    }
}

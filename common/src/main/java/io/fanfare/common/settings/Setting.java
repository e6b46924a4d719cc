package io.fanfare.common.settings;

import io.fanfare.secret.Secret;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One leaf of {@link Settings}: its names, and how its text becomes a value. Immutable.
 *
 * @param key as in the file: {@code feeds.home-max}
 * @param type int, long, boolean, String, Duration, Secret or an enum
 * @param range null = whatever the type holds
 */
record Setting(String key, Class<?> type, Range range) {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?\\d{1,18}");

    /** Longest unit first, so that the first one that divides a duration is the one to print it in. */
    private static final Map<String, Long> UNIT_MILLIS = unitMillis();

    /** Read once: a start asks several times. */
    private static final List<Setting> ALL = collected();

    /** Every setting, in the order of the records. */
    static List<Setting> all() {
        return ALL;
    }

    private static List<Setting> collected() {
        List<Setting> all = new ArrayList<>();
        collect("", Settings.class, all);
        return List.copyOf(all);
    }

    /** {@code homeMax} is {@code home-max} in files. */
    static String kebab(String component) {
        StringBuilder kebab = new StringBuilder(component.length() + 4);
        for (int i = 0; i < component.length(); i++) {
            char letter = component.charAt(i);
            if (Character.isUpperCase(letter)) {
                kebab.append('-');
            }
            kebab.append(Character.toLowerCase(letter));
        }
        return kebab.toString();
    }

    /** {@code FANFARE_FEEDS_HOME_MAX}. */
    String environmentName() {
        return "FANFARE_" + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** A constant with a spelling of earlier releases, which stays possible. */
    interface Renamed {
        /** The earlier spelling; empty = none. */
        String former();
    }

    boolean secret() {
        return type == Secret.class;
    }

    /**
     * The value that the text stands for, checked against the range; an {@link IllegalArgumentException} without a
     * message when it is not a possible one.
     */
    Object parse(String text) {
        if (type == int.class) {
            return Math.toIntExact(wholeNumber(text));
        }
        if (type == long.class) {
            return wholeNumber(text);
        }
        if (type == boolean.class) {
            return truth(text);
        }
        if (type == Duration.class) {
            return Duration.ofMillis(checked(millis(text)));
        }
        if (type == Secret.class) {
            return new Secret(text);
        }
        if (type.isEnum()) {
            return constant(text);
        }
        return text;
    }

    /** The possible values, to follow "possible is": {@code a whole number from 1 to 10000}. */
    String possible() {
        if (type == boolean.class) {
            return "true or false";
        }
        if (type == Duration.class) {
            return "a duration from " + spell(range.min()) + " to " + spell(range.max())
                    + ", such as 250ms, 10s, 2m, 1h or 1d";
        }
        if (type.isEnum()) {
            return constants().stream().map(Setting::spell).collect(Collectors.joining(" or "));
        }
        if (type == int.class || type == long.class) {
            return "a whole number from " + min() + " to " + max();
        }
        return "a text";
    }

    private static void collect(String prefix, Class<?> record, List<Setting> all) {
        for (RecordComponent component : record.getRecordComponents()) {
            String key = prefix + kebab(component.getName());
            if (isGroup(component.getType())) {
                collect(key + ".", component.getType(), all);
            } else {
                all.add(new Setting(key, component.getType(), component.getAnnotation(Range.class)));
            }
        }
    }

    /** A record of settings, as against a {@link Secret}, which is a record too but one value. */
    static boolean isGroup(Class<?> type) {
        return type.isRecord() && type != Secret.class;
    }

    private long wholeNumber(String text) {
        if (!WHOLE_NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException();
        }
        return checked(Long.parseLong(text));
    }

    private static boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException();
        };
    }

    private static long millis(String text) {
        Matcher duration = DURATION.matcher(text);
        if (!duration.matches()) {
            throw new IllegalArgumentException();
        }
        return Math.multiplyExact(Long.parseLong(duration.group(1)), UNIT_MILLIS.get(duration.group(2)));
    }

    private Object constant(String text) {
        return constants().stream()
                .filter(constant -> spell(constant).equals(text)
                        || (!text.isEmpty()
                                && constant instanceof Renamed renamed
                                && renamed.former().equals(text)))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new);
    }

    private List<?> constants() {
        return Arrays.asList(type.getEnumConstants());
    }

    private long checked(long value) {
        if (value < min() || value > max()) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    private long min() {
        return range != null ? range.min() : type == int.class ? Integer.MIN_VALUE : Long.MIN_VALUE;
    }

    private long max() {
        return range != null ? range.max() : type == int.class ? Integer.MAX_VALUE : Long.MAX_VALUE;
    }

    private static String spell(Object constant) {
        return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String spell(long millis) {
        for (Map.Entry<String, Long> unit : UNIT_MILLIS.entrySet()) {
            if (millis > 0 && millis % unit.getValue() == 0) {
                return millis / unit.getValue() + unit.getKey();
            }
        }
        return millis + "ms";
    }

    private static Map<String, Long> unitMillis() {
        Map<String, Long> units = new LinkedHashMap<>();
        units.put("d", 86_400_000L);
        units.put("h", 3_600_000L);
        units.put("m", 60_000L);
        units.put("s", 1000L);
        units.put("ms", 1L);
        return units;
    }
}

package io.fanfare.server.http;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.vertx.core.MultiMap;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parameters of a request, wherever they stand: query, form, multipart or JSON, the body before the query.
 * {@code id}, {@code id[]} and {@code id[0]} are one name; of a repeated name that is not a list the last value counts;
 * an object inside JSON is flattened, {@code {"source":{"language":"en"}}} to {@code source[language]}. Lenient in
 * form, since many clients exist; what is there but makes no sense is a {@code Refusal(MALFORMED)}. There are few, with
 * short names ({@link ParameterReader}). Immutable.
 */
public final class Parameters {
    private static final Pattern CURSOR = Pattern.compile("\\d{1,40}");

    /** The start of a number; text behind its digits is not read. */
    private static final Pattern NUMBER = Pattern.compile("\\s{0,8}([+-]?\\d{1,40})");

    /** Numbers of fewer characters are no larger than an int. */
    private static final int SURELY_INT = 10;

    /** Longest word for a truth value that is false. */
    private static final int FLAG_CHARS_MAX = 5;

    /** 2010-01-01 and 2100-01-01: what people give as dates lies between. */
    private static final long FIRST_DATE_MILLIS = 1_262_304_000_000L;

    private static final long LAST_DATE_MILLIS = 4_102_444_800_000L;

    private final Map<String, List<String>> values;
    private final Map<String, UploadedFile> files;

    /** @param values by their plain names; changed no more */
    Parameters(Map<String, List<String>> values) {
        this(values, Map.of());
    }

    Parameters(Map<String, List<String>> values, Map<String, UploadedFile> files) {
        this.values = values;
        this.files = files;
    }

    /** The file of this name; null when there is none. */
    public UploadedFile file(String name) {
        return files.get(name);
    }

    /** Whether there are files. */
    public boolean hasFiles() {
        return !files.isEmpty();
    }

    /** No parameters. */
    public static Parameters none() {
        return new Parameters(Map.of());
    }

    /** The parameters of the address alone. */
    static Parameters ofQuery(MultiMap query) {
        ParameterReader reader = new ParameterReader();
        reader.addAll(query);
        return reader.parameters();
    }

    /** The value; null when it is not there. An empty one is there. */
    public String text(String name) {
        List<String> all = values.get(name);
        return all == null || all.isEmpty() ? null : all.get(all.size() - 1);
    }

    /** The value; {@code absent} when it is not there or empty. */
    public String text(String name, String absent) {
        String value = text(name);
        return value == null || value.isEmpty() ? absent : value;
    }

    /** Every value of a list, in order, empty ones left out. */
    public List<String> all(String name) {
        List<String> all = values.get(name);
        return all == null
                ? List.of()
                : all.stream().filter(value -> !value.isEmpty()).toList();
    }

    /**
     * The objects of a list, each by the names of its fields: {@code name[0][field]} in the order of the numbers,
     * {@code name[][field]} in the order that they came in, where a field that an object has already begins the next
     * one, and the same as JSON, where a list and an object with numbers for names are alike.
     */
    public List<Map<String, String>> objects(String name) {
        SortedMap<Integer, Map<String, String>> objects = new TreeMap<>();
        Pattern key = Pattern.compile(Pattern.quote(name) + "\\[(\\d{1,8})\\]\\[(\\w{1,40})\\]");
        values.forEach((path, all) -> {
            Matcher parts = key.matcher(path);
            if (parts.matches() && !all.isEmpty()) {
                objects.computeIfAbsent(Integer.parseInt(parts.group(1)), fresh -> new HashMap<>())
                        .put(parts.group(2), all.get(all.size() - 1));
            }
        });
        return List.copyOf(objects.values());
    }

    /** Whether there is a value under this name, so that its text is one. */
    public boolean has(String name) {
        return !values.getOrDefault(name, List.of()).isEmpty();
    }

    /** Whether there is a list under this name, be it an empty one. */
    public boolean hasList(String name) {
        return values.containsKey(name);
    }

    /** Whether there is anything under this name, or in an object of this name. */
    public boolean hasAny(String name) {
        if (has(name)) {
            return true;
        }
        String inside = name + "[";
        for (Map.Entry<String, List<String>> each : values.entrySet()) {
            if (each.getKey().startsWith(inside) && !each.getValue().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** A truth value, see {@link #truth}. */
    public boolean flag(String name, boolean absent) {
        return truth(text(name, ""), absent);
    }

    /**
     * A truth value as Mastodon reads one: 0, false, f, off, no and n are false in any case, and every other word is
     * true.
     *
     * @param absent for an empty text
     */
    public static boolean truth(String text, boolean absent) {
        String value = text.strip();
        if (value.length() > FLAG_CHARS_MAX) {
            return true; // Before its case is looked at, which may cost its length squared.
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "" -> absent;
            case "0", "false", "f", "off", "no", "n" -> false;
            default -> true;
        };
    }

    /** An id of ours; 0 when it is not there. What cannot be one of ours is -1: unknown, not malformed. */
    public long id(String name) {
        String value = text(name, "");
        return value.isEmpty() ? 0 : Id.parse(value);
    }

    /**
     * A number, moved into its bounds when it is outside of them. As in Mastodon its digits end at the first other sign
     * ({@code 20px}, {@code 1.5}), and a text without any is 0.
     */
    public int number(String name, int absent, int min, int max) {
        String value = text(name, "");
        if (value.isEmpty()) {
            return Math.min(absent, max);
        }
        Matcher begin = NUMBER.matcher(value);
        String digits = begin.lookingAt() ? begin.group(1) : "0";
        if (digits.length() < SURELY_INT) {
            return Math.max(min, Math.min(max, Integer.parseInt(digits)));
        }
        BigInteger number = new BigInteger(digits);
        return number.max(BigInteger.valueOf(min)).min(BigInteger.valueOf(max)).intValue();
    }

    /**
     * The page requested by {@code max_id}, {@code since_id}, {@code min_id} and {@code limit}. A {@code min_id} of 0
     * begins with the oldest, as in Mastodon: that is how bots and archives read a list from its start.
     */
    public PageRequest page(int limit, int limitMax) {
        boolean upward = !text("min_id", "").isEmpty();
        return new PageRequest(
                cursor("max_id", Id.MAX),
                cursor("since_id", 0),
                upward ? Math.max(PageRequest.BOTTOM, cursor("min_id", 0)) : 0,
                number("limit", limit, 1, limitMax));
    }

    /**
     * Refuses a {@code since_id} or {@code min_id} of a later time: nothing is newer, so a client that holds one, from
     * a clock that was wrong, would read empty pages until then.
     *
     * @param latestMillis Unix ms
     */
    public void refuseLaterThan(long latestMillis) {
        for (String name : List.of("since_id", "min_id")) {
            if (Id.epochMillis(cursor(name, 0)) > latestMillis) {
                throw new Refusal(
                        Refusal.Reason.MALFORMED,
                        "The parameter " + name
                                + " is of the future, where nothing is: leave it out, and go on from the newest entry.");
            }
        }
    }

    /**
     * Any decimal number: other servers' ids are longer than ours, and clients use huge ones for "from the newest".
     * Some clients let people give a date and make an id of it as Mastodon does: those mean that moment.
     */
    private long cursor(String name, long absent) {
        String value = text(name, "").strip();
        if (value.isEmpty()) {
            return absent;
        }
        if (!CURSOR.matcher(value).matches()) {
            throw malformed(name, "an id");
        }
        return value.length() > 18 ? Id.MAX : own(Long.parseLong(value));
    }

    /**
     * Mastodon's ids are Unix milliseconds times 2^16; those of the years from 2010 to 2100 are longer than any of
     * ours.
     */
    private static long own(long id) {
        long millis = id >>> 16;
        if (millis < FIRST_DATE_MILLIS || millis > LAST_DATE_MILLIS) {
            return Math.min(Id.MAX, id);
        }
        return millis < Id.EPOCH_MILLIS ? PageRequest.BOTTOM : Math.min(Id.MAX, Id.of(millis, 0, 0));
    }

    private static Refusal malformed(String name, String wanted) {
        return new Refusal(Refusal.Reason.MALFORMED, "The parameter " + name + " must be " + wanted + ".");
    }
}

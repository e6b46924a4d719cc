package io.fanfare.common.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parameters of a request, wherever they stand: query, form, multipart or JSON, the body before the query. {@code id}, {@code id[]} and {@code id[0]} are one name; of a
 * repeated name that is not a list the last value counts; an object inside JSON is flattened, {@code {"source":{"language":"en"}}} to {@code source[language]}. Lenient in
 * form, since many clients exist; what is there but makes no sense is a {@code Refusal(MALFORMED)}. Immutable.
 */
public final class Parameters {
    private static final int DEPTH_MAX = 32;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxNumberLength(40)
                    .build())
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    /** How the front door calls the form of a GET. */
    static final String FORM_OF_GET = "text/x-form";

    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,40}");

    /** Numbers of fewer characters are no larger than an int. */
    private static final int SURELY_INT = 10;

    private final Map<String, List<String>> values;

    private Parameters(Map<String, List<String>> values) {
        this.values = values;
    }

    /** Reads them all; the body must have been received. */
    public static Parameters of(RoutingContext ctx) {
        Map<String, List<String>> values = new HashMap<>();
        addAll(values, ctx.queryParams());
        HttpServerRequest request = ctx.request();
        String coding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw new Refusal(
                    Refusal.Reason.WRONG_TYPE, "Compressed bodies are not read here: send the body as it is.");
        }
        Buffer body = ctx.body().buffer();
        Map<String, List<String>> inBody = new HashMap<>();
        addAll(inBody, request.formAttributes());
        if (body != null && body.length() > 0 && inBody.isEmpty()) {
            readBody(inBody, body, request.getHeader(HttpHeaders.CONTENT_TYPE));
        }
        values.putAll(inBody);
        return new Parameters(values);
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
     * The objects of a list, each by the names of its fields: {@code name[0][field]} in the order of the numbers, {@code name[][field]} in the order that they came in, and the
     * same as JSON, where a list and an object with numbers for names are alike.
     */
    public List<Map<String, String>> objects(String name) {
        SortedMap<Integer, Map<String, String>> objects = new TreeMap<>();
        Pattern key = Pattern.compile(Pattern.quote(name) + "\\[(\\d{0,8})\\]\\[(\\w{1,40})\\]");
        values.forEach((path, all) -> {
            Matcher parts = key.matcher(path);
            for (int i = 0; parts.matches() && i < all.size(); i++) {
                int index = parts.group(1).isEmpty() ? i : Integer.parseInt(parts.group(1));
                objects.computeIfAbsent(index, fresh -> new HashMap<>()).put(parts.group(2), all.get(i));
            }
        });
        return List.copyOf(objects.values());
    }

    /** Whether there is a value under this name, so that its text is one. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Whether there is anything under this name, or in an object of this name. */
    public boolean hasAny(String name) {
        if (has(name)) {
            return true;
        }
        String inside = name + "[";
        for (String key : values.keySet()) {
            if (key.startsWith(inside)) {
                return true;
            }
        }
        return false;
    }

    /** A truth value in any of the forms in use: 1, true, t, on, yes; 0, false, f, off, no. */
    public boolean flag(String name, boolean absent) {
        String value = text(name, "").toLowerCase(Locale.ROOT);
        return switch (value) {
            case "" -> absent;
            case "1", "true", "t", "on", "yes" -> true;
            case "0", "false", "f", "off", "no" -> false;
            default -> throw malformed(name, "true or false");
        };
    }

    /** An id of ours; 0 when it is not there. What cannot be one of ours is -1: unknown, not malformed. */
    public long id(String name) {
        String value = text(name, "");
        return value.isEmpty() ? 0 : Id.parse(value);
    }

    /** A number, moved into its bounds when it is outside of them. */
    public int number(String name, int absent, int min, int max) {
        String value = text(name, "");
        if (value.isEmpty()) {
            return Math.min(absent, max);
        }
        if (!NUMBER.matcher(value).matches()) {
            throw malformed(name, "a number");
        }
        if (value.length() < SURELY_INT) {
            return Math.max(min, Math.min(max, Integer.parseInt(value)));
        }
        BigInteger number = new BigInteger(value);
        return number.max(BigInteger.valueOf(min)).min(BigInteger.valueOf(max)).intValue();
    }

    /**
     * The page asked for by {@code max_id}, {@code since_id}, {@code min_id} and {@code limit}. A {@code min_id} of 0 begins with the oldest, as in Mastodon: that is how bots and
     * archives read a list from its start.
     */
    public PageRequest page(int limit, int limitMax) {
        boolean upward = !text("min_id", "").isEmpty();
        return new PageRequest(
                cursor("max_id", Id.MAX),
                cursor("since_id", 0),
                upward ? Math.max(PageRequest.BOTTOM, cursor("min_id", 0)) : 0,
                number("limit", limit, 1, limitMax));
    }

    /** Any decimal number: other servers' ids are longer than ours, and clients use huge ones for "from the newest". */
    private long cursor(String name, long absent) {
        String value = text(name, "");
        if (value.isEmpty()) {
            return absent;
        }
        if (!value.matches("\\d{1,40}")) {
            throw malformed(name, "an id");
        }
        return value.length() > 18 ? Id.MAX : Math.min(Id.MAX, Long.parseLong(value));
    }

    private static Refusal malformed(String name, String wanted) {
        return new Refusal(Refusal.Reason.MALFORMED, "The parameter " + name + " must be " + wanted + ".");
    }

    private static void addAll(Map<String, List<String>> values, MultiMap given) {
        given.forEach(entry -> add(values, entry.getKey(), entry.getValue()));
    }

    private static void add(Map<String, List<String>> values, String name, String value) {
        values.computeIfAbsent(plain(name), key -> new ArrayList<>(1)).add(wellFormed(value));
    }

    /** {@code id[]} and {@code id[0]} without their brackets. */
    private static String plain(String name) {
        int open = name.lastIndexOf('[');
        boolean list = open > 0
                && name.endsWith("]")
                && name.substring(open + 1, name.length() - 1).chars().allMatch(Character::isDigit);
        return list ? name.substring(0, open) : name;
    }

    private static void readBody(Map<String, List<String>> values, Buffer body, String contentType) {
        String type = contentType == null
                ? ""
                : contentType.toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
        boolean json =
                type.equals("application/json") || type.endsWith("+json") || (type.isEmpty() && body.getByte(0) == '{');
        boolean form = type.equals("application/x-www-form-urlencoded") || type.equals("multipart/form-data");
        if (json) {
            readJson(values, body);
        } else if (type.equals(FORM_OF_GET)) {
            readForm(values, body);
        } else if (!form) {
            throw new Refusal(
                    Refusal.Reason.WRONG_TYPE,
                    "The body has a type that is not read here: send application/json, application/x-www-form-urlencoded or multipart/form-data.");
        }
    }

    private static void readForm(Map<String, List<String>> values, Buffer body) {
        try {
            new QueryStringDecoder(body.toString(), /* hasPath= */ false)
                    .parameters()
                    .forEach((name, all) -> all.forEach(value -> add(values, name, value)));
        } catch (IllegalArgumentException e) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The form is malformed: a % must be followed by two hexadecimal digits, write %25 for the sign itself.");
        }
    }

    private static void readJson(Map<String, List<String>> values, Buffer body) {
        try (JsonParser parser = JSON.createParser(body.getBytes())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new Refusal(Refusal.Reason.MALFORMED, "The body must be a JSON object: { ... }.");
            }
            readObject(values, parser, "");
            if (parser.nextToken() != null) {
                throw new Refusal(Refusal.Reason.MALFORMED, "The body must be one JSON object with nothing after it.");
            }
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            throw new Refusal(
                    Refusal.Reason.MALFORMED, "The body is not valid JSON" + where + ": correct it and send it again.");
        } catch (IOException e) {
            // Bytes that are no UTF-8; the source is memory, nothing else can fail.
            throw new Refusal(
                    Refusal.Reason.MALFORMED, "The body is not valid JSON in UTF-8: correct it and send it again.");
        }
    }

    private static void readObject(Map<String, List<String>> values, JsonParser parser, String prefix)
            throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            String path = prefix.isEmpty() ? name : prefix + "[" + name + "]";
            // A name that stands twice: the last one counts, lists included.
            values.remove(plain(path));
            parser.nextToken();
            readValue(values, parser, path);
        }
    }

    private static void readValue(Map<String, List<String>> values, JsonParser parser, String path) throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> readObject(values, parser, path);
            case START_ARRAY -> {
                for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                    // Objects are told apart by their place; of anything else the list is one list.
                    boolean object = parser.currentToken() == JsonToken.START_OBJECT;
                    readValue(values, parser, object ? path + "[" + i + "]" : path);
                }
            }
            case VALUE_NULL -> {}
            default -> add(values, path, parser.getText());
        }
    }

    /** Half of a surrogate pair is no character and cannot be written as UTF-8: it becomes U+FFFD, as in every decoder. */
    private static String wellFormed(String text) {
        StringBuilder repaired = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (Character.isSurrogate(c)) {
                repaired = repaired == null ? new StringBuilder(text) : repaired;
                repaired.setCharAt(i, '\uFFFD');
            }
        }
        return repaired == null ? text : repaired.toString();
    }
}

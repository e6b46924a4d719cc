package io.fanfare.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.fanfare.common.model.Refusal;
import io.fanfare.vertx.VertxInternals;
import io.vertx.core.MultiMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts the {@link Parameters} of one request together. A request has at most {@link #VALUES_MAX} values, wherever they
 * stand, and no name of more than {@link #NAME_CHARS_MAX} characters, the names around it among them; reading ends at
 * the first that is over. So the work and the memory are in proportion to the bytes. To be used once.
 */
final class ParameterReader {
    /** Values of a request over all sources; of JSON each value counts, objects and lists as well. */
    static final int VALUES_MAX = 512;

    /** The longest name in a form, as in {@code fields_attributes[0][value]}, brackets and all. */
    static final int NAME_CHARS_MAX = 100;

    private static final int DEPTH_MAX = 32;
    private static final int NUMBER_CHARS_MAX = 40;

    /** Jackson measures by and by, and in bytes; {@link #NAME_CHARS_MAX} is exact. */
    private static final int JSON_NAME_MAX = 1000;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxNumberLength(NUMBER_CHARS_MAX)
                    .maxNameLength(JSON_NAME_MAX)
                    .build())
            // Names are whatever strangers write: the JVM's own table is none of theirs, and in Jackson's, which is
            // bounded, names that collide are no failure.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private final Map<String, List<String>> values = new HashMap<>();

    /** Values that count only where {@link #values} has none. */
    private final Map<String, List<String>> lower;

    /** The last object of each list of objects whose fields come without a number. */
    private final Map<String, OpenObject> open = new HashMap<>();

    private int count;

    ParameterReader() {
        this(Map.of(), 0);
    }

    private ParameterReader(Map<String, List<String>> lower, int count) {
        this.lower = lower;
        this.count = count;
    }

    /** One whose values come before those of this one, and are counted with them. */
    ParameterReader under() {
        return new ParameterReader(values, count);
    }

    Parameters parameters() {
        Map<String, List<String>> all = new HashMap<>(lower);
        all.putAll(values);
        return new Parameters(all);
    }

    /** With the files of the request. */
    Parameters parameters(Map<String, UploadedFile> files) {
        Map<String, List<String>> all = new HashMap<>(lower);
        all.putAll(values);
        return new Parameters(all, Map.copyOf(files));
    }

    /** Refuses a name that is too long. */
    static void checkName(String name) {
        checkLength(name.length());
    }

    private static void checkLength(int chars) {
        if (chars > NAME_CHARS_MAX) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The name of a parameter has more than " + NAME_CHARS_MAX
                            + " characters, those around it included: no parameter here has such a name.");
        }
    }

    private void count() {
        count++;
        if (count > VALUES_MAX) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The request has more than " + VALUES_MAX
                            + " values: send fewer, or where a list with commas is taken, one of those.");
        }
    }

    void addAll(MultiMap given) {
        given.forEach(entry -> add(entry.getKey(), entry.getValue()));
    }

    void add(String name, String value) {
        checkName(name);
        count();
        put(name, value);
    }

    private void put(String name, String value) {
        values.computeIfAbsent(plain(numbered(name)), key -> new ArrayList<>(1)).add(wellFormed(value));
    }

    /** An object of a list, with the fields that it has so far. */
    private static final class OpenObject {
        private final Set<String> fields = new HashSet<>();
        private int number;
    }

    /** {@code name[][field]} with the number of its object: a field that the last one has begins the next one. */
    private String numbered(String name) {
        int at = name.indexOf("[][");
        if (at <= 0) {
            return name;
        }
        String field = name.substring(at + 2);
        OpenObject object = open.computeIfAbsent(name.substring(0, at), list -> new OpenObject());
        if (!object.fields.add(field)) {
            object.number++;
            object.fields.clear();
            boolean unused = object.fields.add(field);
        }
        return name.substring(0, at) + "[" + object.number + "]" + field;
    }

    /** {@code id[]} and {@code id[0]} without their brackets. */
    private static String plain(String name) {
        int open = name.lastIndexOf('[');
        boolean list = open > 0
                && name.endsWith("]")
                && name.substring(open + 1, name.length() - 1).chars().allMatch(Character::isDigit);
        return list ? name.substring(0, open) : name;
    }

    /**
     * A URL-encoded form. Netty's decoder, and the JDK's, make a string of each run of escapes, so that a form of short
     * runs costs twelve times its bytes: each name and each value is decoded as a whole here.
     */
    void addForm(byte[] bytes, int length) {
        String form = utf8(bytes, length).stripTrailing();
        try {
            for (int from = 0; from < form.length(); ) {
                int ampersand = form.indexOf('&', from);
                int to = ampersand < 0 ? form.length() : ampersand;
                // What has no name is left out.
                if (to > from && form.charAt(from) != '=') {
                    addPair(form.substring(from, to));
                }
                from = to + 1;
            }
        } catch (IllegalArgumentException e) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The form is malformed: a % must be followed by two hexadecimal digits, write %25 for the sign itself.");
        }
    }

    private static String utf8(byte[] bytes, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw notUtf8();
        }
    }

    private void addPair(String pair) {
        int equals = pair.indexOf('=');
        if (equals < 0) {
            add(decoded(pair), "");
        } else {
            add(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
        }
    }

    private static String decoded(String escaped) {
        if (!PercentEncoding.isWellFormed(escaped)) {
            throw new IllegalArgumentException("a % without two digits");
        }
        if (!PercentEncoding.isUtf8(escaped)) {
            throw notUtf8();
        }
        return VertxInternals.decodeFormComponent(escaped);
    }

    private static Refusal notUtf8() {
        return new Refusal(
                Refusal.Reason.MALFORMED, "The form is not in UTF-8: write its letters in UTF-8 and send it again.");
    }

    /** A body of no type: JSON, or nothing that is read. */
    void addUnknown(byte[] bytes, int length) {
        if (bytes[0] != '{') {
            throw wrongType();
        }
        addJson(bytes, length);
    }

    static Refusal wrongType() {
        return new Refusal(
                Refusal.Reason.WRONG_TYPE,
                "The body has a type that is not read here: send application/json, application/x-www-form-urlencoded or multipart/form-data.");
    }

    void addJson(byte[] bytes, int length) {
        try (JsonParser parser = JSON.createParser(bytes, 0, length)) {
            JsonToken first = parser.nextToken();
            // Clients generated for Java write null where a body may be missing.
            if (first != JsonToken.VALUE_NULL) {
                if (first != JsonToken.START_OBJECT) {
                    throw new Refusal(Refusal.Reason.MALFORMED, "The body must be a JSON object: { ... }.");
                }
                addObject(parser, "");
            }
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

    private void addObject(JsonParser parser, String prefix) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String path = inside(prefix, parser.currentName());
            // A name that stands twice: the last one counts, lists included.
            values.remove(plain(path));
            parser.nextToken();
            addValue(parser, path);
        }
    }

    /** No longer than a name may be, so that it costs no more than its bytes and a constant. */
    private static String inside(String prefix, String name) {
        if (prefix.isEmpty()) {
            checkName(name);
            return name;
        }
        checkLength(prefix.length() + name.length() + 2);
        return prefix + "[" + name + "]";
    }

    private void addValue(JsonParser parser, String path) throws IOException {
        count();
        switch (parser.currentToken()) {
            case START_OBJECT -> addObject(parser, path);
            case START_ARRAY -> {
                int i = 0;
                for (; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                    // Objects are distinguished by their place; of anything else the list is one list.
                    boolean object = parser.currentToken() == JsonToken.START_OBJECT;
                    addValue(parser, object ? inside(path, Integer.toString(i)) : path);
                }
                if (i == 0) {
                    // An empty value counts, as with an empty field of a form.
                    values.computeIfAbsent(plain(path), name -> new ArrayList<>(0));
                }
            }
            case VALUE_NULL -> {}
            case VALUE_NUMBER_FLOAT -> put(path, whole(parser.getText()));
            default -> put(path, parser.getText());
        }
    }

    /** Languages without integers write 600.0 for 600. */
    private static String whole(String number) {
        int dot = number.indexOf('.');
        for (int i = dot + 1; i < number.length(); i++) {
            if (number.charAt(i) != '0') {
                return number;
            }
        }
        return dot > 0 ? number.substring(0, dot) : number;
    }

    /**
     * Half of a surrogate pair is no character and cannot be written as UTF-8: it becomes U+FFFD, as in every decoder.
     * A control character, which nobody sees and terminals obey, becomes a space, but for tabs and ends of lines.
     */
    private static String wellFormed(String text) {
        StringBuilder repaired = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                if (c != '\t' && c != '\n' && c != '\r') {
                    repaired = repaired == null ? new StringBuilder(text) : repaired;
                    repaired.setCharAt(i, ' ');
                }
                continue;
            }
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

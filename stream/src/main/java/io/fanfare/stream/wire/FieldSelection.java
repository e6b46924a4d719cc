package io.fanfare.stream.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.match.InvalidFilter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The fields of a status that a stream sends, for readers that want few of them; {@code id} is always among them.
 * Streams with the same selection and filter share the frames.
 *
 * @param names of fields at the top; empty = all fields
 */
public record FieldSelection(Set<String> names) {
    public static final FieldSelection ALL = new FieldSelection(Set.of());

    private static final int NAMES_MAX = 50;
    private static final Pattern NAME = Pattern.compile("[a-z_]{1,40}");
    private static final JsonFactory JSON = new JsonFactory();

    public FieldSelection {
        names = Set.copyOf(names);
    }

    /** Reads {@code content,account,created_at}; an empty text selects all. Throws {@link InvalidFilter}. */
    public static FieldSelection parse(String parameter, String text) {
        if (text.isBlank()) {
            return ALL;
        }
        Set<String> names = new LinkedHashSet<>();
        for (String name : text.split(",", NAMES_MAX + 1)) {
            if (!NAME.matcher(name.strip()).matches()) {
                throw InvalidFilter.unacceptable(
                        parameter, "Fields are names of a status with commas between, at most 50: content,account.");
            }
            boolean unused = names.add(name.strip());
        }
        if (names.size() > NAMES_MAX) {
            throw InvalidFilter.tooMany(parameter, NAMES_MAX, names.size());
        }
        boolean unused = names.add("id");
        return new FieldSelection(names);
    }

    /** The status with these fields only. */
    public LoggedEvent of(LoggedEvent status) {
        if (names.isEmpty()) {
            return status;
        }
        StringWriter selected = new StringWriter();
        try (JsonParser in = JSON.createParser(status.event().body());
                JsonGenerator out = JSON.createGenerator(selected)) {
            JsonToken begin = in.nextToken();
            out.copyCurrentEvent(in);
            while (begin == JsonToken.START_OBJECT && in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                JsonToken value = in.nextToken();
                if (names.contains(name) && value != null) {
                    out.writeFieldName(name);
                    out.copyCurrentStructure(in);
                } else {
                    in.skipChildren();
                }
            }
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return status.withBody(selected.toString());
    }
}

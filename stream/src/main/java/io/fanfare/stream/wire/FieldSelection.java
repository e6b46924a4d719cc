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

/**
 * The fields of a status that a stream sends, for readers that want few of them; {@code id} is always among them.
 * Streams with the same selection and filter share the frames.
 *
 * @param names of fields at the top; empty = all fields
 */
public record FieldSelection(Set<String> names) {
    public static final FieldSelection ALL = new FieldSelection(Set.of());

    /**
     * The fields of the schema Status in openapi.yaml, which {@code FilterParameterTest} compares, and {@code matched}.
     */
    public static final Set<String> KNOWN = Set.of(
            "account",
            "application",
            "article",
            "bookmarked",
            "card",
            "content",
            "created_at",
            "deleted",
            "edited_at",
            "emojis",
            "favourited",
            "favourites_count",
            "filtered",
            "id",
            "in_reply_to_account_id",
            "in_reply_to_id",
            "language",
            "matched",
            "media_attachments",
            "mentions",
            "muted",
            "pinned",
            "place",
            "poll",
            "quote",
            "quote_approval",
            "quotes_count",
            "reblog",
            "reblogged",
            "reblogs_count",
            "replies_count",
            "sensitive",
            "spoiler_text",
            "tags",
            "uri",
            "url",
            "visibility");

    private static final int NAMES_MAX = 50;
    private static final JsonFactory JSON = new JsonFactory();

    public FieldSelection {
        names = Set.copyOf(names);
    }

    /** Reads {@code content,account,created_at}; an empty text selects all. Throws {@link InvalidFilter}. */
    public static FieldSelection parse(String parameter, String text) {
        if (text.isBlank()) {
            return ALL;
        }
        long count = 1 + text.chars().filter(c -> c == ',').count();
        if (count > NAMES_MAX) {
            throw InvalidFilter.tooMany(parameter, NAMES_MAX, count);
        }
        Set<String> names = new LinkedHashSet<>(Set.of("id"));
        for (String name : text.split(",", -1)) {
            if (!KNOWN.contains(name.strip())) {
                throw InvalidFilter.unacceptable(
                        parameter, "Fields are names of fields of a status with commas between: content,account.");
            }
            boolean unused = names.add(name.strip());
        }
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

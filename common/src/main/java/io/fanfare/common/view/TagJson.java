package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.TagHistory;
import io.fanfare.common.model.TagStanding;
import io.fanfare.common.text.Html;
import java.io.IOException;
import java.util.List;

/** The entity Tag. Immutable. */
public final class TagJson {
    private final PublicUrls urls;

    TagJson(PublicUrls urls) {
        this.urls = urls;
    }

    /**
     * A tag with its history; its id is its name.
     *
     * @param standing what the viewer does with the tag; null = an anonymous viewer
     */
    public void write(JsonGenerator json, String tag, TagHistory history, TagStanding standing) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", tag);
        fields(json, tag);
        json.writeArrayFieldStart("history");
        for (TagHistory.Day day : history.days()) {
            json.writeStartObject();
            json.writeStringField("day", Long.toString(day.epochSecond()));
            json.writeStringField("uses", Long.toString(day.uses()));
            json.writeStringField("accounts", Long.toString(day.accounts()));
            json.writeEndObject();
        }
        json.writeEndArray();
        if (standing != null) {
            json.writeBooleanField("following", standing.following());
            json.writeBooleanField("featuring", standing.featuring());
        }
        json.writeEndObject();
    }

    /** The field {@code tags} of a status. */
    void field(JsonGenerator json, List<String> tags) throws IOException {
        json.writeArrayFieldStart("tags");
        for (String tag : tags) {
            json.writeStartObject();
            fields(json, tag);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void fields(JsonGenerator json, String tag) throws IOException {
        json.writeStringField("name", tag);
        json.writeStringField("url", Html.tagUrl(urls.base(), tag));
    }
}

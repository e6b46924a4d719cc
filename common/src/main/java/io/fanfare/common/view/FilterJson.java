package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.FilterMatch;
import io.fanfare.common.model.UserFilter;
import java.io.IOException;
import java.util.List;

/** The entities Filter and FilterResult. */
public final class FilterJson {
    private FilterJson() {}

    /** The fields of a Filter that are also in each FilterResult. */
    public static void fields(JsonGenerator json, UserFilter filter) throws IOException {
        json.writeStringField("id", Long.toString(filter.id()));
        json.writeStringField("title", filter.title());
        contexts(json, filter);
        json.writeStringField("expires_at", filter.expiresAt() == 0 ? null : Timestamps.time(filter.expiresAt()));
        json.writeStringField("filter_action", filter.action().wire());
    }

    /** The field {@code context}: the places where a filter applies. */
    public static void contexts(JsonGenerator json, UserFilter filter) throws IOException {
        json.writeArrayFieldStart("context");
        for (UserFilter.Context context : filter.contexts()) {
            json.writeString(context.wire());
        }
        json.writeEndArray();
    }

    /** The field {@code filtered} of a status. */
    public static void results(JsonGenerator json, List<FilterMatch> matches) throws IOException {
        json.writeArrayFieldStart("filtered");
        for (FilterMatch match : matches) {
            json.writeStartObject();
            json.writeObjectFieldStart("filter");
            fields(json, match.filter());
            json.writeEndObject();
            json.writeFieldName("keyword_matches");
            if (match.keyword() == null) {
                json.writeNull();
            } else {
                json.writeStartArray();
                json.writeString(match.keyword());
                json.writeEndArray();
            }
            json.writeFieldName("status_matches");
            if (match.statuses().isEmpty()) {
                json.writeNull();
            } else {
                json.writeStartArray();
                for (long id : match.statuses()) {
                    json.writeString(Long.toString(id));
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}

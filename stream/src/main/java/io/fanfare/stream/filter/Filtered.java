package io.fanfare.stream.filter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.model.FilterMatch;
import io.fanfare.common.view.FilterJson;
import io.fanfare.common.view.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A status for one viewer, some of whose filters match it: with the field {@code filtered} of the API, also in what it
 * reposts.
 */
final class Filtered {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Filtered() {}

    static LoggedEvent of(LoggedEvent status, List<FilterMatch> matches) {
        Event event = status.event();
        byte[] field = Json.bytes(json -> {
            json.writeStartObject();
            FilterJson.results(json, matches);
            json.writeEndObject();
        });
        JsonNode filtered = node(new String(field, StandardCharsets.UTF_8)).get("filtered");
        ObjectNode body = (ObjectNode) node(event.body());
        JsonNode unused = body.set("filtered", filtered);
        if (body.get("reblog") instanceof ObjectNode reblog) {
            unused = reblog.set("filtered", filtered);
        }
        return new LoggedEvent(
                status.epoch(), status.seq(), status.appendedAtMillis(), event.withBody(body.toString()));
    }

    /**
     * The texts beside its own that keywords look at: the warning, the descriptions of pictures, and the options of a
     * poll; of a repost those of the original.
     */
    static String besidesText(LoggedEvent status) {
        JsonNode body = node(status.event().body());
        JsonNode shown = body.path("reblog").isObject() ? body.get("reblog") : body;
        StringBuilder words = new StringBuilder(shown.path("spoiler_text").asText(""));
        for (JsonNode picture : shown.path("media_attachments")) {
            if (!picture.path("description").isNull()) {
                words.append("\n\n").append(picture.path("description").asText(""));
            }
        }
        for (JsonNode option : shown.path("poll").path("options")) {
            words.append("\n\n").append(option.path("title").asText(""));
        }
        return words.toString();
    }

    private static JsonNode node(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON"); // Without the cause, which may quote it.
        }
    }
}

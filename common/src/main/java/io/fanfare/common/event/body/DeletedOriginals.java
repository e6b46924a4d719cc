package io.fanfare.common.event.body;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Reference;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.RenderContext.Showing;
import io.fanfare.common.view.Views;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;

/**
 * Takes deleted statuses out of rendered ones that repost or quote them, and out of notifications of such: what is left
 * is what {@link Views} shows of an original that is gone.
 */
final class DeletedOriginals {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The fields of a deleted status that stay known. */
    private static final List<String> KEPT = List.of("id", "created_at", "uri", "url", "account");

    /** The viewer's flags. */
    private static final List<String> FLAGS =
            List.of("favourited", "reblogged", "bookmarked", "muted", "pinned", "filtered");

    private static final ObjectNode TOMBSTONE = tombstone();

    private DeletedOriginals() {}

    /**
     * The JSON of a Status or Notification without the words of what is gone. Throws {@link IllegalArgumentException}
     * when it is not JSON; the message holds nothing of it.
     */
    static String in(String body, Set<Long> gone) {
        try {
            JsonNode entity = MAPPER.readTree(body);
            leaveOut(gone, entity);
            leaveOut(gone, entity.path("status"));
            return Json.line(json -> MAPPER.writeTree(json, entity));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not the JSON of an event");
        }
    }

    private static void leaveOut(Set<Long> gone, JsonNode status) {
        JsonNode reblog = status.path("reblog");
        if (isGone(gone, reblog)) {
            ((ObjectNode) status).set("reblog", leftOf(reblog));
        } else if (reblog.isObject()) {
            leaveOut(gone, reblog);
        }
        JsonNode quote = status.path("quote");
        JsonNode quoted = quote.path("quoted_status");
        if (isGone(gone, quoted)) {
            ((ObjectNode) quote).put("state", Showing.GONE.wire()).putNull("quoted_status");
        } else if (gone.contains(quoted.path("quote").path("quoted_status_id").asLong())) {
            ((ObjectNode) quoted.get("quote")).put("state", Showing.GONE.wire()).putNull("quoted_status_id");
        }
    }

    private static boolean isGone(Set<Long> gone, JsonNode status) {
        return status.isObject() && gone.contains(status.path("id").asLong());
    }

    private static ObjectNode leftOf(JsonNode status) {
        ObjectNode left = TOMBSTONE.deepCopy();
        KEPT.forEach(field -> left.set(field, status.path(field)));
        left.remove("deleted");
        FLAGS.stream().filter(status::has).forEach(flag -> left.set(flag, status.get(flag)));
        return left.put("deleted", true);
    }

    /** A tombstone, whose author is nobody. */
    private static ObjectNode tombstone() {
        Account nobody = new Account(1, "", "", "", 0, 0, 0, 0);
        try {
            return (ObjectNode) MAPPER.readTree(Json.bytes(
                    json -> new Views("").statuses().tombstone(json, new Reference(1, 1), RenderContext.of(nobody))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

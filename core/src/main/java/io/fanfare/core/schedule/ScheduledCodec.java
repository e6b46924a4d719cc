package io.fanfare.core.schedule;

import io.fanfare.common.model.Application;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.PostOptions;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Visibility;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** The stored form of a scheduled status. Ids are texts: scripts read it, and their numbers are not so long. */
public final class ScheduledCodec {
    private ScheduledCodec() {}

    /** All but its id and its time. */
    public static String write(ScheduledStatus status) {
        Application application = status.application();
        PostWords words = status.words();
        PostOptions options = words.options();
        JsonObject json = new JsonObject()
                .put("text", words.text())
                // Older versions need it, be it empty.
                .put("client", application == null ? "" : application.name());
        if (application != null && application.website() != null) {
            json.put("site", application.website());
        }
        if (options.visibility() != null) {
            json.put("visibility", options.visibility().wire());
        }
        if (!words.spoilerText().isEmpty()) {
            json.put("warning", words.spoilerText());
        }
        if (options.sensitive() != null) {
            json.put("sensitive", options.sensitive());
        }
        if (options.language() != null) {
            json.put("language", options.language());
        }
        if (status.subjectId() != 0) {
            json.put("subject", Long.toString(status.subjectId()));
        }
        if (status.inReplyToId() != 0) {
            json.put("reply", Long.toString(status.inReplyToId()));
        }
        if (status.quotedId() != 0) {
            json.put("quote", Long.toString(status.quotedId()));
        }
        if (words.place() != null) {
            Place place = words.place();
            json.put(
                    "place",
                    new JsonObject()
                            .put("latitude", place.latitude())
                            .put("longitude", place.longitude())
                            .put("name", place.name()));
        }
        if (!status.attachments().isEmpty()) {
            json.put(
                    "media",
                    new JsonArray(
                            status.attachments().stream().map(Attachment::line).toList()));
        }
        if (status.poll() != null) {
            json.put("poll", status.poll().lines());
        }
        if (options.quotePolicy() != null) {
            json.put("quoters", options.quotePolicy().wire());
        }
        return json.encode();
    }

    /** Reads the output of {@link #write}. */
    public static ScheduledStatus read(long id, long dueMillis, String text) {
        JsonObject json = new JsonObject(text);
        JsonObject place = json.getJsonObject("place");
        List<Attachment> attachments = json.getJsonArray("media", new JsonArray()).stream()
                .map(line -> Attachment.of((String) line))
                .flatMap(Optional::stream)
                .toList();
        PostOptions options = new PostOptions(
                Visibility.of(json.getString("visibility", "")),
                json.getBoolean("sensitive"),
                json.getString("language"),
                json.containsKey("quoters") ? QuotePolicy.stored(json.getString("quoters")) : null);
        PostWords words = new PostWords(
                json.getString("text"),
                json.getString("warning", ""),
                place == null
                        ? null
                        : new Place(place.getDouble("latitude"), place.getDouble("longitude"), place.getString("name")),
                options);
        return new ScheduledStatus(
                id,
                dueMillis,
                words,
                Long.parseLong(json.getString("subject", "0")),
                Long.parseLong(json.getString("reply", "0")),
                Long.parseLong(json.getString("quote", "0")),
                attachments,
                json.containsKey("poll") ? Poll.of(json.getString("poll")).orElse(null) : null,
                Application.of(json.getString("client"), json.getString("site")));
    }
}

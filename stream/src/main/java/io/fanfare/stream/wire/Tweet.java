package io.fanfare.stream.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.errorprone.annotations.Immutable;
import io.fanfare.common.id.Id;
import io.fanfare.common.text.Html;
import io.fanfare.common.text.TextEntities;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A status in the shape of a tweet of Twitter's API v1.1: what clients made for Twitter's streams parse. It is made of
 * the status's JSON, once for each event and mode.
 *
 * <p>Web addresses are not shortened: {@code url} and {@code expanded_url} of an entity are the same. Indices count
 * code points, as Twitter's do. What Fanfare does not have, such as a user's location, is null, empty or zero.
 *
 * @param extended whether the text is {@code full_text} with its range ({@code tweet_mode=extended}), else {@code text}
 */
@Immutable
record Tweet(boolean extended) {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private static final DateTimeFormatter CREATED_AT = DateTimeFormatter.ofPattern(
                    "EEE MMM dd HH:mm:ss Z yyyy", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** Statuses within statuses: a repost of a quote is the deepest that Fanfare renders. */
    private static final int DEPTH_MAX = 3;

    /** The tweet of a status as events have it. */
    String of(String statusJson) {
        try {
            StringWriter text = new StringWriter(2 * statusJson.length());
            try (JsonGenerator json = MAPPER.createGenerator(text)) {
                tweet(json, MAPPER.readTree(statusJson), DEPTH_MAX);
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void tweet(JsonGenerator json, JsonNode status, int depth) throws IOException {
        JsonNode original = status.path("reblog");
        JsonNode quoted = status.path("quote").path("quoted_status");
        boolean retweet = original.isObject() && depth > 1;
        boolean quote = quoted.isObject() && depth > 1;
        String text = retweet ? "RT @" + name(original) + ": " + text(original) : text(status);
        json.writeStartObject();
        json.writeStringField("created_at", date(status));
        id(json, "id", status.path("id"));
        text(json, text);
        json.writeStringField("source", source(status.path("application")));
        json.writeBooleanField("truncated", false);
        id(json, "in_reply_to_status_id", status.path("in_reply_to_id"));
        id(json, "in_reply_to_user_id", status.path("in_reply_to_account_id"));
        json.writeStringField("in_reply_to_screen_name", repliedTo(status));
        json.writeFieldName("user");
        user(json, status.path("account"));
        place(json, status.path("place"));
        json.writeNullField("contributors");
        if (retweet) {
            json.writeFieldName("retweeted_status");
            tweet(json, original, depth - 1);
        }
        json.writeBooleanField("is_quote_status", quote);
        if (quote) {
            id(json, "quoted_status_id", quoted.path("id"));
            json.writeFieldName("quoted_status");
            tweet(json, quoted, depth - 1);
        }
        json.writeNumberField("quote_count", status.path("quotes_count").asLong());
        json.writeNumberField("reply_count", status.path("replies_count").asLong());
        json.writeNumberField("retweet_count", status.path("reblogs_count").asLong());
        json.writeNumberField("favorite_count", status.path("favourites_count").asLong());
        json.writeFieldName("entities");
        entities(json, text, retweet ? original : status);
        json.writeBooleanField("favorited", false);
        json.writeBooleanField("retweeted", false);
        json.writeBooleanField("possibly_sensitive", status.path("sensitive").asBoolean());
        json.writeStringField("filter_level", "low");
        json.writeStringField("lang", status.path("language").asText("und"));
        json.writeStringField("timestamp_ms", Long.toString(time(status).toEpochMilli()));
        json.writeEndObject();
    }

    private void text(JsonGenerator json, String text) throws IOException {
        json.writeStringField(extended ? "full_text" : "text", text);
        if (extended) {
            json.writeArrayFieldStart("display_text_range");
            json.writeNumber(0);
            json.writeNumber(text.codePointCount(0, text.length()));
            json.writeEndArray();
        }
    }

    /** A number and a text, both null when there is none. */
    private static void id(JsonGenerator json, String field, JsonNode id) throws IOException {
        boolean given = id.isTextual() && !id.asText().isEmpty();
        json.writeFieldName(field);
        if (given) {
            json.writeNumber(Long.parseLong(id.asText()));
        } else {
            json.writeNull();
        }
        json.writeStringField(field + "_str", given ? id.asText() : null);
    }

    private static void user(JsonGenerator json, JsonNode account) throws IOException {
        String displayed = account.path("display_name").asText();
        json.writeStartObject();
        id(json, "id", account.path("id"));
        json.writeStringField("name", displayed.isEmpty() ? name(account) : displayed);
        json.writeStringField("screen_name", account.path("username").asText());
        json.writeNullField("location");
        json.writeStringField("url", account.path("url").asText());
        json.writeStringField("description", plain(account.path("note").asText()));
        json.writeBooleanField("protected", false);
        json.writeBooleanField("verified", false);
        json.writeNumberField("followers_count", account.path("followers_count").asLong());
        json.writeNumberField("friends_count", account.path("following_count").asLong());
        json.writeNumberField("listed_count", 0);
        json.writeNumberField("favourites_count", 0);
        json.writeNumberField("statuses_count", account.path("statuses_count").asLong());
        json.writeStringField("created_at", date(account));
        json.writeNullField("utc_offset");
        json.writeNullField("time_zone");
        json.writeBooleanField("geo_enabled", false);
        json.writeNullField("lang");
        json.writeBooleanField("contributors_enabled", false);
        json.writeBooleanField("is_translator", false);
        json.writeStringField("profile_image_url", account.path("avatar").asText());
        json.writeStringField("profile_image_url_https", account.path("avatar").asText());
        json.writeStringField("profile_banner_url", account.path("header").asText());
        json.writeBooleanField("default_profile", true);
        json.writeBooleanField("default_profile_image", false);
        json.writeNullField("following");
        json.writeNullField("follow_request_sent");
        json.writeNullField("notifications");
        json.writeEndObject();
    }

    /** A point only: GeoJSON has the longitude first, the older {@code geo} the latitude. */
    private static void place(JsonGenerator json, JsonNode place) throws IOException {
        if (!place.isObject()) {
            json.writeNullField("geo");
            json.writeNullField("coordinates");
            json.writeNullField("place");
            return;
        }
        double latitude = place.path("lat").asDouble();
        double longitude = place.path("long").asDouble();
        point(json, "geo", latitude, longitude);
        point(json, "coordinates", longitude, latitude);
        String name = place.path("name").asText();
        if (name.isEmpty()) {
            json.writeNullField("place");
            return;
        }
        json.writeObjectFieldStart("place");
        json.writeStringField("name", name);
        json.writeStringField("full_name", name);
        json.writeStringField("place_type", "poi");
        json.writeEndObject();
    }

    private static void point(JsonGenerator json, String field, double first, double second) throws IOException {
        json.writeObjectFieldStart(field);
        json.writeStringField("type", "Point");
        json.writeArrayFieldStart("coordinates");
        json.writeNumber(first);
        json.writeNumber(second);
        json.writeEndArray();
        json.writeEndObject();
    }

    /**
     * Writes the entities that were found in the text when it was published; a name without an account is no mention.
     */
    private static void entities(JsonGenerator json, String text, JsonNode status) throws IOException {
        List<TextEntities.Entity> found = TextEntities.in(text);
        Map<String, String> ids = new HashMap<>();
        status.path("mentions")
                .forEach(mention -> ids.put(
                        mention.path("username").asText(), mention.path("id").asText()));
        json.writeStartObject();
        json.writeArrayFieldStart("hashtags");
        for (TextEntities.Entity entity : found) {
            if (entity.kind() == TextEntities.Kind.TAG) {
                json.writeStartObject();
                json.writeStringField("text", text.substring(entity.from() + 1, entity.to()));
                indices(json, text, entity);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart("urls");
        for (TextEntities.Entity entity : found) {
            if (entity.kind() == TextEntities.Kind.ADDRESS && !TextEntities.hasUser(text, entity)) {
                String address = text.substring(entity.from(), entity.to());
                json.writeStartObject();
                json.writeStringField("url", address);
                json.writeStringField("expanded_url", address);
                json.writeStringField("display_url", address.substring(address.indexOf("://") + 3));
                indices(json, text, entity);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart("user_mentions");
        for (TextEntities.Entity entity : found) {
            String id = entity.kind() == TextEntities.Kind.MENTION ? ids.get(entity.name()) : null;
            if (id != null) {
                json.writeStartObject();
                json.writeStringField("screen_name", entity.name());
                json.writeStringField("name", entity.name());
                json.writeNumberField("id", Long.parseLong(id));
                json.writeStringField("id_str", id);
                indices(json, text, entity);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart("symbols");
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void indices(JsonGenerator json, String text, TextEntities.Entity entity) throws IOException {
        int from = text.codePointCount(0, entity.from());
        json.writeArrayFieldStart("indices");
        json.writeNumber(from);
        json.writeNumber(from + text.codePointCount(entity.from(), entity.to()));
        json.writeEndArray();
    }

    private static String name(JsonNode statusOrAccount) {
        JsonNode account = statusOrAccount.has("account") ? statusOrAccount.path("account") : statusOrAccount;
        return account.path("username").asText();
    }

    /** Null where the account answered is not named: its name does not travel with the status. */
    private static String repliedTo(JsonNode status) {
        String id = status.path("in_reply_to_account_id").asText("");
        for (JsonNode mention : status.path("mentions")) {
            if (mention.path("id").asText().equals(id)) {
                return mention.path("username").asText();
            }
        }
        return status.path("account").path("id").asText().equals(id) ? name(status) : null;
    }

    private static String source(JsonNode application) {
        String name = Html.escaped(application.path("name").asText(""));
        String website = Html.escaped(application.path("website").asText(""));
        return name.isEmpty() ? "" : "<a href=\"" + website + "\" rel=\"nofollow\">" + name + "</a>";
    }

    /** Ids are times, too. */
    private static Instant time(JsonNode of) {
        String date = of.path("created_at").asText("");
        return date.isEmpty()
                ? Instant.ofEpochMilli(Id.epochMillis(Math.max(0, of.path("id").asLong())))
                : Instant.parse(date);
    }

    private static String date(JsonNode of) {
        return CREATED_AT.format(time(of));
    }

    private static String text(JsonNode status) {
        return plain(status.path("content").asText());
    }

    /**
     * The text of which {@code Html} has made this. The paragraph that stands for a quoted status goes: a tweet has the
     * status itself.
     */
    static String plain(String html) {
        int quoteEnd = html.startsWith("<p class=\"quote-inline\">") ? html.indexOf("</p>") + 4 : 0;
        StringBuilder text = new StringBuilder(html.length());
        int i = quoteEnd;
        while (i < html.length()) {
            char c = html.charAt(i);
            int end = c == '<' ? html.indexOf('>', i) : c == '&' ? html.indexOf(';', i) : -1;
            if (end < 0) {
                text.append(c);
                i++;
                continue;
            }
            String piece = html.substring(i, end + 1);
            text.append(
                    switch (piece) {
                        case "<br>" -> "\n";
                        case "</p>" -> end + 1 < html.length() ? "\n\n" : "";
                        case "&amp;" -> "&";
                        case "&lt;" -> "<";
                        case "&gt;" -> ">";
                        case "&quot;" -> "\"";
                        case "&#39;" -> "'";
                        default -> c == '<' ? "" : piece;
                    });
            i = end + 1;
        }
        return text.toString();
    }
}

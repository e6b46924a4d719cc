package io.fanfare.common.event;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.FollowLanguages;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The fields of a status that filters of streams look at. They travel with its event and with those of its edits, and
 * all of them with the event of its delete, so that every stream that sent the status sends its delete.
 *
 * @param kind its role for readers
 * @param shown statuses inside it: the one that it reposts or quotes, and the one that this quotes in turn; negative =
 *     deleted since
 * @param text its author's words
 * @param originalAuthorId of the status that it shows, 0 = shows none
 * @param originalText of that status; empty when there is none or it is gone
 * @param repliedTo account that it answers, 0 = none
 * @param addressedTo account whose name it begins with, when it answers nothing; 0 = none
 * @param mentions accounts that it names
 * @param tags folded
 * @param language that of the original where it has no words of its own; null = not given
 * @param place null = not given
 * @param media whether it has pictures of its own
 */
public record MatchFields(
        Post.Kind kind,
        List<Long> shown,
        String text,
        long originalAuthorId,
        String originalText,
        long repliedTo,
        long addressedTo,
        List<Long> mentions,
        List<String> tags,
        String language,
        Place place,
        boolean media) {
    /** ASCII only, so that a script may cut it by bytes. */
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    /** The start of the line of a status that shows others, so that a search for those need not read the line. */
    static final String SHOWN = "{\"o\":[";

    public MatchFields {
        shown = List.copyOf(shown);
        mentions = List.copyOf(mentions);
        tags = List.copyOf(tags);
    }

    /** The fields of a status without pictures. */
    public MatchFields(
            Post.Kind kind,
            List<Long> shown,
            String text,
            long originalAuthorId,
            String originalText,
            long repliedTo,
            long addressedTo,
            List<Long> mentions,
            List<String> tags,
            String language,
            Place place) {
        this(
                kind,
                shown,
                text,
                originalAuthorId,
                originalText,
                repliedTo,
                addressedTo,
                mentions,
                tags,
                language,
                place,
                /* media= */ false);
    }

    /**
     * The fields of a status.
     *
     * @param shown the living statuses that it is shown with: the one that it reposts or quotes, and behind it the one
     *     that this quotes in turn
     */
    public static MatchFields of(Status status, List<Status> shown) {
        Post post = status.post();
        Content content = post.content();
        return new MatchFields(
                post.kind(),
                shown.stream().map(Status::id).toList(),
                content.text(),
                post.original() == null ? 0 : post.original().accountId(),
                shown.isEmpty() ? "" : shown.get(0).text(),
                post.replyTo() == null ? 0 : post.replyTo().accountId(),
                post.replyTo() == null ? addressedTo(content) : 0,
                accounts(content.mentions()),
                content.tags(),
                language(content, shown),
                place(content.place()),
                !content.attachments().isEmpty());
    }

    /** All that streams know of a direct message: whom it was for. */
    public static MatchFields addressed(List<Long> recipients) {
        return new MatchFields(
                Post.Kind.DIRECT, List.of(), "", 0, "", 0, 0, recipients, List.of(), /* language= */ null, null);
    }

    /** The language; a repost without words of its own has that of the original. */
    private static String language(Content content, List<Status> shown) {
        boolean silent = content.language() == null && content.text().isEmpty() && !shown.isEmpty();
        return silent ? shown.get(0).post().content().language() : content.language();
    }

    /** As {@link Post#spoken}. */
    public String spoken() {
        return FollowLanguages.spoken(originalAuthorId != 0, text, language);
    }

    /** The same when some of what it shows has been deleted. */
    MatchFields without(Set<Long> deleted) {
        List<Long> left = without(shown, deleted);
        boolean original = !left.isEmpty() && left.get(0) > 0;
        return new MatchFields(
                kind,
                left,
                text,
                originalAuthorId,
                original ? originalText : "",
                repliedTo,
                addressedTo,
                mentions,
                tags,
                original || !text.isEmpty() ? language : null,
                place,
                media);
    }

    static List<Long> without(List<Long> shown, Set<Long> deleted) {
        return shown.stream().map(id -> deleted.contains(id) ? -id : id).toList();
    }

    private static List<Long> accounts(List<Mention> mentions) {
        List<Long> ids = new ArrayList<>(mentions.size());
        for (Mention mention : mentions) {
            ids.add(mention.accountId());
        }
        return ids;
    }

    /** The coordinates without the name, which filters do not use. */
    private static Place place(Place named) {
        return named == null ? null : new Place(named.latitude(), named.longitude(), "");
    }

    /** People answered like this before there were replies. */
    private static long addressedTo(Content content) {
        String text = content.text().stripLeading();
        for (Mention mention : content.mentions()) {
            String name = "@" + mention.username();
            boolean begins = text.regionMatches(/* ignoreCase= */ true, 0, name, 0, name.length());
            if (begins && !(text.length() > name.length() && isName(text.charAt(name.length())))) {
                return mention.accountId();
            }
        }
        return 0;
    }

    private static boolean isName(char c) {
        return c == '_' || Character.isLetterOrDigit(c);
    }

    /** One line of ASCII, without tabs. */
    public String encode() {
        ByteArrayBuilder line = new ByteArrayBuilder(64 + 2 * text.length());
        try (JsonGenerator json = MAPPER.createGenerator(line)) {
            json.writeStartObject();
            write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException(e); // The target is memory.
        }
        return new String(line.toByteArray(), StandardCharsets.US_ASCII);
    }

    private void write(JsonGenerator json) throws IOException {
        if (!shown.isEmpty()) {
            writeIds(json, "o", shown);
        }
        if (kind != Post.Kind.POST) {
            json.writeStringField("k", kind.name());
        }
        json.writeStringField("t", text);
        writeId(json, "ou", originalAuthorId);
        if (!originalText.isEmpty()) {
            json.writeStringField("ot", originalText);
        }
        writeId(json, "r", repliedTo);
        writeId(json, "a", addressedTo);
        if (!mentions.isEmpty()) {
            writeIds(json, "m", mentions);
        }
        if (!tags.isEmpty()) {
            json.writeArrayFieldStart("g");
            for (String tag : tags) {
                json.writeString(tag);
            }
            json.writeEndArray();
        }
        if (language != null) {
            json.writeStringField("l", language);
        }
        if (place != null) {
            json.writeArrayFieldStart("p");
            json.writeNumber(place.latitude());
            json.writeNumber(place.longitude());
            json.writeEndArray();
        }
        if (media) {
            json.writeBooleanField("i", true);
        }
    }

    private static void writeIds(JsonGenerator json, String name, List<Long> ids) throws IOException {
        json.writeArrayFieldStart(name);
        for (long id : ids) {
            json.writeNumber(id);
        }
        json.writeEndArray();
    }

    private static void writeId(JsonGenerator json, String name, long id) throws IOException {
        if (id != 0) {
            json.writeNumberField(name, id);
        }
    }

    /**
     * Reads what {@link #encode} wrote. Throws {@link IllegalArgumentException} when it is not of that form; the
     * message holds nothing of it.
     */
    public static MatchFields decode(String line) {
        return of(tree(line));
    }

    /**
     * The versions in the event of a delete: the status, and behind it its versions after edits, as far as the log knew
     * them. For any other event its own fields only. Throws as {@link #decode}.
     */
    public static List<MatchFields> versions(String line) {
        JsonNode json = tree(line);
        List<MatchFields> versions = new ArrayList<>(List.of(of(json)));
        json.path("e").forEach(edit -> versions.add(of(edit)));
        return versions;
    }

    private static JsonNode tree(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not the match fields of a status");
        }
    }

    private static MatchFields of(JsonNode json) {
        List<String> tags = new ArrayList<>();
        json.path("g").forEach(tag -> tags.add(tag.asText()));
        JsonNode at = json.path("p");
        return new MatchFields(
                Post.Kind.valueOf(json.path("k").asText(Post.Kind.POST.name())),
                ids(json.path("o")),
                json.path("t").asText(),
                json.path("ou").asLong(),
                json.path("ot").asText(),
                json.path("r").asLong(),
                json.path("a").asLong(),
                ids(json.path("m")),
                tags,
                json.hasNonNull("l") ? json.path("l").asText() : null,
                at.isArray() ? new Place(at.get(0).asDouble(), at.get(1).asDouble(), "") : null,
                json.path("i").asBoolean());
    }

    private static List<Long> ids(JsonNode array) {
        List<Long> ids = new ArrayList<>(array.size());
        array.forEach(id -> ids.add(id.asLong()));
        return ids;
    }
}

package io.fanfare.common.event.body;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.CustomEmoji;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.ProfileSettings;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.view.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A new or edited status that shows no other, and its author, as they lie in the event log: an array of what their JSON
 * has beyond what the event says already, its {@link MatchFields} among that. A fifth of the JSON, which whoever tells
 * the event makes of it. What is as it mostly is takes no place.
 *
 * <pre>[{},{"u":"ann","d":"Ann","k":[12,5,301,1767322985678]},"https://social.example"]</pre>
 *
 * @param poll how its poll stands; null = as when it was published, or it has none
 * @param publicUrl base of absolute URLs, of whoever appends: whoever tells may be another process, which has its own
 * @param emojis the custom emojis that the two show, as whoever appends knows them; without their categories
 */
record StatusRecord(Status status, Account author, Poll.Standing poll, String publicUrl, List<CustomEmoji> emojis) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Whether the body is a record rather than the JSON of an entity. */
    static boolean is(String body) {
        return body.startsWith("[");
    }

    /** One line. */
    String encode() {
        return Json.line(json -> {
            json.writeStartArray();
            writeStatus(json);
            writeAuthor(json);
            json.writeString(publicUrl);
            if (!emojis.isEmpty()) {
                writeEmojis(json);
            }
            json.writeEndArray();
        });
    }

    private void writeEmojis(JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (CustomEmoji emoji : emojis) {
            json.writeString(emoji.shortcode());
            json.writeString(emoji.file());
        }
        json.writeEndArray();
    }

    private void writeStatus(JsonGenerator json) throws IOException {
        Post post = status.post();
        Content content = post.content();
        json.writeStartObject();
        if (post.replyTo() != null) {
            json.writeNumberField("i", post.replyTo().statusId());
        }
        if (post.edit() != 0) {
            json.writeNumberField("e", post.edit());
        }
        writeUnlessEmpty(json, "y", content.spoilerText());
        if (content.sensitive()) {
            json.writeBooleanField("x", true);
        }
        if (!content.mentions().isEmpty()) {
            json.writeArrayFieldStart("m");
            for (Mention mention : content.mentions()) {
                json.writeString(mention.username());
            }
            json.writeEndArray();
        }
        if (content.place() != null) {
            json.writeStringField("p", content.place().name());
        }
        if (content.article() != null) {
            writeArticle(json, content.article());
        }
        if (!content.attachments().isEmpty()) {
            json.writeArrayFieldStart("a");
            for (Attachment attachment : content.attachments()) {
                json.writeString(attachment.line());
            }
            json.writeEndArray();
        }
        if (content.poll() != null) {
            json.writeStringField("o", content.poll().lines());
            writeStanding(json);
        }
        if (post.application() != null) {
            json.writeStringField("c", post.application().name());
            if (post.application().website() != null) {
                json.writeStringField("g", post.application().website());
            }
        }
        if (post.quoteTerms().policy() != QuotePolicy.PUBLIC) {
            json.writeStringField("b", post.quoteTerms().policy().wire());
        }
        Counters counters = status.counters();
        writeNumbers(json, counters.likes(), counters.reposts(), counters.quotes(), counters.comments());
        json.writeEndObject();
    }

    private void writeStanding(JsonGenerator json) throws IOException {
        if (poll != null && (poll.ended() || poll.voters() > 0)) {
            json.writeArrayFieldStart("q");
            json.writeNumber(poll.ended() ? 1 : 0);
            json.writeNumber(poll.voters());
            for (long votes : poll.votes()) {
                json.writeNumber(votes);
            }
            json.writeEndArray();
        }
    }

    private static void writeArticle(JsonGenerator json, Article article) throws IOException {
        json.writeArrayFieldStart("h");
        json.writeString(article.title());
        json.writeString(article.link());
        for (String group : article.groups()) {
            json.writeString(group);
        }
        json.writeEndArray();
    }

    private void writeAuthor(JsonGenerator json) throws IOException {
        ProfileSettings profileSettings = author.profileSettings();
        json.writeStartObject();
        json.writeStringField("u", author.username());
        writeUnlessEmpty(json, "d", author.displayName());
        writeUnlessEmpty(json, "n", author.note());
        if (!profileSettings.equals(ProfileSettings.PLAIN)) {
            json.writeArrayFieldStart("t");
            json.writeBoolean(profileSettings.bot());
            json.writeBoolean(profileSettings.discoverable());
            json.writeBoolean(profileSettings.indexable());
            for (ProfileSettings.Field field : profileSettings.fields()) {
                json.writeString(field.name());
                json.writeString(field.value());
            }
            json.writeEndArray();
            writeUnlessEmpty(json, "v", profileSettings.avatar());
            writeUnlessEmpty(json, "w", profileSettings.header());
            if (profileSettings.locked()) {
                json.writeBooleanField("l", true);
            }
            if (profileSettings.hidesFollows()) {
                json.writeBooleanField("h", true);
            }
            if (profileSettings.limited()) {
                json.writeBooleanField("m", true);
            }
        }
        writeNumbers(
                json, author.followersCount(), author.followingCount(), author.statusesCount(), author.lastStatusAt());
        json.writeEndObject();
    }

    private static void writeUnlessEmpty(JsonGenerator json, String name, String text) throws IOException {
        if (!text.isEmpty()) {
            json.writeStringField(name, text);
        }
    }

    private static void writeNumbers(JsonGenerator json, long a, long b, long c, long d) throws IOException {
        if ((a | b | c | d) != 0) {
            json.writeArrayFieldStart("k");
            json.writeNumber(a);
            json.writeNumber(b);
            json.writeNumber(c);
            json.writeNumber(d);
            json.writeEndArray();
        }
    }

    /**
     * Reads the body that {@link #encode} wrote. Throws {@link IllegalArgumentException} when it or the match is not of
     * that form; the message holds nothing of them.
     */
    static StatusRecord of(Event event) {
        JsonNode body;
        try {
            body = MAPPER.readTree(event.body());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not the record of a status");
        }
        MatchFields about = MatchFields.decode(event.match());
        return new StatusRecord(
                status(event, about, body.path(0)),
                author(event.actor(), body.path(1)),
                standing(body.path(0).path("q")),
                body.path(2).asText(),
                emojis(body.path(3)));
    }

    private static List<CustomEmoji> emojis(JsonNode json) {
        List<CustomEmoji> emojis = new ArrayList<>(json.size() / 2);
        for (int i = 0; i + 1 < json.size(); i += 2) {
            emojis.add(new CustomEmoji(json.get(i).asText(), json.get(i + 1).asText(), ""));
        }
        return emojis;
    }

    private static Poll.Standing standing(JsonNode json) {
        if (json.isMissingNode()) {
            return null;
        }
        List<Long> votes = new ArrayList<>();
        for (int i = 2; i < json.size(); i++) {
            votes.add(number(json, i));
        }
        return new Poll.Standing(votes, number(json, 1), List.of(), number(json, 0) == 1);
    }

    private static Status status(Event event, MatchFields about, JsonNode json) {
        Place place = about.place() == null
                ? null
                : new Place(
                        about.place().latitude(),
                        about.place().longitude(),
                        json.path("p").asText());
        Content content = new Content(
                about.text(),
                json.path("y").asText(),
                json.path("x").asBoolean(),
                about.language(),
                mentions(about.mentions(), json.path("m")),
                about.tags(),
                place,
                article(json.path("h")),
                attachments(json.path("a")),
                json.has("o") ? Poll.of(json.path("o").asText()).orElse(null) : null);
        Reference replyTo = json.has("i") ? new Reference(json.path("i").asLong(), about.repliedTo()) : null;
        Application application =
                Application.of(json.path("c").asText(), json.path("g").asText());
        long edit = json.path("e").asLong();
        Post post = new Post(event.actor(), event.visibility(), about.kind(), content, replyTo, null, null, null, edit)
                .postedWith(application)
                .quotedBy(json.has("b") ? QuotePolicy.stored(json.path("b").asText()) : null);
        JsonNode counts = json.path("k");
        return new Status(
                event.status(),
                post,
                new Counters(number(counts, 0), number(counts, 1), number(counts, 2), number(counts, 3)));
    }

    private static Article article(JsonNode json) {
        if (json.isMissingNode()) {
            return null;
        }
        List<String> groups = new ArrayList<>();
        for (int i = 2; i < json.size(); i++) {
            groups.add(json.get(i).asText());
        }
        return new Article(json.path(0).asText(), json.path(1).textValue(), groups);
    }

    private static List<Attachment> attachments(JsonNode lines) {
        List<Attachment> attachments = new ArrayList<>(lines.size());
        lines.forEach(line -> Attachment.of(line.asText()).ifPresent(attachments::add));
        return attachments;
    }

    private static List<Mention> mentions(List<Long> accounts, JsonNode names) {
        List<Mention> mentions = new ArrayList<>(names.size());
        for (int i = 0; i < Math.min(accounts.size(), names.size()); i++) {
            mentions.add(new Mention(accounts.get(i), names.get(i).asText()));
        }
        return mentions;
    }

    private static Account author(long id, JsonNode json) {
        JsonNode counts = json.path("k");
        return new Account(
                id,
                json.path("u").asText(),
                json.path("d").asText(),
                json.path("n").asText(),
                number(counts, 0),
                number(counts, 1),
                number(counts, 2),
                number(counts, 3),
                profileSettings(json.path("t"), json),
                0);
    }

    private static ProfileSettings profileSettings(JsonNode json, JsonNode author) {
        if (json.isMissingNode()) {
            return ProfileSettings.PLAIN;
        }
        List<ProfileSettings.Field> fields = new ArrayList<>();
        for (int i = 3; i + 1 < json.size(); i += 2) {
            fields.add(new ProfileSettings.Field(
                    json.get(i).asText(), json.get(i + 1).asText()));
        }
        return new ProfileSettings(
                json.path(0).asBoolean(),
                json.path(1).asBoolean(),
                json.path(2).asBoolean(),
                fields,
                author.path("v").asText(),
                author.path("w").asText(),
                author.path("l").asBoolean(),
                author.path("h").asBoolean(),
                author.path("m").asBoolean());
    }

    private static long number(JsonNode numbers, int at) {
        return numbers.path(at).asLong();
    }
}

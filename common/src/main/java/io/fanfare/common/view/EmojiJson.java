package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.CustomEmoji;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Status;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The entity CustomEmoji, and the custom emojis that texts contain. Immutable but for the emojis, read at each use. */
public final class EmojiJson {
    private static final Fragment NO_EMOJIS = Json.fields(json -> Json.emptyArray(json, "emojis"));

    private final PublicUrls urls;
    private final Supplier<CustomEmojis> emojis;

    EmojiJson(PublicUrls urls, Supplier<CustomEmojis> emojis) {
        this.urls = urls;
        this.emojis = emojis;
    }

    /** A number that differs after each change of the emojis, so that JSON rendered before the change is outdated. */
    public long version() {
        return emojis.get().version();
    }

    /** One emoji as lists of emojis have it. */
    public void write(JsonGenerator json, CustomEmoji emoji) throws IOException {
        json.writeStartObject();
        fields(json, emoji);
        if (!emoji.category().isEmpty()) {
            json.writeStringField("category", emoji.category());
        }
        json.writeEndObject();
    }

    private void fields(JsonGenerator json, CustomEmoji emoji) throws IOException {
        String url = urls.media(emoji.file());
        json.writeStringField("shortcode", emoji.shortcode());
        json.writeStringField("url", url);
        json.writeStringField("static_url", url);
        json.writeBooleanField("visible_in_picker", true);
    }

    /** The field {@code emojis}. */
    void field(JsonGenerator json, List<CustomEmoji> shown) throws IOException {
        if (shown.isEmpty()) {
            json.writeRaw(NO_EMOJIS);
            return;
        }
        json.writeArrayFieldStart("emojis");
        for (CustomEmoji emoji : shown) {
            json.writeStartObject();
            fields(json, emoji);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The emojis that a status shows. */
    List<CustomEmoji> in(Content content) {
        return emojis.get().in(texts(content));
    }

    /** The emojis that a profile shows. */
    List<CustomEmoji> in(Account account) {
        return emojis.get().in(texts(account));
    }

    /** The emojis that a poll shows. */
    List<CustomEmoji> in(Poll poll) {
        return emojis.get().in(poll.options().stream());
    }

    /** The emojis that a status, its poll or its author shows: as many of each as when it is shown itself. */
    public List<CustomEmoji> inAll(Status status, Account author) {
        Content content = status.post().content();
        Set<CustomEmoji> shown = new LinkedHashSet<>(in(content));
        shown.addAll(in(author));
        if (content.poll() != null) {
            shown.addAll(in(content.poll()));
        }
        return List.copyOf(shown);
    }

    private static Stream<String> texts(Content content) {
        Stream<String> words = Stream.of(content.spoilerText(), content.text());
        return content.poll() == null ? words : Stream.concat(words, content.poll().options().stream());
    }

    private static Stream<String> texts(Account account) {
        return Stream.concat(
                Stream.of(account.note(), account.displayName()),
                account.profileSettings().fields().stream().flatMap(field -> Stream.of(field.name(), field.value())));
    }
}

package io.fanfare.common.model;

import java.util.List;

/**
 * The words of an author, and the entities found in them at publication.
 *
 * @param spoilerText content warning, empty when there is none
 * @param language ISO 639 code, null when not given
 * @param mentions accounts that the text names, each once, in the order of the text; only those that existed
 * @param tags hashtags of the text without {@code #}, folded (see the class that finds them), each once, in the order
 *     of the text
 * @param place where it was written, null when not said
 * @param article the part that makes it an article, whose title and link are the first lines of the text; null = the
 *     status is no article
 * @param attachments pictures, in order
 * @param poll its question, null = none
 */
public record Content(
        String text,
        String spoilerText,
        boolean sensitive,
        String language,
        List<Mention> mentions,
        List<String> tags,
        Place place,
        Article article,
        List<Attachment> attachments,
        Poll poll) {
    public static final Content NONE = of("");

    public Content {
        mentions = List.copyOf(mentions);
        tags = List.copyOf(tags);
        attachments = List.copyOf(attachments);
    }

    /** The content of a status that asks nothing. */
    public Content(
            String text,
            String spoilerText,
            boolean sensitive,
            String language,
            List<Mention> mentions,
            List<String> tags,
            Place place,
            Article article,
            List<Attachment> attachments) {
        this(text, spoilerText, sensitive, language, mentions, tags, place, article, attachments, null);
    }

    /** The content of a status without pictures. */
    public Content(
            String text,
            String spoilerText,
            boolean sensitive,
            String language,
            List<Mention> mentions,
            List<String> tags,
            Place place,
            Article article) {
        this(text, spoilerText, sensitive, language, mentions, tags, place, article, List.of());
    }

    /** The content of a status that is no article. */
    public Content(
            String text,
            String spoilerText,
            boolean sensitive,
            String language,
            List<Mention> mentions,
            List<String> tags,
            Place place) {
        this(text, spoilerText, sensitive, language, mentions, tags, place, null);
    }

    /** The same as an article. */
    public Content with(Article other) {
        return new Content(text, spoilerText, sensitive, language, mentions, tags, place, other, attachments, poll);
    }

    /** The same with these pictures. */
    public Content with(List<Attachment> pictures) {
        return new Content(text, spoilerText, sensitive, language, mentions, tags, place, article, pictures, poll);
    }

    /** The same with this poll; null = none. */
    public Content with(Poll other) {
        return new Content(text, spoilerText, sensitive, language, mentions, tags, place, article, attachments, other);
    }

    /** Nothing but text, in which nobody is named. */
    public static Content of(String text) {
        return new Content(text, "", false, null, List.of(), List.of(), null);
    }

    /** An account that a text names. User names never change. */
    public record Mention(long accountId, String username) {}
}

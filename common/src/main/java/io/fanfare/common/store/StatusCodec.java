package io.fanfare.common.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Post.Kind;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.QuoteTerms;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * How a status lies in Redis.
 *
 * <p>Fields of a {@code status:{s}:p} HASH; those with their ordinary value are left out:
 *
 * <dl>
 *   <dt>{@code uid}
 *   <dd>author
 *   <dt>{@code text}
 *   <dd>as posted
 *   <dt>{@code vis}
 *   <dd>{@link Visibility#wire()}; absent = public
 *   <dt>{@code kind}
 *   <dd>{@code comment}, {@code repost} or {@code direct}; absent = post
 *   <dt>{@code to}
 *   <dd>accounts that a direct message is for besides its author, with spaces between
 *   <dt>{@code cw}, {@code sens}, {@code lang}, {@code app}, {@code site}
 *   <dd>content warning; 1 = sensitive; language; name and website of the client
 *   <dt>{@code mentions}, {@code tags}, {@code place}
 *   <dd>{@code <account id>:<name>} and hashtags, each with spaces between; latitude, longitude and name
 *   <dt>{@code title}, {@code link}, {@code groups}
 *   <dd>of an article: the same that its text begins with; groups of its publication with spaces between
 *   <dt>{@code edit}
 *   <dd>id of the newest edit; absent = it is as it was posted. Changes with every change of the fields that
 *       {@link #editable} lists
 *   <dt>{@code media1} to {@code media4}
 *   <dd>pictures, each as {@link Attachment#line}
 *   <dt>{@code poll}
 *   <dd>what it asks, as {@link Poll#lines}
 *   <dt>{@code reply}, {@code replyto}; {@code root}, {@code rootto}; {@code orig}, {@code origto}
 *   <dd>status and account replied to; those with whose comments it is listed as well; those reposted or quoted
 *   <dt>{@code conv}
 *   <dd>the status with which its conversation began; absent = itself, or what is {@code root} or {@code reply}
 *   <dt>{@code quoters}, {@code unquoted}
 *   <dd>{@link QuotePolicy#wire()}, absent = public; 1 = a quote that shows what it quotes no more. They change without
 *       an edit
 *   <dt>{@code marked}
 *   <dd>1 = a moderator has marked it as sensitive, whatever {@code sens} is; 0 = that was taken back. Changes without
 *       an edit
 *   <dt>{@code likes}, {@code reposts}, {@code quotes}, {@code comments}
 *   <dd>counters; absent = 0
 *   <dt>{@code gone}
 *   <dd>1 = tombstone of a deleted status, which keeps only {@code uid}, {@code vis}, {@code kind}, {@code to} and the
 *       references, for {@code feeds.tombstone-days}; that of an article has {@code article}
 * </dl>
 */
public final class StatusCodec {
    /** The field of a moderator's mark as sensitive. */
    public static final String MARKED = "marked";

    /**
     * Fields that tell all that can change: whether it lives, which a tombstone's {@code gone} and a missing
     * {@code uid} deny, whether it is as it was when it was read, and the counters.
     */
    static final Object[] CHANGING = {
        "uid", "gone", "likes", "reposts", "quotes", "comments", "edit", "quoters", "unquoted", MARKED
    };

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private StatusCodec() {}

    /** Fields and values in turn. */
    static List<String> fields(Post post) {
        Content content = post.content();
        List<String> fields = new ArrayList<>(List.of("uid", Long.toString(post.authorId()), "text", content.text()));
        put(
                fields,
                "vis",
                post.visibility() == Visibility.PUBLIC ? "" : post.visibility().wire());
        put(fields, "kind", post.kind() == Kind.POST ? "" : wire(post.kind()));
        if (!post.recipients().isEmpty()) {
            put(fields, "to", post.recipients().stream().map(String::valueOf).collect(Collectors.joining(" ")));
        }
        put(fields, "cw", content.spoilerText());
        put(fields, "sens", content.sensitive() ? "1" : "");
        put(fields, "lang", content.language());
        put(fields, "mentions", mentions(content.mentions()));
        put(fields, "tags", String.join(" ", content.tags()));
        put(fields, "place", place(content.place()));
        if (content.article() != null) {
            put(fields, "title", content.article().title());
            put(fields, "link", content.article().link());
            put(fields, "groups", String.join(" ", content.article().groups()));
        }
        for (int i = 0; i < content.attachments().size(); i++) {
            put(fields, "media" + (i + 1), content.attachments().get(i).line());
        }
        put(fields, "poll", content.poll() == null ? "" : content.poll().lines());
        putReference(fields, "reply", post.replyTo());
        putReference(fields, "root", post.root());
        putReference(fields, "orig", post.original());
        put(fields, "conv", post.conversation() == 0 ? "" : Long.toString(post.conversation()));
        if (post.application() != null) {
            put(fields, "app", post.application().name());
            put(fields, "site", post.application().website());
        }
        QuotePolicy policy = post.quoteTerms().policy();
        put(fields, "quoters", policy == QuotePolicy.PUBLIC ? "" : policy.wire());
        put(fields, "unquoted", post.quoteTerms().revoked() ? "1" : "");
        return fields;
    }

    /** Names and values in turn of all fields that an edit may change; an empty value = the field is left out. */
    public static List<String> editable(Content content) {
        List<String> fields = new ArrayList<>(List.of(
                "text",
                content.text(),
                "cw",
                content.spoilerText(),
                "sens",
                content.sensitive() ? "1" : "",
                "lang",
                content.language() == null ? "" : content.language()));
        List<Attachment> attachments = content.attachments();
        for (int i = 0; i < Attachment.MAX; i++) {
            fields.add("media" + (i + 1));
            fields.add(i < attachments.size() ? attachments.get(i).line() : "");
        }
        fields.addAll(List.of("mentions", mentions(content.mentions()), "tags", String.join(" ", content.tags())));
        return fields;
    }

    /** How many of the {@link #editable} fields decide the others: all but those that are found in the text. */
    public static final int DECISIVE = 4 + Attachment.MAX;

    /**
     * The status as it was before an edit, with those of its pictures of then that it still has: the files of the
     * others are gone.
     *
     * @param version the fields of then that {@link #editable} lists, and {@code edit}, as edit.lua keeps them
     */
    public static Status version(Status status, String version) {
        Map<String, String> fields;
        try {
            fields = MAPPER.readValue(version, new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not a version of status " + status.id());
        }
        Content now = status.post().content();
        // Of a version that an older process has kept nothing may be said of them: they did not change then.
        boolean says = fields.containsKey("pictures") || fields.containsKey("media1");
        List<Attachment> pictures = says ? kept(attachments(fields), now.attachments()) : now.attachments();
        Content then = content(fields, now.place(), now.article(), pictures, now.poll());
        return new Status(status.id(), status.post().with(then, number(fields, "edit")), status.counters());
    }

    /** The files of now with the words of then. */
    private static List<Attachment> kept(List<Attachment> then, List<Attachment> now) {
        List<Attachment> kept = new ArrayList<>();
        for (Attachment before : then) {
            for (Attachment picture : now) {
                if (picture.id() == before.id()) {
                    kept.add(picture.with(before.description(), before.focus()));
                }
            }
        }
        return kept;
    }

    private static String mentions(List<Mention> mentions) {
        StringJoiner words = new StringJoiner(" ");
        for (Mention mention : mentions) {
            words.add(mention.accountId() + ":" + mention.username());
        }
        return words.toString();
    }

    private static String place(Place place) {
        return place == null ? "" : place.latitude() + " " + place.longitude() + " " + place.name();
    }

    private static void putReference(List<String> fields, String name, Reference to) {
        if (to != null) {
            put(fields, name, Long.toString(to.statusId()));
            put(fields, name + "to", Long.toString(to.accountId()));
        }
    }

    private static void put(List<String> fields, String name, String value) {
        if (value != null && !value.isEmpty()) {
            fields.add(name);
            fields.add(value);
        }
    }

    /** The kind's name in Redis. */
    static String wire(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** The status in the answer to HGETALL; empty when there is none, or only a tombstone. */
    public static Optional<Status> living(long id, Reply reply) {
        Map<String, String> fields = map(strings(reply));
        return fields.isEmpty() || fields.containsKey("gone") ? Optional.empty() : Optional.of(status(id, fields));
    }

    /**
     * Whether this answer to HMGET of {@link #CHANGING} is of a status that has changed since it was read like this.
     */
    static boolean isOutdated(Post post, Reply reply) {
        List<Reply> fields = reply.items();
        return !fields.get(0).isNil()
                && fields.get(1).isNil()
                && (number(fields.get(6)) != post.edit()
                        || !quoteTerms(fields.get(7).asString(), !fields.get(8).isNil())
                                .equals(post.quoteTerms())
                        || isMarkOutdated(post, fields.get(9).asString()));
    }

    /** When the mark was taken back, the author may have chosen the same: then it is read again for nothing. */
    private static boolean isMarkOutdated(Post post, String markedOrNull) {
        return markedOrNull != null
                && markedOrNull.equals("1") != post.content().sensitive();
    }

    private static QuoteTerms quoteTerms(String policyOrNull, boolean revoked) {
        if (policyOrNull == null && !revoked) {
            return QuoteTerms.PLAIN; // Of nearly all: the same one for each status on a page.
        }
        QuotePolicy policy = policyOrNull == null ? QuotePolicy.PUBLIC : QuotePolicy.stored(policyOrNull);
        return new QuoteTerms(policy, revoked);
    }

    /**
     * The status with the answer to HMGET of {@link #CHANGING}, unless it {@link #isOutdated}; empty when it is gone.
     */
    public static Optional<Status> living(long id, Post post, Reply reply) {
        List<Reply> fields = reply.items();
        if (fields.get(0).isNil() || !fields.get(1).isNil()) {
            return Optional.empty();
        }
        Counters counters = new Counters(
                number(fields.get(2)), number(fields.get(3)), number(fields.get(4)), number(fields.get(5)));
        return Optional.of(new Status(id, post, counters));
    }

    private static long number(Reply field) {
        return field.isNil() ? 0 : field.asLong();
    }

    /** The tombstone in the answer to HGETALL; empty when there is none. */
    static Optional<Status> gone(long id, Reply reply) {
        Map<String, String> fields = map(strings(reply));
        return fields.containsKey("gone") ? Optional.of(status(id, fields)) : Optional.empty();
    }

    /** The status with these fields and values. */
    static Status status(long id, List<String> fieldsAndValues) {
        return status(id, map(fieldsAndValues));
    }

    private static Status status(long id, Map<String, String> fields) {
        Content content =
                content(fields, place(fields.get("place")), article(fields), attachments(fields), poll(fields));
        Post post = new Post(
                Long.parseLong(fields.get("uid")),
                fields.containsKey("vis") ? Visibility.of(fields.get("vis")) : Visibility.PUBLIC,
                fields.containsKey("kind") ? Kind.valueOf(fields.get("kind").toUpperCase(Locale.ROOT)) : Kind.POST,
                content,
                reference(fields, "reply"),
                reference(fields, "root"),
                reference(fields, "orig"),
                number(fields, "conv"),
                Application.of(fields.get("app"), fields.get("site")),
                number(fields, "edit"),
                words(fields, "to").stream().map(Long::parseLong).toList(),
                quoteTerms(fields.get("quoters"), fields.containsKey("unquoted")));
        return new Status(id, post, counters(fields));
    }

    private static Content content(
            Map<String, String> fields,
            Place placeOrNull,
            Article articleOrNull,
            List<Attachment> attachments,
            Poll pollOrNull) {
        return new Content(
                fields.getOrDefault("text", ""),
                fields.getOrDefault("cw", ""),
                fields.containsKey("sens") || "1".equals(fields.get(MARKED)),
                fields.get("lang"),
                words(fields, "mentions").stream().map(StatusCodec::mention).toList(),
                words(fields, "tags"),
                placeOrNull,
                articleOrNull,
                attachments,
                pollOrNull);
    }

    private static Poll poll(Map<String, String> fields) {
        String lines = fields.get("poll");
        return lines == null ? null : Poll.of(lines).orElse(null);
    }

    private static Counters counters(Map<String, String> fields) {
        return new Counters(
                number(fields, "likes"),
                number(fields, "reposts"),
                number(fields, "quotes"),
                number(fields, "comments"));
    }

    private static Article article(Map<String, String> fields) {
        String title = fields.get("title");
        return title == null
                ? fields.containsKey("article") ? Article.DELETED : null
                : new Article(title, fields.get("link"), words(fields, "groups"));
    }

    private static List<String> words(Map<String, String> fields, String name) {
        String value = fields.get(name);
        return value == null ? List.of() : List.of(value.split(" ", -1));
    }

    private static List<Attachment> attachments(Map<String, String> fields) {
        if (!fields.containsKey("media1")) {
            return List.of();
        }
        List<Attachment> attachments = new ArrayList<>(Attachment.MAX);
        for (int i = 1; i <= Attachment.MAX; i++) {
            String line = fields.get("media" + i);
            if (line != null) {
                Attachment.of(line).ifPresent(attachments::add);
            }
        }
        return attachments;
    }

    private static Mention mention(String text) {
        int colon = text.indexOf(':');
        return new Mention(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
    }

    private static Place place(String value) {
        if (value == null) {
            return null;
        }
        String[] words = value.split(" ", 3);
        return new Place(Double.parseDouble(words[0]), Double.parseDouble(words[1]), words[2]);
    }

    private static Reference reference(Map<String, String> fields, String name) {
        return fields.containsKey(name) ? new Reference(number(fields, name), number(fields, name + "to")) : null;
    }

    private static long number(Map<String, String> fields, String name) {
        String value = fields.get(name);
        return value == null ? 0 : Long.parseLong(value);
    }

    private static List<String> strings(Reply reply) {
        List<String> values = new ArrayList<>(reply.items().size());
        for (Reply item : reply.items()) {
            values.add(item.asString());
        }
        return values;
    }

    private static Map<String, String> map(List<String> fieldsAndValues) {
        Map<String, String> map = new HashMap<>(fieldsAndValues.size());
        for (int i = 0; i < fieldsAndValues.size(); i += 2) {
            map.put(fieldsAndValues.get(i), fieldsAndValues.get(i + 1));
        }
        return map;
    }
}

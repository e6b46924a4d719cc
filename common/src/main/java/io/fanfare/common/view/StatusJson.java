package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.text.Html;
import java.io.IOException;
import java.util.List;

/**
 * The entity Status, with the statuses that it reposts or quotes, and the entity StatusEdit. Immutable but for the
 * cache and the emojis.
 */
public final class StatusJson {
    // Names that every status of every page has are encoded once.
    private static final SerializedString REPLIES_COUNT = new SerializedString("replies_count");
    private static final SerializedString REBLOGS_COUNT = new SerializedString("reblogs_count");
    private static final SerializedString FAVOURITES_COUNT = new SerializedString("favourites_count");
    private static final SerializedString QUOTES_COUNT = new SerializedString("quotes_count");
    private static final SerializedString ACCOUNT = new SerializedString("account");
    private static final SerializedString ID = new SerializedString("id");
    private static final SerializedString CREATED_AT = new SerializedString("created_at");
    private static final SerializedString SENSITIVE = new SerializedString("sensitive");
    private static final SerializedString SPOILER_TEXT = new SerializedString("spoiler_text");
    private static final SerializedString VISIBILITY = new SerializedString("visibility");
    private static final SerializedString LANGUAGE = new SerializedString("language");
    private static final SerializedString URI = new SerializedString("uri");
    private static final SerializedString URL = new SerializedString("url");
    private static final SerializedString CONTENT = new SerializedString("content");
    private static final SerializedString EDITED_AT = new SerializedString("edited_at");

    private static final Fragment NOT_EDITED = Json.fields(json -> json.writeNullField("edited_at"));
    private static final Fragment NO_REPLY = Json.fields(json -> reference(json, null));
    private static final Fragment NOBODY_NAMED = Json.fields(json -> {
        Json.emptyArray(json, "mentions");
        Json.emptyArray(json, "tags");
    });
    private static final Fragment NOWHERE = Json.fields(json -> json.writeNullField("place"));
    private static final Fragment NOTHING_INSIDE = Json.fields(json -> {
        json.writeNullField("reblog");
        json.writeNullField("quote");
    });

    /** Fields of Mastodon's entity that Fanfare does not offer. */
    private static final Fragment NOT_OFFERED = Json.fields(json -> json.writeNullField("card"));

    /** The quote approval that most statuses have, for every viewer. */
    private static final Fragment QUOTABLE = Json.fields(json -> quoteApproval(json, QuotePolicy.PUBLIC, "automatic"));

    private final PublicUrls urls;
    private final EmojiJson emojis;
    private final AccountJson accounts;
    private final AttachmentJson attachments;
    private final PollJson polls;
    private final TagJson tags;
    private final RenderCache cache;

    StatusJson(
            PublicUrls urls,
            EmojiJson emojis,
            AccountJson accounts,
            AttachmentJson attachments,
            PollJson polls,
            TagJson tags,
            RenderCache cache) {
        this.urls = urls;
        this.emojis = emojis;
        this.accounts = accounts;
        this.attachments = attachments;
        this.polls = polls;
        this.tags = tags;
        this.cache = cache;
    }

    /**
     * The status with the statuses that it reposts or quotes, as the viewer of {@code context} may see them. Its author
     * must be among the accounts there.
     */
    public void write(JsonGenerator json, Status status, RenderContext context) throws IOException {
        json.writeStartObject();
        fields(json, status, context);
        json.writeEndObject();
    }

    /** The fields of {@link #write} without the braces, for answers that have more of them. */
    public void fields(JsonGenerator json, Status status, RenderContext context) throws IOException {
        ownFields(json, status, context);
        otherFields(json, status, context);
    }

    /** As {@link #write}, but not cached: most new statuses are first read much later, elsewhere, or never. */
    public void uncached(JsonGenerator json, Status status, RenderContext context) throws IOException {
        json.writeStartObject();
        counters(json, status.counters());
        fixedFields(json, status.id(), status.post(), context);
        otherFields(json, status, context);
        json.writeEndObject();
    }

    /** An article that is rendered once and shown to many viewers. */
    public SharedArticle shared(Status article, Account author, Article.Standing standing) {
        return new SharedArticle(voted -> {
            Article.Standing seen = new Article.Standing(standing.votes(), voted, standing.groups());
            RenderContext context = RenderContext.of(author).with(article.id(), seen);
            return Json.bytes(json -> write(json, article, context));
        });
    }

    /**
     * The entity StatusEdit: one version of a status.
     *
     * @param status with the words of that version
     */
    public void edit(JsonGenerator json, Status status, RenderContext context) throws IOException {
        Content content = status.post().content();
        json.writeStartObject();
        Json.text(json, CONTENT, quoteLine(status.post(), context) + Html.of(content, urls.base()));
        Json.text(json, SPOILER_TEXT, content.spoilerText());
        json.writeFieldName(SENSITIVE);
        json.writeBoolean(content.sensitive());
        Json.text(
                json,
                CREATED_AT,
                Timestamps.time(Id.epochMillis(
                        status.post().edit() == 0 ? status.id() : status.post().edit())));
        json.writeFieldName(ACCOUNT);
        accounts.write(json, context.accounts().get(status.authorId()));
        attachments.field(json, content.attachments());
        if (status.post().isQuote()) {
            json.writeFieldName("quote");
            quote(json, status, context);
        }
        PollJson.editField(json, content.poll());
        emojis.field(json, emojis.in(content));
        json.writeEndObject();
    }

    /** The fields of the status itself, which are the same for every viewer. */
    private void ownFields(JsonGenerator json, Status status, RenderContext context) throws IOException {
        counters(json, status.counters());
        if (!context.knowsOriginal(status.post())) {
            // Not cached: the line that stands for the quoted status is missing until its author is known.
            fixedFields(json, status.id(), status.post(), context);
            return;
        }
        RenderCache.ShownStatus shown = cache.status(status.id(), status.post(), emojis.version());
        json.writeRaw(shown == null ? rendered(status, context) : shown.json());
    }

    private Fragment rendered(Status status, RenderContext context) {
        Fragment fields = Json.fields(json -> fixedFields(json, status.id(), status.post(), context));
        cache.put(status.id(), new RenderCache.ShownStatus(status.post(), emojis.version(), fields));
        return fields;
    }

    /** The fields that change only with an edit or with the terms of quotes. */
    private void fixedFields(JsonGenerator json, long id, Post post, RenderContext context) throws IOException {
        Content content = post.content();
        Json.text(json, ID, Long.toString(id));
        Json.text(json, CREATED_AT, Timestamps.time(Id.epochMillis(id)));
        reply(json, post.replyTo());
        json.writeFieldName(SENSITIVE);
        json.writeBoolean(content.sensitive());
        Json.text(json, SPOILER_TEXT, content.spoilerText());
        Json.text(json, VISIBILITY, post.visibility().wire());
        Json.text(json, LANGUAGE, content.language());
        addresses(json, id, context.accounts().get(post.authorId()));
        if (post.edit() == 0) {
            json.writeRaw(NOT_EDITED);
        } else {
            Json.text(json, EDITED_AT, Timestamps.time(Id.epochMillis(post.edit())));
        }
        Json.text(json, CONTENT, quoteLine(post, context) + Html.of(content, urls.base()));
        application(json, post.application());
        named(json, content);
        place(json, content.place());
        attachments.field(json, content.attachments());
        emojis.field(json, emojis.in(content));
        json.writeRaw(NOT_OFFERED);
        PollJson.noField(json, content);
    }

    /** The statuses inside, the author, and the viewer's part. */
    private void otherFields(JsonGenerator json, Status status, RenderContext context) throws IOException {
        if (status.post().original() == null) {
            json.writeRaw(NOTHING_INSIDE);
        } else {
            json.writeFieldName("reblog");
            reblog(json, status, context);
            json.writeFieldName("quote");
            quote(json, status, context);
        }
        quoteApproval(json, status, context);
        json.writeFieldName(ACCOUNT);
        accounts.write(json, context.accounts().get(status.authorId()));
        ArticleJson.field(json, status, context);
        polls.field(json, status, context);
        ViewerFlagsJson.fields(
                json, status.id(), status.subjectId(), ViewerFlagsJson.isMuted(status, context), context);
    }

    /** The original of a repost, or its tombstone. */
    private void reblog(JsonGenerator json, Status status, RenderContext context) throws IOException {
        // The author of the original is unknown only in the answer to the deletion of the repost.
        if (status.kind() != Post.Kind.REPOST || !context.knowsOriginal(status.post())) {
            json.writeNull();
            return;
        }
        Reference reference = status.post().original();
        if (context.showing(status.post()).shows()) {
            write(json, context.originals().get(reference.statusId()), context);
        } else {
            tombstone(json, reference, context);
        }
    }

    /** The entity Quote. */
    private void quote(JsonGenerator json, Status status, RenderContext context) throws IOException {
        if (!status.post().isQuote()) {
            json.writeNull();
            return;
        }
        RenderContext.Showing showing = context.showing(status.post());
        json.writeStartObject();
        json.writeStringField("state", showing.wire());
        json.writeFieldName("quoted_status");
        if (showing.shows()) {
            quoted(json, context.originals().get(status.post().original().statusId()), context);
        } else {
            json.writeNull();
        }
        json.writeEndObject();
    }

    /** A quoted status; of the status that it quotes in turn it has only the id (the entity ShallowQuote). */
    private void quoted(JsonGenerator json, Status status, RenderContext context) throws IOException {
        json.writeStartObject();
        ownFields(json, status, context);
        json.writeNullField("reblog");
        json.writeFieldName("quote");
        if (status.post().isQuote()) {
            long id = status.post().original().statusId();
            RenderContext.Showing showing = context.showing(status.post());
            json.writeStartObject();
            json.writeStringField("state", showing.wire());
            json.writeStringField("quoted_status_id", showing.shows() ? Long.toString(id) : null);
            json.writeEndObject();
        } else {
            json.writeNull();
        }
        quoteApproval(json, status, context);
        json.writeFieldName("account");
        accounts.write(json, context.accounts().get(status.authorId()));
        ArticleJson.field(json, status, context);
        polls.field(json, status, context);
        ViewerFlagsJson.fields(json, status.id(), status.id(), ViewerFlagsJson.isMuted(status, context), context);
        json.writeEndObject();
    }

    /** An original that is gone, in a repost of it: a Status without content, with {@code "deleted":true}. */
    public void tombstone(JsonGenerator json, Reference gone, RenderContext context) throws IOException {
        Post post = Post.of(gone.accountId(), Visibility.PUBLIC, Content.NONE);
        json.writeStartObject();
        counters(json, Counters.NONE);
        fixedFields(json, gone.statusId(), post, context);
        json.writeNullField("reblog");
        json.writeNullField("quote");
        json.writeRaw(QUOTABLE);
        json.writeFieldName("account");
        accounts.write(json, context.accounts().get(gone.accountId()));
        ViewerFlagsJson.fields(json, gone.statusId(), gone.statusId(), /* muted= */ false, context);
        json.writeBooleanField("deleted", true);
        json.writeEndObject();
    }

    /** A quote as a paragraph before the text, for clients that do not support quotes. */
    private String quoteLine(Post post, RenderContext context) {
        Reference shown = post.isQuote() ? post.shown() : null;
        Account quoted = shown == null ? null : context.accounts().get(shown.accountId());
        return quoted == null ? "" : Html.quoteLine(urls.status(shown.statusId(), quoted));
    }

    private static void quoteApproval(JsonGenerator json, Status status, RenderContext context) throws IOException {
        QuotePolicy policy = status.visibility().isRestricted()
                ? QuotePolicy.NOBODY
                : status.post().quoteTerms().policy();
        if (policy == QuotePolicy.PUBLIC) {
            json.writeRaw(QUOTABLE);
        } else {
            quoteApproval(json, policy, context.quoteApproval(status));
        }
    }

    private static void quoteApproval(JsonGenerator json, QuotePolicy policy, String viewer) throws IOException {
        json.writeObjectFieldStart("quote_approval");
        json.writeArrayFieldStart("automatic");
        if (policy != QuotePolicy.NOBODY) {
            json.writeString(policy.wire());
        }
        json.writeEndArray();
        Json.emptyArray(json, "manual");
        json.writeStringField("current_user", viewer);
        json.writeEndObject();
    }

    private static void counters(JsonGenerator json, Counters counters) throws IOException {
        Json.number(json, REPLIES_COUNT, counters.comments());
        Json.number(json, REBLOGS_COUNT, counters.reposts());
        Json.number(json, FAVOURITES_COUNT, counters.likes());
        Json.number(json, QUOTES_COUNT, counters.quotes());
    }

    private static void reply(JsonGenerator json, Reference to) throws IOException {
        if (to == null) {
            json.writeRaw(NO_REPLY);
        } else {
            reference(json, to);
        }
    }

    private static void reference(JsonGenerator json, Reference replyTo) throws IOException {
        json.writeStringField("in_reply_to_id", replyTo == null ? null : Long.toString(replyTo.statusId()));
        json.writeStringField("in_reply_to_account_id", replyTo == null ? null : Long.toString(replyTo.accountId()));
    }

    private void addresses(JsonGenerator json, long id, Account author) throws IOException {
        Json.text(json, URI, urls.statusUri(id, author));
        Json.text(json, URL, urls.status(id, author));
    }

    private static void application(JsonGenerator json, Application application) throws IOException {
        if (application == null) {
            json.writeNullField("application");
            return;
        }
        json.writeObjectFieldStart("application");
        json.writeStringField("name", application.name());
        json.writeStringField("website", application.website());
        json.writeEndObject();
    }

    /** The accounts and tags that the text names; most texts name none. */
    private void named(JsonGenerator json, Content content) throws IOException {
        if (content.mentions().isEmpty() && content.tags().isEmpty()) {
            json.writeRaw(NOBODY_NAMED);
        } else {
            mentions(json, content.mentions());
            tags.field(json, content.tags());
        }
    }

    private void mentions(JsonGenerator json, List<Content.Mention> mentions) throws IOException {
        json.writeArrayFieldStart("mentions");
        for (Content.Mention mention : mentions) {
            json.writeStartObject();
            json.writeStringField("id", Long.toString(mention.accountId()));
            json.writeStringField("username", mention.username());
            json.writeStringField("acct", mention.username());
            json.writeStringField("url", urls.profile(mention.username()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Not in Mastodon. */
    private static void place(JsonGenerator json, Place place) throws IOException {
        if (place == null) {
            json.writeRaw(NOWHERE);
            return;
        }
        json.writeObjectFieldStart("place");
        json.writeNumberField("lat", place.latitude());
        json.writeNumberField("long", place.longitude());
        json.writeStringField("name", place.name());
        json.writeEndObject();
    }
}

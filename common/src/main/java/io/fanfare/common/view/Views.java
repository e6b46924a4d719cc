package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Clip;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.CustomEmoji;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.model.FilterMatch;
import io.fanfare.common.model.MediaName;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.NotificationGroupKey;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.ProfileSettings;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.TagHistory;
import io.fanfare.common.model.TagStanding;
import io.fanfare.common.model.Upload;
import io.fanfare.common.model.UserFilter;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.text.Html;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Renders stored records as the JSON of the Mastodon client API (entities Account, Status), straight to bytes: the one
 * place that does. Used by the API, and for events by whoever appends them. Every documented field that is never null
 * in Mastodon is there, even when Fanfare has nothing to say in it: clients rely on it. Immutable but for the custom
 * emojis, which are asked for each time.
 *
 * <p>{@code url} and {@code uri} name an account or a status for good, in the form that Mastodon's have. There are no
 * web pages behind them yet: who opens one gets a 404.
 *
 * <p>A Status, shortened:
 *
 * <pre>
 * {"id":"281474976710656","created_at":"2026-01-02T03:04:05.678Z","visibility":"public","content":"&lt;p>Hello&lt;/p>","account":{"id":"...","username":"ann"},...}
 * </pre>
 */
public final class Views {
    /** Where the API serves the images that stand in for uploads, below the public URL. */
    public static final String HEADER_PATH = "/headers/default.png";

    /** The picture of all accounts without one, as it was called before each had its own: old events name it. */
    public static final String AVATAR_PATH = "/avatars/default.png";

    /** Below it, as {@code <account id>.png}, the picture of an account that has given none. */
    public static final String AVATARS_PATH = "/avatars/";

    /** Where the API serves pictures, below the public URL. */
    public static final String MEDIA_PATH = "/media/";

    private static final double MILLIS = 1000;

    // What every status of every page has is encoded once.
    private static final SerializedString FOLLOWERS_COUNT = new SerializedString("followers_count");
    private static final SerializedString FOLLOWING_COUNT = new SerializedString("following_count");
    private static final SerializedString STATUSES_COUNT = new SerializedString("statuses_count");
    private static final SerializedString LAST_STATUS_AT = new SerializedString("last_status_at");
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
        emptyArray(json, "mentions");
        emptyArray(json, "tags");
    });
    private static final Fragment NOWHERE = Json.fields(json -> json.writeNullField("place"));
    private static final Fragment NOTHING_INSIDE = Json.fields(json -> {
        json.writeNullField("reblog");
        json.writeNullField("quote");
    });

    private static final Fragment NO_EMOJIS = Json.fields(json -> emptyArray(json, "emojis"));

    /** What Mastodon's entity has and Fanfare does not offer. */
    private static final Fragment NOT_OFFERED = Json.fields(json -> json.writeNullField("card"));

    private static final Fragment NO_POLL = Json.fields(json -> json.writeNullField("poll"));

    /** Of most statuses, for everybody. */
    private static final Fragment QUOTABLE = Json.fields(json -> quoteApproval(json, QuotePolicy.PUBLIC, "automatic"));

    /** By their sum, see {@link SharedArticle}. */
    private static final List<Fragment> FLAGS = IntStream.range(0, 32)
            .mapToObj(flags -> rendered(flags, /* filtered= */ false))
            .toList();

    /** The same of what a filter matches, which is written behind. */
    private static final List<Fragment> FILTERED_FLAGS = IntStream.range(0, 32)
            .mapToObj(flags -> rendered(flags, /* filtered= */ true))
            .toList();

    private final String publicUrl;
    private final String header;
    private final RenderCache cache;
    private final Supplier<CustomEmojis> emojis;

    /** @param publicUrl base of absolute URLs, without a trailing slash */
    public Views(String publicUrl) {
        this(publicUrl, RenderCache.none(), () -> CustomEmojis.NONE);
    }

    /**
     * Those of a server with emojis.
     *
     * @param cache takes up what is rendered; all who share it have the same {@code publicUrl}
     * @param emojis the custom emojis as they are known now
     */
    public Views(String publicUrl, RenderCache cache, Supplier<CustomEmojis> emojis) {
        this.cache = cache;
        this.emojis = emojis;
        this.publicUrl = publicUrl;
        this.header = publicUrl + HEADER_PATH;
    }

    public void account(JsonGenerator json, Account account) throws IOException {
        json.writeStartObject();
        accountFields(json, account);
        json.writeEndObject();
    }

    /** Differs when the custom emojis are others, so that what was rendered before may show what is no more. */
    public long emojisVersion() {
        return emojis.get().version();
    }

    /** The address of an account's avatar. */
    public String avatar(Account account) {
        String name = account.profileSettings().avatar();
        return name.isEmpty() ? publicUrl + AVATARS_PATH + account.id() + ".png" : publicUrl + MEDIA_PATH + name;
    }

    /** The entity PartialAccountWithAvatar: what a row of avatars needs of an account. */
    public void partialAccount(JsonGenerator json, Account account) throws IOException {
        String ownAvatar = avatar(account);
        json.writeStartObject();
        json.writeStringField("id", Long.toString(account.id()));
        json.writeStringField("acct", account.username());
        json.writeBooleanField("locked", account.profileSettings().locked());
        json.writeBooleanField("bot", account.profileSettings().bot());
        json.writeStringField("url", profileUrl(account.username()));
        json.writeStringField("avatar", ownAvatar);
        json.writeStringField("avatar_static", ownAvatar);
        json.writeEndObject();
    }

    /** The fields of {@link #account} without the braces, for entities that have more of them. */
    public void accountFields(JsonGenerator json, Account account) throws IOException {
        number(json, FOLLOWERS_COUNT, account.followersCount());
        number(json, FOLLOWING_COUNT, account.followingCount());
        number(json, STATUSES_COUNT, account.statusesCount());
        json.writeFieldName(LAST_STATUS_AT);
        json.writeString(account.lastStatusAt() == 0 ? null : Timestamps.date(account.lastStatusAt()));
        RenderCache.ShownAccount shown = cache.account(account.id(), account.rev(), emojisVersion());
        json.writeRaw(shown == null ? rendered(account) : shown.json());
    }

    private Fragment rendered(Account account) {
        Fragment fields = Json.fields(json -> fixedFields(json, account));
        cache.put(new RenderCache.ShownAccount(account, emojisVersion(), fields));
        return fields;
    }

    /** What changes with the account's {@code rev} only. */
    private void fixedFields(JsonGenerator json, Account account) throws IOException {
        json.writeStringField("id", Long.toString(account.id()));
        json.writeStringField("username", account.username());
        json.writeStringField("acct", account.username());
        json.writeStringField("display_name", account.displayName());
        json.writeBooleanField("locked", account.profileSettings().locked());
        json.writeBooleanField("bot", account.profileSettings().bot());
        json.writeBooleanField("discoverable", account.profileSettings().discoverable());
        json.writeBooleanField("indexable", account.profileSettings().indexable());
        json.writeBooleanField("group", false);
        json.writeStringField("created_at", time(Id.epochMillis(account.id())));
        json.writeStringField("note", Html.of(account.note()));
        json.writeStringField("url", profileUrl(account.username()));
        json.writeStringField("uri", publicUrl + "/users/" + account.username());
        String ownAvatar = avatar(account);
        json.writeStringField("avatar", ownAvatar);
        json.writeStringField("avatar_static", ownAvatar);
        json.writeStringField("avatar_description", "");
        String named = account.profileSettings().header();
        String ownHeader = named.isEmpty() ? header : publicUrl + MEDIA_PATH + named;
        json.writeStringField("header", ownHeader);
        json.writeStringField("header_static", ownHeader);
        json.writeStringField("header_description", "");
        json.writeBooleanField("hide_collections", account.profileSettings().hidesFollows());
        json.writeBooleanField("noindex", !account.profileSettings().indexable());
        emojis(json, emojisOf(account));
        emptyArray(json, "roles");
        fields(json, account.profileSettings().fields());
    }

    private static void fields(JsonGenerator json, List<ProfileSettings.Field> fields) throws IOException {
        json.writeArrayFieldStart("fields");
        for (ProfileSettings.Field field : fields) {
            json.writeStartObject();
            json.writeStringField("name", field.name());
            json.writeStringField("value", line(field.value()));
            json.writeNullField("verified_at");
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Text on one line as HTML, without the paragraph around it. */
    private static String line(String text) {
        String html = Html.of(text);
        return html.isEmpty() ? html : html.substring("<p>".length(), html.length() - "</p>".length());
    }

    /**
     * The status with what it shows of others: what it reposts or quotes, as the viewer of {@code around} may see it.
     * Its author must be among the accounts there.
     */
    public void status(JsonGenerator json, Status status, RenderContext context) throws IOException {
        json.writeStartObject();
        statusFields(json, status, context);
        json.writeEndObject();
    }

    /** An article as everybody sees it, for many viewers, by its author. */
    public SharedArticle shared(Status article, Account author, Article.Standing standing) {
        return new SharedArticle(voted -> {
            Article.Standing seen = new Article.Standing(standing.votes(), voted, standing.groups());
            RenderContext context = RenderContext.of(author).with(article.id(), seen);
            return Json.bytes(json -> status(json, article, context));
        });
    }

    /** What a viewer did with a status, as the last fields of it. */
    static Fragment flags(int flags) {
        return FLAGS.get(flags);
    }

    /** The fields of {@link #status} without the braces, for answers that have more of them. */
    public void statusFields(JsonGenerator json, Status status, RenderContext context) throws IOException {
        ownFields(json, status, context);
        otherFields(json, status, context);
    }

    /**
     * The entity StatusEdit: what the status is after an edit, or was before one.
     *
     * @param status with the words of that version
     */
    public void statusEdit(JsonGenerator json, Status status, RenderContext context) throws IOException {
        Content content = status.post().content();
        json.writeStartObject();
        text(json, CONTENT, quoteLine(status.post(), context) + Html.of(content, publicUrl));
        text(json, SPOILER_TEXT, content.spoilerText());
        json.writeFieldName(SENSITIVE);
        json.writeBoolean(content.sensitive());
        text(
                json,
                CREATED_AT,
                time(Id.epochMillis(
                        status.post().edit() == 0 ? status.id() : status.post().edit())));
        json.writeFieldName(ACCOUNT);
        account(json, context.accounts().get(status.authorId()));
        attachments(json, content.attachments());
        if (status.post().isQuote()) {
            json.writeFieldName("quote");
            quote(json, status, context);
        }
        if (content.poll() != null) {
            json.writeObjectFieldStart("poll");
            json.writeArrayFieldStart("options");
            for (String option : content.poll().options()) {
                json.writeStartObject();
                json.writeStringField("title", option);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        emojis(json, emojisOf(content));
        json.writeEndObject();
    }

    /** What it shows of others, and what the viewer did with it. */
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
        account(json, context.accounts().get(status.authorId()));
        article(json, status, context);
        poll(json, status, context);
        flags(json, status.id(), status.subjectId(), isMuted(status, context), context);
    }

    /** Not in Mastodon: of articles only. */
    private static void article(JsonGenerator json, Status status, RenderContext context) throws IOException {
        if (!status.isArticle()) {
            return;
        }
        Article article = status.post().content().article();
        Article.Standing standing = context.standing(status);
        json.writeObjectFieldStart("article");
        json.writeStringField("title", article.title());
        json.writeStringField("link", article.link());
        json.writeNumberField("votes", standing.votes());
        json.writeNumberField("score", Article.score(status.id(), standing.votes()));
        json.writeFieldName("voted");
        json.writeObject(standing.voted().orElse(null));
        json.writeStringField("voting_ends_at", time(Article.votingEnds(status.id())));
        json.writeArrayFieldStart("groups");
        for (String group : standing.groups()) {
            json.writeString(group);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void poll(JsonGenerator json, Status status, RenderContext context) throws IOException {
        if (status.post().content().poll() != null) {
            json.writeFieldName("poll");
            poll(json, status, context.poll(status), context.viewer());
        }
    }

    /**
     * The entity Poll, whose id is that of its status.
     *
     * @param viewer 0 = nobody in particular; authors count as having voted, since they cannot
     */
    public void poll(JsonGenerator json, Status status, Poll.Standing standing, long viewer) throws IOException {
        Poll poll = status.post().content().poll();
        json.writeStartObject();
        json.writeStringField("id", Long.toString(status.id()));
        json.writeStringField("expires_at", time(poll.endsMillis()));
        json.writeBooleanField("expired", standing.ended());
        json.writeBooleanField("multiple", poll.multiple());
        json.writeNumberField(
                "votes_count",
                standing.votes().stream().mapToLong(Long::longValue).sum());
        json.writeNumberField("voters_count", standing.voters());
        json.writeArrayFieldStart("options");
        for (int i = 0; i < poll.options().size(); i++) {
            json.writeStartObject();
            json.writeStringField("title", poll.options().get(i));
            if (poll.hidesTotals() && !standing.ended()) {
                json.writeNullField("votes_count");
            } else {
                json.writeNumberField("votes_count", standing.votes().get(i));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        emojis(json, emojisOf(poll));
        if (viewer != 0) {
            json.writeBooleanField("voted", !standing.own().isEmpty() || status.authorId() == viewer);
            json.writeArrayFieldStart("own_votes");
            for (int choice : standing.own()) {
                json.writeNumber(choice);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /** What is the status's own: nothing of others, and the same for everybody. */
    private void ownFields(JsonGenerator json, Status status, RenderContext context) throws IOException {
        counters(json, status.counters());
        if (!context.knowsOriginal(status.post())) {
            // Without the line that stands for what it quotes, as long as nobody sees who has written that.
            fixedFields(json, status.id(), status.post(), context);
            return;
        }
        RenderCache.ShownStatus shown = cache.status(status.id(), status.post(), emojisVersion());
        json.writeRaw(shown == null ? rendered(status, context) : shown.json());
    }

    private Fragment rendered(Status status, RenderContext context) {
        Fragment fields = Json.fields(json -> fixedFields(json, status.id(), status.post(), context));
        cache.put(status.id(), new RenderCache.ShownStatus(status.post(), emojisVersion(), fields));
        return fields;
    }

    /** What changes with an edit and the terms of its quotes only. */
    private void fixedFields(JsonGenerator json, long id, Post post, RenderContext context) throws IOException {
        Content content = post.content();
        text(json, ID, Long.toString(id));
        text(json, CREATED_AT, time(Id.epochMillis(id)));
        reply(json, post.replyTo());
        json.writeFieldName(SENSITIVE);
        json.writeBoolean(content.sensitive());
        text(json, SPOILER_TEXT, content.spoilerText());
        text(json, VISIBILITY, post.visibility().wire());
        text(json, LANGUAGE, content.language());
        addresses(json, id, context.accounts().get(post.authorId()));
        if (post.edit() == 0) {
            json.writeRaw(NOT_EDITED);
        } else {
            text(json, EDITED_AT, time(Id.epochMillis(post.edit())));
        }
        text(json, CONTENT, quoteLine(post, context) + Html.of(content, publicUrl));
        application(json, post.application());
        named(json, content);
        place(json, content.place());
        attachments(json, content.attachments());
        emojis(json, emojisOf(content));
        json.writeRaw(NOT_OFFERED);
        if (content.poll() == null) {
            json.writeRaw(NO_POLL);
        }
    }

    /** A quote as a paragraph before the text, for clients that know no quotes. */
    private String quoteLine(Post post, RenderContext context) {
        Reference shown = post.isQuote() ? post.shown() : null;
        Account quoted = shown == null ? null : context.accounts().get(shown.accountId());
        return quoted == null ? "" : Html.quoteLine(statusUrl(shown.statusId(), quoted));
    }

    /** What a repost shows: its original, or what is left of it. */
    private void reblog(JsonGenerator json, Status status, RenderContext context) throws IOException {
        // What somebody passed on who is not shown any more is nothing: its author has just deleted the repost.
        if (status.kind() != Post.Kind.REPOST || !context.knowsOriginal(status.post())) {
            json.writeNull();
            return;
        }
        Reference reference = status.post().original();
        if (context.showing(status.post()).shows()) {
            status(json, context.originals().get(reference.statusId()), context);
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

    /** A quoted status: what it quotes in turn is only named (the entity ShallowQuote). */
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
        account(json, context.accounts().get(status.authorId()));
        article(json, status, context);
        poll(json, status, context);
        flags(json, status.id(), status.id(), isMuted(status, context), context);
        json.writeEndObject();
    }

    /** What a repost shows of an original that is gone: a Status without content, with {@code "deleted":true}. */
    void tombstone(JsonGenerator json, Reference gone, RenderContext context) throws IOException {
        Post post = Post.of(gone.accountId(), Visibility.PUBLIC, Content.NONE);
        json.writeStartObject();
        counters(json, Counters.NONE);
        fixedFields(json, gone.statusId(), post, context);
        json.writeNullField("reblog");
        json.writeNullField("quote");
        json.writeRaw(QUOTABLE);
        json.writeFieldName("account");
        account(json, context.accounts().get(gone.accountId()));
        flags(json, gone.statusId(), gone.statusId(), /* muted= */ false, context);
        json.writeBooleanField("deleted", true);
        json.writeEndObject();
    }

    private static void counters(JsonGenerator json, Counters counters) throws IOException {
        number(json, REPLIES_COUNT, counters.comments());
        number(json, REBLOGS_COUNT, counters.reposts());
        number(json, FAVOURITES_COUNT, counters.likes());
        number(json, QUOTES_COUNT, counters.quotes());
    }

    /** Null for a null value. */
    private static void text(JsonGenerator json, SerializedString field, String value) throws IOException {
        json.writeFieldName(field);
        json.writeString(value);
    }

    private static void number(JsonGenerator json, SerializedString field, long value) throws IOException {
        json.writeFieldName(field);
        json.writeNumber(value);
    }

    /** What the viewer did with the status, if somebody in particular is looking. */
    private static void flags(JsonGenerator json, long status, long subject, boolean muted, RenderContext context)
            throws IOException {
        if (context.viewer() == 0) {
            return;
        }
        int flags = flags(subject, context) + (muted ? SharedArticle.MUTED : 0);
        List<FilterMatch> matches =
                context.filtered().isEmpty() ? null : context.filtered().get(status);
        if (matches == null) {
            json.writeRaw(FLAGS.get(flags));
        } else {
            json.writeRaw(FILTERED_FLAGS.get(flags));
            filtered(json, matches);
        }
    }

    /** The field {@code filtered} of a status: the entities FilterResult. */
    public static void filtered(JsonGenerator json, List<FilterMatch> matches) throws IOException {
        json.writeArrayFieldStart("filtered");
        for (FilterMatch match : matches) {
            json.writeStartObject();
            json.writeObjectFieldStart("filter");
            filterFields(json, match.filter());
            json.writeEndObject();
            json.writeFieldName("keyword_matches");
            if (match.keyword() == null) {
                json.writeNull();
            } else {
                json.writeStartArray();
                json.writeString(match.keyword());
                json.writeEndArray();
            }
            json.writeFieldName("status_matches");
            if (match.statuses().isEmpty()) {
                json.writeNull();
            } else {
                json.writeStartArray();
                for (long id : match.statuses()) {
                    json.writeString(Long.toString(id));
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Whether the viewer wants to hear no more of its conversation, of a repost that of its original. */
    private static boolean isMuted(Status status, RenderContext context) {
        if (context.mutedConversations().isEmpty()) {
            return false;
        }
        Status subject = status.kind() == Post.Kind.REPOST ? context.originals().get(status.subjectId()) : status;
        return subject != null && context.mutedConversations().contains(subject.conversationId());
    }

    private static int flags(long subject, RenderContext context) {
        int favourited = context.favourited().contains(subject) ? SharedArticle.FAVOURITED : 0;
        int reblogged = context.reblogged().contains(subject) ? SharedArticle.REBLOGGED : 0;
        int bookmarked = context.bookmarked().contains(subject) ? SharedArticle.BOOKMARKED : 0;
        int pinned = context.pinned().contains(subject) ? SharedArticle.PINNED : 0;
        return favourited + reblogged + bookmarked + pinned;
    }

    private static Fragment rendered(int flags, boolean filtered) {
        return Json.fields(json -> {
            json.writeBooleanField("favourited", (flags & SharedArticle.FAVOURITED) != 0);
            json.writeBooleanField("reblogged", (flags & SharedArticle.REBLOGGED) != 0);
            json.writeBooleanField("bookmarked", (flags & SharedArticle.BOOKMARKED) != 0);
            json.writeBooleanField("muted", (flags & SharedArticle.MUTED) != 0);
            json.writeBooleanField("pinned", (flags & SharedArticle.PINNED) != 0);
            if (!filtered) {
                emptyArray(json, "filtered");
            }
        });
    }

    /**
     * The entity Notification.
     *
     * @param status what it is about; null = none
     */
    public void notification(
            JsonGenerator json, Notification notification, Account actor, Status status, RenderContext context)
            throws IOException {
        String id = Long.toString(notification.id());
        json.writeStartObject();
        json.writeStringField("id", id);
        json.writeStringField("type", notification.type().wire());
        json.writeStringField("created_at", time(Id.epochMillis(notification.id())));
        json.writeStringField("group_key", NotificationGroupKey.of(notification).wire());
        json.writeFieldName("account");
        account(json, actor);
        if (status != null) {
            json.writeFieldName("status");
            status(json, status, context);
        }
        json.writeEndObject();
    }

    /**
     * The entity Conversation.
     *
     * @param people who takes part besides the viewer; the viewer alone in one with nobody else
     * @param last the newest status that the viewer is shown
     */
    public void conversation(
            JsonGenerator json, long id, boolean unread, Collection<Account> people, Status last, RenderContext context)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(id));
        json.writeBooleanField("unread", unread);
        json.writeArrayFieldStart("accounts");
        for (Account person : people) {
            account(json, person);
        }
        json.writeEndArray();
        json.writeFieldName("last_status");
        status(json, last, context);
        json.writeEndObject();
    }

    /** The event of a changed conversation of an account, see {@link #conversation}: as that account sees it. */
    public Event conversed(
            long account,
            long change,
            long id,
            boolean unread,
            Collection<Account> people,
            Status last,
            RenderContext context) {
        String body = Json.line(json -> conversation(json, id, unread, people, last, context));
        return new Event(
                Event.Kind.CONVERSATION,
                change,
                last.authorId(),
                account,
                Visibility.PRIVATE,
                Event.match(List.of(last.id())),
                body);
    }

    /** The event of a notification to an account, see {@link #notification}: as that account sees it. */
    public Event notified(
            long account, Notification notification, Account actor, Status status, RenderContext context) {
        String body = Json.line(json -> notification(json, notification, actor, status, context));
        List<Long> shown = status == null
                ? List.of()
                : Stream.concat(Stream.of(status), context.inside(status).stream())
                        .map(Status::id)
                        .toList();
        return new Event(
                Event.Kind.NOTIFICATION,
                notification.id(),
                actor.id(),
                account,
                Visibility.PRIVATE,
                Event.match(shown),
                body);
    }

    /**
     * The event of a new status as everybody sees it. What it reposts or quotes may change, so that it is rendered with
     * that inside; any other is appended as its {@link StatusRecord} and rendered by {@link #told}, since most of its
     * JSON is the same for all.
     */
    public Event posted(Status status, RenderContext context) {
        return ofStatus(Event.Kind.STATUS, status.id(), 0, status, context);
    }

    /**
     * The event of a change of a status, such as its newest edit: otherwise as {@link #posted}.
     *
     * @param change its id
     */
    public Event changed(Status status, long change, RenderContext context) {
        return ofStatus(Event.Kind.EDIT, change, status.id(), status, context);
    }

    private Event ofStatus(Event.Kind kind, long subject, long target, Status status, RenderContext context) {
        if (status.visibility() == Visibility.DIRECT) {
            throw new IllegalArgumentException("a direct message has no event for everybody's streams");
        }
        RenderContext neutral = context.neutral(status);
        String body = status.post().original() == null
                ? new StatusRecord(
                                status,
                                context.accounts().get(status.authorId()),
                                context.polls().get(status.id()),
                                publicUrl,
                                shownWith(status, context.accounts().get(status.authorId())))
                        .encode()
                : Json.line(json -> newStatus(json, status, neutral));
        String match = MatchFields.of(status, neutral.inside(status)).encode();
        return new Event(kind, subject, status.authorId(), target, status.visibility(), match, body);
    }

    /**
     * An event from the log with the body that streams send: what it shows of {@link Event#redactedIds} is left out as
     * it is in answers. Throws {@link IllegalArgumentException} when it cannot be made of what the log has; the message
     * holds nothing of that.
     */
    public static Event told(Event logged) {
        if (!StatusRecord.is(logged.body())) {
            Set<Long> gone = logged.redactedIds();
            return gone.isEmpty() ? logged : logged.withBody(DeletedOriginals.in(logged.body(), gone));
        }
        StatusRecord posted = StatusRecord.of(logged);
        RenderContext context = posted.poll() == null
                ? RenderContext.of(posted.author())
                : RenderContext.of(posted.author()).with(posted.status().id(), posted.poll());
        CustomEmojis emojis = new CustomEmojis(0, posted.emojis());
        Views views = new Views(posted.publicUrl(), RenderCache.none(), () -> emojis);
        return logged.withBody(Json.line(json -> views.newStatus(json, posted.status(), context)));
    }

    /** As {@link #status}, but not remembered: most of what is posted is first read much later, elsewhere, or never. */
    public void newStatus(JsonGenerator json, Status status, RenderContext context) throws IOException {
        json.writeStartObject();
        counters(json, status.counters());
        fixedFields(json, status.id(), status.post(), context);
        otherFields(json, status, context);
        json.writeEndObject();
    }

    /** {@code {"id","account_id","deleted":true}}: never the text. */
    public Event deleted(Status status) {
        String body = Json.line(json -> {
            json.writeStartObject();
            json.writeStringField("id", Long.toString(status.id()));
            json.writeStringField("account_id", Long.toString(status.authorId()));
            json.writeBooleanField("deleted", true);
            json.writeEndObject();
        });
        // What filters looked at is taken over from the event of the status. A direct message has none.
        String match = status.visibility() == Visibility.DIRECT
                ? MatchFields.addressed(status.post().recipients()).encode()
                : "";
        return new Event(Event.Kind.DELETE, status.id(), status.authorId(), 0, status.visibility(), match, body);
    }

    /** {@code {"account_id","target_account_id","created_at"}}. */
    public static Event followed(long follower, long followee, long edge) {
        return edgeEvent(Event.Kind.FOLLOW, follower, followee, edge);
    }

    public static Event unfollowed(long follower, long followee, long edge) {
        return edgeEvent(Event.Kind.UNFOLLOW, follower, followee, edge);
    }

    /**
     * The event of a block or a mute or the end of one, or of changed terms of a follow: nobody is told, so that it has
     * no body.
     */
    public static Event turned(Event.Kind kind, long account, long other, long edge) {
        return new Event(kind, edge, account, other, Visibility.PRIVATE, "{}");
    }

    /** A moment as every answer shows it: {@code 2026-01-02T03:04:05.678Z}. */
    public static String time(long epochMillis) {
        return Timestamps.time(epochMillis);
    }

    /** A day (UTC) as Mastodon writes it. */
    public static String date(long epochMillis) {
        return Timestamps.date(epochMillis);
    }

    private static Event edgeEvent(Event.Kind kind, long follower, long followee, long edge) {
        String body = Json.line(json -> {
            json.writeStartObject();
            json.writeStringField("account_id", Long.toString(follower));
            json.writeStringField("target_account_id", Long.toString(followee));
            json.writeStringField("created_at", time(Id.epochMillis(edge)));
            json.writeEndObject();
        });
        return new Event(kind, edge, follower, followee, Visibility.PUBLIC, body);
    }

    /** Base of absolute URLs, without a trailing slash. */
    public String publicUrl() {
        return publicUrl;
    }

    /** What names a status for good, everywhere. */
    public String statusUri(long id, Account author) {
        return publicUrl + "/users/" + author.username() + "/statuses/" + id;
    }

    private String profileUrl(String username) {
        return publicUrl + "/@" + username;
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
        emptyArray(json, "manual");
        json.writeStringField("current_user", viewer);
        json.writeEndObject();
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
        text(json, URI, statusUri(id, author));
        text(json, URL, statusUrl(id, author));
    }

    private String statusUrl(long id, Account author) {
        return profileUrl(author.username()) + "/" + id;
    }

    private void attachments(JsonGenerator json, List<Attachment> attachments) throws IOException {
        json.writeArrayFieldStart("media_attachments");
        for (Attachment attachment : attachments) {
            attachment(json, attachment);
        }
        json.writeEndArray();
    }

    /** The entity MediaAttachment. */
    public void attachment(JsonGenerator json, Attachment attachment) throws IOException {
        String url = publicUrl + MEDIA_PATH;
        json.writeStartObject();
        json.writeStringField("id", Long.toString(attachment.id()));
        json.writeStringField("type", attachment.type());
        json.writeStringField("url", url + attachment.name());
        json.writeStringField(
                "preview_url", attachment.smallWidth() == 0 ? null : url + MediaName.small(attachment.name()));
        noOtherUrls(json);
        json.writeObjectFieldStart("meta");
        if (attachment.isClip()) {
            clip(json, attachment);
        } else {
            size(json, "original", attachment.width(), attachment.height());
        }
        if (attachment.smallWidth() > 0) {
            size(json, "small", attachment.smallWidth(), attachment.smallHeight());
        }
        focus(json, attachment.focus());
        json.writeEndObject();
        String description = attachment.description();
        json.writeStringField("description", description.isEmpty() ? null : description);
        String blurhash = attachment.blurhash();
        json.writeStringField("blurhash", blurhash.isEmpty() ? null : blurhash);
        json.writeEndObject();
    }

    /** The same of a picture that is still made: nobody knows its files and sizes. */
    public void pending(JsonGenerator json, Upload.Pending upload) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(upload.id()));
        json.writeStringField("type", "image");
        json.writeNullField("url");
        json.writeNullField("preview_url");
        noOtherUrls(json);
        json.writeObjectFieldStart("meta");
        focus(json, upload.focus());
        json.writeEndObject();
        json.writeStringField("description", upload.description().isEmpty() ? null : upload.description());
        json.writeNullField("blurhash");
        json.writeEndObject();
    }

    /** Of files of other servers, of which there are none. */
    private static void noOtherUrls(JsonGenerator json) throws IOException {
        json.writeNullField("remote_url");
        json.writeNullField("preview_remote_url");
        json.writeNullField("text_url");
    }

    private static void focus(JsonGenerator json, Attachment.Focus focus) throws IOException {
        json.writeObjectFieldStart("focus");
        json.writeNumberField("x", focus.x());
        json.writeNumberField("y", focus.y());
        json.writeEndObject();
    }

    private static void size(JsonGenerator json, String name, int width, int height) throws IOException {
        json.writeObjectFieldStart(name);
        size(json, width, height);
        json.writeEndObject();
    }

    private static void size(JsonGenerator json, int width, int height) throws IOException {
        json.writeNumberField("width", width);
        json.writeNumberField("height", height);
        json.writeStringField("size", width + "x" + height);
        json.writeNumberField("aspect", (double) width / height);
    }

    /**
     * What is known of a video or sound: in the field itself as Mastodon's older clients want it, and as the newer do.
     */
    private static void clip(JsonGenerator json, Attachment attachment) throws IOException {
        Clip clip = attachment.clip();
        if (clip.millis() > 0) {
            json.writeStringField("length", length(clip.millis()));
            json.writeNumberField("duration", clip.millis() / MILLIS);
        }
        if (clip.frames() > 0) {
            json.writeNumberField("fps", Math.round(clip.framesPerSecond()));
        }
        if (attachment.width() > 0) {
            size(json, attachment.width(), attachment.height());
        }
        json.writeObjectFieldStart("original");
        if (attachment.width() > 0) {
            size(json, attachment.width(), attachment.height());
        }
        if (clip.frames() > 0) {
            json.writeStringField("frame_rate", clip.frames() + "/" + clip.frameSeconds());
        }
        if (clip.millis() > 0) {
            json.writeNumberField("duration", clip.millis() / MILLIS);
            json.writeNumberField("bitrate", clip.bitsPerSecond());
        }
        json.writeEndObject();
    }

    /** {@code 0:01:28.65}: hours, minutes, seconds. */
    private static String length(long millis) {
        long seconds = millis / 1000;
        return String.format(
                Locale.ROOT, "%d:%02d:%02d.%02d", seconds / 3600, seconds / 60 % 60, seconds % 60, millis % 1000 / 10);
    }

    /** Whom and what the text names, which most name nobody. */
    private void named(JsonGenerator json, Content content) throws IOException {
        if (content.mentions().isEmpty() && content.tags().isEmpty()) {
            json.writeRaw(NOBODY_NAMED);
        } else {
            mentions(json, content.mentions());
            tags(json, content.tags());
        }
    }

    private void mentions(JsonGenerator json, List<Content.Mention> mentions) throws IOException {
        json.writeArrayFieldStart("mentions");
        for (Content.Mention mention : mentions) {
            json.writeStartObject();
            json.writeStringField("id", Long.toString(mention.accountId()));
            json.writeStringField("username", mention.username());
            json.writeStringField("acct", mention.username());
            json.writeStringField("url", profileUrl(mention.username()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void tags(JsonGenerator json, List<String> tags) throws IOException {
        json.writeArrayFieldStart("tags");
        for (String tag : tags) {
            json.writeStartObject();
            tagFields(json, tag);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void tagFields(JsonGenerator json, String tag) throws IOException {
        json.writeStringField("name", tag);
        json.writeStringField("url", Html.tagUrl(publicUrl, tag));
    }

    /**
     * The entity Tag, whose id is its name.
     *
     * @param standing how it stands to the viewer; null = nobody in particular is looking
     */
    public void tag(JsonGenerator json, String tag, TagHistory history, TagStanding standing) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", tag);
        tagFields(json, tag);
        json.writeArrayFieldStart("history");
        for (TagHistory.Day day : history.days()) {
            json.writeStartObject();
            json.writeStringField("day", Long.toString(day.epochSecond()));
            json.writeStringField("uses", Long.toString(day.uses()));
            json.writeStringField("accounts", Long.toString(day.accounts()));
            json.writeEndObject();
        }
        json.writeEndArray();
        if (standing != null) {
            json.writeBooleanField("following", standing.following());
            json.writeBooleanField("featuring", standing.featuring());
        }
        json.writeEndObject();
    }

    /** The fields of the entity Filter that stand with each status that it matches, too. */
    public static void filterFields(JsonGenerator json, UserFilter filter) throws IOException {
        json.writeStringField("id", Long.toString(filter.id()));
        json.writeStringField("title", filter.title());
        contexts(json, filter);
        json.writeStringField("expires_at", filter.expiresAt() == 0 ? null : time(filter.expiresAt()));
        json.writeStringField("filter_action", filter.action().wire());
    }

    /** Where a filter applies. */
    public static void contexts(JsonGenerator json, UserFilter filter) throws IOException {
        json.writeArrayFieldStart("context");
        for (UserFilter.Context context : filter.contexts()) {
            json.writeString(context.wire());
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

    /** The entity CustomEmoji, as lists of emojis have it. */
    public void emoji(JsonGenerator json, CustomEmoji emoji) throws IOException {
        json.writeStartObject();
        emojiFields(json, emoji);
        if (!emoji.category().isEmpty()) {
            json.writeStringField("category", emoji.category());
        }
        json.writeEndObject();
    }

    private void emojiFields(JsonGenerator json, CustomEmoji emoji) throws IOException {
        String url = publicUrl + MEDIA_PATH + emoji.file();
        json.writeStringField("shortcode", emoji.shortcode());
        json.writeStringField("url", url);
        json.writeStringField("static_url", url);
        json.writeBooleanField("visible_in_picker", true);
    }

    /** Those that a text shows, which most show none of. */
    private void emojis(JsonGenerator json, List<CustomEmoji> shown) throws IOException {
        if (shown.isEmpty()) {
            json.writeRaw(NO_EMOJIS);
            return;
        }
        json.writeArrayFieldStart("emojis");
        for (CustomEmoji emoji : shown) {
            json.writeStartObject();
            emojiFields(json, emoji);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private List<CustomEmoji> emojisOf(Content content) {
        return emojis.get().in(texts(content));
    }

    private List<CustomEmoji> emojisOf(Account account) {
        return emojis.get().in(texts(account));
    }

    private List<CustomEmoji> emojisOf(Poll poll) {
        return emojis.get().in(poll.options().stream());
    }

    /** Those that the status, its poll or its author shows: as many of each as when it is shown itself. */
    private List<CustomEmoji> shownWith(Status status, Account author) {
        Content content = status.post().content();
        Set<CustomEmoji> shown = new LinkedHashSet<>(emojisOf(content));
        shown.addAll(emojisOf(author));
        if (content.poll() != null) {
            shown.addAll(emojisOf(content.poll()));
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

    private static void emptyArray(JsonGenerator json, String field) throws IOException {
        json.writeArrayFieldStart(field);
        json.writeEndArray();
    }
}

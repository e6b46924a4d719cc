package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.event.Event;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Renders stored records as the JSON of the Mastodon client API (entities Account, Status), straight to bytes: the one place that does. Used by the API, and for events by
 * whoever appends them. Every documented field that is never null in Mastodon is there, even when Fanfare has nothing to say in it: clients rely on it. Immutable.
 *
 * <p>{@code url} and {@code uri} name an account or a status for good, in the form that Mastodon's have. There are no web pages behind them yet: who opens one gets a 404.
 *
 * <p>A Status, shortened:
 *
 * <pre>{"id":"281474976710656","created_at":"2026-01-02T03:04:05.678Z","visibility":"public","content":"&lt;p>Hello&lt;/p>","account":{"id":"...","username":"ann"},...}</pre>
 */
public final class Views {
    /** Where the API serves the images that stand in for uploads, below the public URL. */
    public static final String AVATAR_PATH = "/avatars/default.png";

    public static final String HEADER_PATH = "/headers/default.png";

    private final String publicUrl;
    private final String avatar;
    private final String header;

    /** @param publicUrl base of absolute URLs, without a trailing slash */
    public Views(String publicUrl) {
        this.publicUrl = publicUrl;
        this.avatar = publicUrl + AVATAR_PATH;
        this.header = publicUrl + HEADER_PATH;
    }

    public void account(JsonGenerator json, Account account) throws IOException {
        json.writeStartObject();
        accountFields(json, account);
        json.writeEndObject();
    }

    /** The fields of {@link #account} without the braces, for entities that have more of them. */
    public void accountFields(JsonGenerator json, Account account) throws IOException {
        json.writeStringField("id", Long.toString(account.id()));
        json.writeStringField("username", account.username());
        json.writeStringField("acct", account.username());
        json.writeStringField("display_name", account.displayName());
        json.writeBooleanField("locked", false);
        json.writeBooleanField("bot", false);
        json.writeBooleanField("discoverable", true);
        json.writeBooleanField("indexable", true);
        json.writeBooleanField("group", false);
        json.writeStringField("created_at", time(Id.epochMillis(account.id())));
        json.writeStringField("note", Html.of(account.note()));
        json.writeStringField("url", profileUrl(account));
        json.writeStringField("uri", publicUrl + "/users/" + account.username());
        json.writeStringField("avatar", avatar);
        json.writeStringField("avatar_static", avatar);
        json.writeStringField("avatar_description", "");
        json.writeStringField("header", header);
        json.writeStringField("header_static", header);
        json.writeStringField("header_description", "");
        json.writeNumberField("followers_count", account.followersCount());
        json.writeNumberField("following_count", account.followingCount());
        json.writeNumberField("statuses_count", account.statusesCount());
        json.writeStringField(
                "last_status_at", account.lastStatusAt() == 0 ? null : Timestamps.date(account.lastStatusAt()));
        json.writeBooleanField("hide_collections", false);
        json.writeBooleanField("noindex", false);
        emptyArray(json, "emojis");
        emptyArray(json, "roles");
        emptyArray(json, "fields");
    }

    /** The status as everybody sees it, without a viewer's flags. */
    public void status(JsonGenerator json, Status status, Account author) throws IOException {
        json.writeStartObject();
        statusFields(json, status, author);
        json.writeEndObject();
    }

    /** The fields of {@link #status} without the braces: the API adds what depends on the viewer. */
    public void statusFields(JsonGenerator json, Status status, Account author) throws IOException {
        String id = Long.toString(status.id());
        json.writeStringField("id", id);
        json.writeStringField("created_at", time(Id.epochMillis(status.id())));
        Content content = status.draft().content();
        Reference replyTo = status.draft().replyTo();
        idOrNull(json, "in_reply_to_id", replyTo == null ? 0 : replyTo.statusId());
        idOrNull(json, "in_reply_to_account_id", replyTo == null ? 0 : replyTo.accountId());
        json.writeBooleanField("sensitive", content.sensitive());
        json.writeStringField("spoiler_text", content.spoilerText());
        json.writeStringField("visibility", status.visibility().wire());
        json.writeStringField("language", content.language());
        json.writeStringField("uri", publicUrl + "/users/" + author.username() + "/statuses/" + id);
        json.writeStringField("url", profileUrl(author) + "/" + id);
        json.writeNumberField("replies_count", status.counters().comments());
        json.writeNumberField("reblogs_count", status.counters().reposts());
        json.writeNumberField("favourites_count", status.counters().likes());
        json.writeNumberField("quotes_count", status.counters().quotes());
        quoteApproval(json);
        json.writeNullField("edited_at");
        json.writeStringField("content", Html.of(status.text()));
        json.writeNullField("reblog");
        json.writeNullField("quote");
        application(json, status.draft().clientName());
        json.writeFieldName("account");
        account(json, author);
        emptyArray(json, "media_attachments");
        emptyArray(json, "mentions");
        emptyArray(json, "tags");
        emptyArray(json, "emojis");
        json.writeNullField("card");
        json.writeNullField("poll");
    }

    /** The event of a new status: its body is the viewer-neutral Status. */
    public Event posted(Status status, Account author) {
        String body = line(json -> status(json, status, author));
        return new Event(Event.Kind.STATUS, status.id(), status.authorId(), 0, status.visibility(), body);
    }

    /** {@code {"id","account_id","deleted":true}}: never the text. */
    public Event deleted(Status status) {
        String body = line(json -> {
            json.writeStartObject();
            json.writeStringField("id", Long.toString(status.id()));
            json.writeStringField("account_id", Long.toString(status.authorId()));
            json.writeBooleanField("deleted", true);
            json.writeEndObject();
        });
        return new Event(Event.Kind.DELETE, status.id(), status.authorId(), 0, status.visibility(), body);
    }

    /** {@code {"account_id","target_account_id","created_at"}}. */
    public static Event followed(long follower, long followee, long edge) {
        return edgeEvent(Event.Kind.FOLLOW, follower, followee, edge);
    }

    public static Event unfollowed(long follower, long followee, long edge) {
        return edgeEvent(Event.Kind.UNFOLLOW, follower, followee, edge);
    }

    /** A moment as every answer shows it: {@code 2026-01-02T03:04:05.678Z}. */
    public static String time(long epochMillis) {
        return Timestamps.time(epochMillis);
    }

    private static Event edgeEvent(Event.Kind kind, long follower, long followee, long edge) {
        String body = line(json -> {
            json.writeStartObject();
            json.writeStringField("account_id", Long.toString(follower));
            json.writeStringField("target_account_id", Long.toString(followee));
            json.writeStringField("created_at", time(Id.epochMillis(edge)));
            json.writeEndObject();
        });
        return new Event(kind, edge, follower, followee, Visibility.PUBLIC, body);
    }

    private String profileUrl(Account account) {
        return publicUrl + "/@" + account.username();
    }

    private static void application(JsonGenerator json, String clientName) throws IOException {
        if (clientName == null) {
            json.writeNullField("application");
            return;
        }
        json.writeObjectFieldStart("application");
        json.writeStringField("name", clientName);
        json.writeNullField("website");
        json.writeEndObject();
    }

    /** Nobody can quote anything yet: clients then offer no quoting. */
    private static void quoteApproval(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("quote_approval");
        emptyArray(json, "automatic");
        emptyArray(json, "manual");
        json.writeStringField("current_user", "denied");
        json.writeEndObject();
    }

    private static void idOrNull(JsonGenerator json, String field, long id) throws IOException {
        json.writeStringField(field, id == 0 ? null : Long.toString(id));
    }

    private static void emptyArray(JsonGenerator json, String field) throws IOException {
        json.writeArrayFieldStart(field);
        json.writeEndArray();
    }

    private static String line(Json.Body body) {
        return new String(Json.bytes(body), StandardCharsets.UTF_8);
    }
}

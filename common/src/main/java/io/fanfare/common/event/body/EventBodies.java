package io.fanfare.common.event.body;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.model.Warning;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.RenderCache;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes events with their bodies: the JSON that native streams send, or the {@link StatusRecord} that it is rendered
 * from. Immutable but for the views.
 */
public final class EventBodies {
    private final Views views;

    public EventBodies(Views views) {
        this.views = views;
    }

    /**
     * The event of a new status as an anonymous viewer sees it. A repost or quote is rendered with the status inside,
     * which may change; any other is appended as its {@link StatusRecord}, since most of its JSON is the same for all,
     * and {@link #rendered} renders it.
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
                                views.urls().base(),
                                views.emojis().inAll(status, context.accounts().get(status.authorId())))
                        .encode()
                : Json.line(json -> views.statuses().uncached(json, status, neutral));
        String match = MatchFields.of(status, neutral.inside(status)).encode();
        return new Event(kind, subject, status.authorId(), target, status.visibility(), match, body);
    }

    /** The event of a notification to an account, as that account sees it. */
    public Event notified(
            long account,
            Notification notification,
            Account actor,
            Status status,
            Warning warning,
            RenderContext context) {
        String body =
                Json.line(json -> views.notifications().write(json, notification, actor, status, warning, context));
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

    /** The event of a changed conversation of an account, as that account sees it. */
    public Event conversed(
            long account,
            long change,
            long id,
            boolean unread,
            Collection<Account> people,
            Status last,
            RenderContext context) {
        String body = Json.line(json -> views.conversations().write(json, id, unread, people, last, context));
        return new Event(
                Event.Kind.CONVERSATION,
                change,
                last.authorId(),
                account,
                Visibility.PRIVATE,
                Event.match(List.of(last.id())),
                body);
    }

    /**
     * An event from the log with the body that streams send, without the statuses in {@link Event#redactedIds}. Throws
     * {@link IllegalArgumentException} when the body cannot be read; the message holds nothing of it.
     */
    public static Event rendered(Event logged) {
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
        return logged.withBody(Json.line(json -> views.statuses().uncached(json, posted.status(), context)));
    }

    /** The event of a deletion, {@code {"id","account_id","deleted":true}}: never the text. */
    public static Event deleted(Status status) {
        String body = Json.line(json -> {
            json.writeStartObject();
            json.writeStringField("id", Long.toString(status.id()));
            json.writeStringField("account_id", Long.toString(status.authorId()));
            json.writeBooleanField("deleted", true);
            json.writeEndObject();
        });
        // Filters match the event of the status. A direct message has none.
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

    /** The event of a block, a mute, the end of one, or changed terms of a follow: internal, so it has no body. */
    public static Event internal(Event.Kind kind, long account, long other, long edge) {
        return new Event(kind, edge, account, other, Visibility.PRIVATE, "{}");
    }

    private static Event edgeEvent(Event.Kind kind, long follower, long followee, long edge) {
        String body = Json.line(json -> {
            json.writeStartObject();
            json.writeStringField("account_id", Long.toString(follower));
            json.writeStringField("target_account_id", Long.toString(followee));
            json.writeStringField("created_at", Timestamps.time(Id.epochMillis(edge)));
            json.writeEndObject();
        });
        return new Event(kind, edge, follower, followee, Visibility.PUBLIC, body);
    }
}

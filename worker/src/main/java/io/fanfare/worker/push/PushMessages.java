package io.fanfare.worker.push;

import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.PushSubscription;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Notifications.Shown;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the messages of pushes as Mastodon has them, in JSON: {@code access_token}, {@code preferred_locale},
 * {@code notification_id}, {@code notification_type}, {@code icon}, {@code title}, {@code body}. Of a notification that
 * the account would be shown at this moment, as {@code NotificationEvents}, and that the subscription wants.
 */
public final class PushMessages {
    /** The only language of this server. */
    private static final String LOCALE = "en";

    private static final int BODY_CHARS_MAX = 140;
    private static final String CUT = "...";

    private final Notifications notifications;
    private final Accounts accounts;
    private final ViewerRelationshipsReader viewerRelationships;
    private final Views views;
    private final SealedTexts tokens;

    public PushMessages(
            Notifications notifications,
            Accounts accounts,
            ViewerRelationshipsReader viewerRelationships,
            Views views,
            SealedTexts tokens) {
        this.notifications = notifications;
        this.accounts = accounts;
        this.viewerRelationships = viewerRelationships;
        this.views = views;
        this.tokens = tokens;
    }

    /** The message about a notification of an account; empty when there is nothing to tell, or nothing any more. */
    public Future<Optional<byte[]>> of(long account, long notification, PushSubscription subscription) {
        return notifications
                .find(account, notification)
                .compose(shown -> shown.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : wanted(account, shown.get(), subscription));
    }

    private Future<Optional<byte[]>> wanted(long account, Shown shown, PushSubscription subscription) {
        Notification notification = shown.notification();
        long actor = notification.actorId();
        return viewerRelationships.of(account, Set.of(actor)).compose(relationships -> {
            boolean wanted = subscription.wants(
                    notification.type().wire(), relationships.follows(actor), relationships.isFollowedBy(actor));
            return wanted
                    ? accounts.load(List.of(actor)).map(known -> Optional.ofNullable(known.get(actor))
                            .map(by -> message(account, shown, by, subscription)))
                    : Future.succeededFuture(Optional.empty());
        });
    }

    private byte[] message(long account, Shown shown, Account by, PushSubscription subscription) {
        String token = tokens.open(subscription.sealedToken(), account).orElse("");
        byte[] message = message(token, shown, by, body(shown.status(), by));
        // A long name of an app makes a long token; the app may do without.
        return message.length > PushEncryption.MESSAGE_MAX ? message("", shown, by, body(shown.status(), by)) : message;
    }

    private byte[] message(String token, Shown shown, Account by, String body) {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("access_token", token);
            json.writeStringField("preferred_locale", LOCALE);
            json.writeNumberField("notification_id", shown.notification().id());
            json.writeStringField(
                    "notification_type", shown.notification().type().wire());
            json.writeStringField("icon", views.urls().avatar(by));
            json.writeStringField("title", title(shown.notification().type().wire(), by));
            json.writeStringField("body", body);
            json.writeEndObject();
        });
    }

    /** By the word, so that a type without a sentence of its own has one too. */
    private static String title(String type, Account by) {
        String name = by.displayName().isEmpty() ? by.username() : by.displayName();
        return switch (type) {
            case "follow" -> name + " is now following you";
            case "follow_request" -> "Pending follower: " + name;
            case "favourite" -> name + " favorited your post";
            case "reblog" -> name + " boosted your post";
            case "mention" -> "You were mentioned by " + name;
            case "quote" -> name + " quoted your post";
            case "update" -> name + " edited a post";
            case "quoted_update" -> name + " edited a post you have quoted";
            case "status" -> name + " just posted";
            case "poll" -> "A poll by " + name + " has ended";
            default -> "New notification from " + name;
        };
    }

    private static String body(Status status, Account by) {
        if (status == null) {
            return cut(by.note());
        }
        String warning = status.post().content().spoilerText();
        return cut(warning.isEmpty() ? status.text() : warning);
    }

    private static String cut(String text) {
        if (text.codePointCount(0, text.length()) <= BODY_CHARS_MAX) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, BODY_CHARS_MAX - CUT.length())) + CUT;
    }
}

package io.fanfare.core.post;

import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Directory;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Notifications;
import io.fanfare.core.conversation.ConversationEvents;
import io.fanfare.core.conversation.Conversations;
import io.fanfare.core.conversation.Conversations.Change;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.graph.Backlinks;
import io.fanfare.core.notification.NotificationPublisher;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The effects of a status outside its author's shard, beside its event and its delivery to homes: changes of the
 * statuses it refers to ({@link Backlinks}), notifications of mentioned accounts and of subscribers to its author's
 * posts, its place in conversations and in public timelines, that of its author in the directory and, as an article,
 * its place in rankings. The first page of its fan-out job makes sure of all of it, its retract job takes it back;
 * effects that the API has caused already stay as they are.
 */
public final class PostSideEffects {
    private static final Logger LOG = LoggerFactory.getLogger(PostSideEffects.class);

    /** Accounts that are notified at once of a post. */
    private static final int NOTIFIED_AT_ONCE = 100;

    private final Graph graph;
    private final Backlinks backlinks;
    private final Notifications notifications;
    private final Conversations conversations;
    private final ConversationEvents conversationEvents;
    private final PublicTimelines timelines;
    private final Articles articles;
    private final NotificationPublisher notificationPublisher;
    private final Directory directory;

    public PostSideEffects(
            Graph graph,
            Backlinks backlinks,
            Notifications notifications,
            Conversations conversations,
            ConversationEvents conversationEvents,
            PublicTimelines timelines,
            Articles articles,
            NotificationPublisher notificationPublisher,
            Directory directory) {
        this.graph = graph;
        this.backlinks = backlinks;
        this.notifications = notifications;
        this.conversations = conversations;
        this.conversationEvents = conversationEvents;
        this.timelines = timelines;
        this.articles = articles;
        this.notificationPublisher = notificationPublisher;
        this.directory = directory;
    }

    /**
     * Makes sure of them. Fails when something could not be done; all else has been tried. Doing it again changes
     * nothing.
     */
    public Future<Void> settle(Collection<Status> statuses) {
        List<Future<Void>> parts = new ArrayList<>(List.of(timelines.add(statuses), directory.posted(statuses)));
        for (Status status : statuses) {
            parts.add(backlinks.add(status).compose(this::announce));
            if (status.isArticle()) {
                parts.add(articles.add(status));
            }
            if (notifiesListeners(status)) {
                parts.add(notifyListeners(status));
            }
            if (status.kind() == Post.Kind.DIRECT) {
                parts.add(converse(status, conversationEvents::announce));
            }
            for (Mention mention : status.post().content().mentions()) {
                parts.add(notifications
                        .addMention(mention.accountId(), status)
                        .compose(id -> notificationPublisher.announce(mention.accountId(), id)));
            }
        }
        return Future.join(parts).mapEmpty();
    }

    /**
     * Puts a direct message into the conversations of all who take part; its job tells their streams. Doing it again
     * changes nothing.
     */
    public Future<Void> converse(Status direct) {
        return converse(direct, (account, change) -> Future.succeededFuture());
    }

    private Future<Void> converse(Status direct, BiFunction<Long, Change, Future<Void>> then) {
        return Future.join(Conversations.participants(direct).stream()
                        .map(account ->
                                conversations.add(account, direct).compose(change -> then.apply(account, change)))
                        .toList())
                .mapEmpty();
    }

    private List<Future<Void>> silence(Status direct) {
        List<Future<Void>> parts = new ArrayList<>();
        for (long account : Conversations.participants(direct)) {
            parts.add(conversations.remove(account, direct));
            parts.add(notifications.remove(account, mention(direct)));
        }
        return parts;
    }

    /** As in Mastodon: posts, and what one adds to one's own. */
    private static boolean notifiesListeners(Status status) {
        Reference replyTo = status.post().replyTo();
        return status.kind() == Post.Kind.POST && (replyTo == null || replyTo.accountId() == status.authorId());
    }

    private Future<Void> notifyListeners(Status status) {
        Notification notification = Notification.of(Notification.Type.STATUS, status.authorId(), status.id());
        return graph.listeners(status.authorId(), status.id(), status.post().spoken())
                .compose(listeners -> Future.join(listeners.rest(), notifyAccounts(listeners.accounts(), notification))
                        .mapEmpty());
    }

    /** A portion at a time, since each account takes several round trips. A failed one does not stop the others. */
    private Future<Void> notifyAccounts(List<Long> listeners, Notification notification) {
        if (listeners.isEmpty()) {
            return Future.succeededFuture();
        }
        List<Long> first = listeners.subList(0, Math.min(NOTIFIED_AT_ONCE, listeners.size()));
        return Future.join(first.stream()
                        .map(account -> notifications
                                .add(account, notification)
                                .compose(id -> notificationPublisher.announce(account, id)))
                        .toList())
                .transform(done -> notifyAccounts(listeners.subList(first.size(), listeners.size()), notification)
                        .compose(rest ->
                                done.succeeded() ? Future.succeededFuture() : Future.failedFuture(done.cause())));
    }

    private Future<Void> announce(List<Backlinks.Added> added) {
        return Future.join(added.stream()
                        .map(each -> notificationPublisher.announce(each.account(), each.notification()))
                        .toList())
                .mapEmpty();
    }

    /**
     * Takes them back, as far as is known what they were: of a tombstone whom it named is not known any more, nor who
     * was told of it and has asked since not to be told any more. What names a status that is gone is not shown. Only
     * for statuses that are deleted.
     */
    public Future<Void> takeBack(Collection<Status> deleted) {
        List<Future<Void>> parts = new ArrayList<>(List.of(timelines.remove(deleted)));
        for (Status status : deleted) {
            parts.add(backlinks.takeBack(status));
            if (status.isArticle()) {
                parts.add(articles.remove(status.id()));
            }
            if (status.kind() == Post.Kind.POST) {
                parts.add(removeListenerNotifications(status));
            }
            if (status.kind() == Post.Kind.DIRECT) {
                parts.addAll(silence(status));
            } else {
                for (Mention mention : status.post().content().mentions()) {
                    parts.add(notifications.remove(mention.accountId(), mention(status)));
                }
            }
        }
        return Future.join(parts).mapEmpty();
    }

    /** The same of one, as far as it succeeds: what fails is left to the job of the deletion. Never fails. */
    public Future<Void> tryToTakeBack(Status deleted) {
        return takeBack(List.of(deleted)).recover(cause -> {
            LOG.debug("links left to the job of the deletion cause={}", cause.toString());
            return Future.succeededFuture();
        });
    }

    private Future<Void> removeListenerNotifications(Status status) {
        Notification notification = Notification.of(Notification.Type.STATUS, status.authorId(), status.id());
        return graph.formerListeners(status.authorId())
                .compose(listeners -> notifications.remove(listeners, notification));
    }

    private static Notification mention(Status status) {
        return Notification.of(Notification.Type.MENTION, status.authorId(), status.id());
    }
}

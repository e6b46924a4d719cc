package io.fanfare.core.post;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventKey;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.notification.NotificationPublisher;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The effects of an edit outside its author's shard: its event, the lists of added and removed tags, notifications of
 * accounts that the new text mentions and the former one did not, and of those that have reposted or quoted the status.
 * The first page of its job makes sure of all but the last, which goes page by page. Each step uses the status of that
 * moment, so that it does not matter which of several edits it belongs to.
 */
public class EditSideEffects {
    /** Tries at most: the shown status may be deleted, and the status edited, while they are read. */
    private static final int TRIES_MAX = 5;

    private final Edits edits;
    private final Statuses statuses;
    private final StatusEvents statusEvents;
    private final EventLog events;
    private final PublicTimelines timelines;
    private final Notifications notifications;
    private final NotificationPublisher notificationPublisher;
    private final PostSideEffects postSideEffects;
    private final SubjectEdges subjectEdges;

    public EditSideEffects(
            Edits edits,
            Statuses statuses,
            StatusEvents statusEvents,
            EventLog events,
            PublicTimelines timelines,
            Notifications notifications,
            NotificationPublisher notificationPublisher,
            PostSideEffects postSideEffects,
            SubjectEdges subjectEdges) {
        this.edits = edits;
        this.statuses = statuses;
        this.statusEvents = statusEvents;
        this.events = events;
        this.timelines = timelines;
        this.notifications = notifications;
        this.notificationPublisher = notificationPublisher;
        this.postSideEffects = postSideEffects;
        this.subjectEdges = subjectEdges;
    }

    /** Puts an edited status into the lists of its tags, which is done for all others by its job. */
    public Future<Void> list(Status edited) {
        return timelines.add(List.of(edited));
    }

    /**
     * Makes sure that the log has the event of a status and, behind it, that of its newest edit: whoever reads the log
     * to its end ends with the newest words. The event of the status must come first, or one with former words could
     * come later.
     */
    public Future<Void> announce(Status edited) {
        return edited.post().edit() == 0
                ? Future.succeededFuture()
                : announce(edited, edited.post().edit());
    }

    /**
     * The same of any change of a status.
     *
     * @param change its id
     */
    Future<Void> announce(Status changed, long change) {
        return announce(changed, change, TRIES_MAX);
    }

    private Future<Void> announce(Status status, long change, int tries) {
        if (tries == 0) {
            return Future.failedFuture("what this shows keeps being deleted: status " + status.id());
        }
        EventKey posted = new EventKey(Event.Kind.STATUS, status.id());
        EventKey changed = new EventKey(Event.Kind.EDIT, change);
        return events.missing(List.of(posted, changed))
                .compose(missing -> missing.isEmpty()
                        ? Future.succeededFuture(List.<Event>of())
                        : statusEvents.changed(status, change).map(made -> made.stream()
                                .filter(event -> missing.contains(new EventKey(event.kind(), event.subject())))
                                .toList()))
                .compose(this::append)
                .compose(stale -> stale ? announce(status, change, tries - 1) : Future.succeededFuture());
    }

    /** One after the other; answers whether one of them has to be made anew. */
    private Future<Boolean> append(List<Event> made) {
        Future<Boolean> appended = Future.succeededFuture(false);
        for (Event event : made) {
            appended = appended.compose(stale ->
                    stale ? Future.succeededFuture(true) : events.append(event).map(seq -> seq == EventLog.STALE));
        }
        return appended;
    }

    /**
     * Makes sure of everything but word to those who have reposted or quoted the status. Doing it again changes
     * nothing.
     */
    public Future<Void> settle(long status, long edit) {
        return settle(status, edit, TRIES_MAX);
    }

    private Future<Void> settle(long status, long edit, int tries) {
        if (tries == 0) {
            return Future.failedFuture("this keeps being edited: status " + status);
        }
        return edits.versions(status).compose(versions -> {
            if (versions.isEmpty()) {
                return Future.succeededFuture();
            }
            Status now = versions.get(versions.size() - 1);
            List<Future<Void>> parts = new ArrayList<>(List.of(announce(now), lists(versions, now)));
            for (Mention mention : named(versions, now, edit)) {
                parts.add(notifications
                        .addMention(mention.accountId(), now, edit)
                        .compose(id -> notificationPublisher.announce(mention.accountId(), id)));
            }
            return Future.join(parts).<Void>mapEmpty().eventually(() -> lookAgain(now, edit, tries));
        });
    }

    /**
     * Looks at the status again. The effects may belong to words that have gone meanwhile, after the change that
     * removed them has looked. Runs also when a part has failed: the job that runs again does not know any more what
     * there was.
     */
    private Future<Void> lookAgain(Status then, long edit, int tries) {
        return statuses.find(then.id()).compose(now -> {
            if (now.isEmpty()) {
                return postSideEffects.takeBack(List.of(then));
            }
            return now.get().post().edit() == then.post().edit()
                    ? Future.succeededFuture()
                    : settle(then.id(), edit, tries - 1);
        });
    }

    private Future<Void> lists(List<Status> versions, Status now) {
        return timelines.add(List.of(now)).compose(added -> timelines.removeTags(now, versions));
    }

    /** The mentions that this edit added and the present text still has. */
    private static Set<Mention> named(List<Status> versions, Status now, long edit) {
        for (int i = 1; i < versions.size(); i++) {
            if (versions.get(i).post().edit() == edit) {
                Set<Mention> named =
                        new HashSet<>(versions.get(i).post().content().mentions());
                versions.get(i - 1).post().content().mentions().forEach(named::remove);
                named.retainAll(now.post().content().mentions());
                return named;
            }
        }
        return Set.of();
    }

    /**
     * Tells some of those who have reposted or quoted a status that it was edited; of each edit once. Answers the last
     * edge of the page; 0 = there is none behind it, or a later edit tells them.
     *
     * @param cursor edge behind which the page begins; 0 = the first page
     */
    public Future<Long> notifySharers(long status, long edit, long cursor, int page) {
        return statuses.find(status)
                .compose(found ->
                        isNewest(found, edit) ? notifySharers(found.get(), cursor, page) : Future.succeededFuture(0L));
    }

    /** Reposts and quotes in one row, by their ids, which no two of them share. */
    private Future<Long> notifySharers(Status edited, long cursor, int page) {
        Future<List<Edge>> reposts = subjectEdges.after(SubjectEdges.Kind.REPOST, edited.id(), cursor, page);
        Future<List<Edge>> quotes = subjectEdges.after(SubjectEdges.Kind.QUOTE, edited.id(), cursor, page);
        return Future.all(reposts, quotes).compose(read -> {
            List<Long> row = Stream.concat(reposts.result().stream(), quotes.result().stream())
                    .map(Edge::edgeId)
                    .sorted()
                    .toList();
            boolean more = row.size() >= page;
            long last = more ? row.get(page - 1) : Id.MAX;
            return Future.join(
                            notifyReposters(edited, upTo(reposts.result(), last)),
                            notifyQuoters(edited, upTo(quotes.result(), last)))
                    .map(done -> more ? last : 0L);
        });
    }

    private static List<Edge> upTo(List<Edge> edges, long last) {
        return edges.stream().filter(edge -> edge.edgeId() <= last).toList();
    }

    private static boolean isNewest(Optional<Status> found, long edit) {
        return found.isPresent() && found.get().post().edit() == edit;
    }

    private Future<Void> notifyReposters(Status edited, List<Edge> reposters) {
        Notification notification = Notification.of(Notification.Type.UPDATE, edited.authorId(), edited.id());
        List<Future<Void>> added = new ArrayList<>(reposters.size());
        for (Edge reposter : reposters) {
            long account = reposter.accountId();
            added.add(notifications
                    .addAgain(account, notification, edited.post().edit())
                    .compose(id -> notificationPublisher.announce(account, id)));
        }
        return Future.join(added).mapEmpty();
    }

    /** Their word is of the quote, as in Mastodon: nothing of one that shows the status no more. */
    private Future<Void> notifyQuoters(Status edited, List<Edge> quotes) {
        List<Long> ids = quotes.stream().map(Edge::edgeId).toList();
        return statuses.load(ids).compose(living -> {
            List<Future<Void>> added = new ArrayList<>(living.size());
            for (Status quote : living.values()) {
                if (quote.post().shown() != null) {
                    Notification notification =
                            Notification.of(Notification.Type.QUOTED_UPDATE, edited.authorId(), quote.id());
                    added.add(notifications
                            .addAgain(
                                    quote.authorId(),
                                    notification,
                                    edited.post().edit())
                            .compose(id -> notificationPublisher.announce(quote.authorId(), id)));
                }
            }
            return Future.join(added).mapEmpty();
        });
    }
}

package io.fanfare.core.favourite;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.SortedSetPager;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.store.SubjectEdges.Linked;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.graph.ActorEdges;
import io.fanfare.core.notification.NotificationPublisher;
import io.fanfare.core.queue.JobType;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns {@code favourites} keys and the steps of a like, which are those of a follow (docs/feeds.md, section 6): the
 * near side with its job, the far side, the re-check. The API answers after them, so that its answer shows the new
 * count; the job does them again. Each step is idempotent and bound to the edge.
 */
public class Favourites {
    private static final Logger LOG = LoggerFactory.getLogger(Favourites.class);

    private final Redis redis;
    private final Statuses statuses;
    private final ViewerRelationshipsReader viewerRelationships;
    private final SubjectEdges subjectEdges;
    private final NotificationPublisher notificationPublisher;
    private final ActorEdges actorEdges;
    private final SavedStatuses saved;

    public Favourites(
            Redis redis,
            Settings settings,
            Statuses statuses,
            ViewerRelationshipsReader viewerRelationships,
            SubjectEdges subjectEdges,
            NotificationPublisher notificationPublisher) {
        this.redis = redis;
        this.statuses = statuses;
        this.viewerRelationships = viewerRelationships;
        this.subjectEdges = subjectEdges;
        this.notificationPublisher = notificationPublisher;
        this.actorEdges = new ActorEdges(redis, settings);
        this.saved = new SavedStatuses(redis, statuses, viewerRelationships);
    }

    /**
     * All steps of a like of a status that is no repost and that the caller has made sure the account may see. Refuses
     * more than {@code limits.favourites-max}, and when too many jobs wait.
     */
    public Future<Void> like(long account, Reference status) {
        return begin(account, status.statusId())
                .compose(change -> settle(account, status, change.edge()))
                .compose(linked -> linked.hasEnded() ? likeAgain(account, status) : Future.succeededFuture(linked))
                .onSuccess(linked -> announce(status.accountId(), linked.notification()))
                .mapEmpty();
    }

    /** Replaces a like that a failover has brought back after its end by a new one. */
    private Future<Linked> likeAgain(long account, Reference status) {
        return unlike(account, status.statusId())
                .compose(done -> begin(account, status.statusId()))
                .compose(change -> settle(account, status, change.edge()));
    }

    /**
     * All steps of taking a like back. Of a status that is gone or hidden too: the near side ends first and for itself.
     */
    public Future<Void> unlike(long account, long status) {
        return end(account, status)
                .compose(change ->
                        change.changed() ? finishUnlike(account, status, change.edge()) : endOneSided(account, status));
    }

    /** A like may still be counted that its account does not have, when a failover has lost it there. */
    private Future<Void> endOneSided(long account, long status) {
        return subjectEdges
                .oneSided(SubjectEdges.Kind.LIKE, status, account, edge -> stillLikes(account, status, edge))
                .compose(edge -> edge == 0 ? Future.succeededFuture() : finishUnlike(account, status, edge));
    }

    /**
     * Step 1 of a like; one that exists may be one that was cut half-way, so that the other steps follow in any case.
     */
    Future<Graph.Change> begin(long account, long status) {
        return actorEdges.mark(Keys.favourites(account), account, status, JobType.LIKE);
    }

    /** Step 1 of taking it back. */
    Future<Graph.Change> end(long account, long status) {
        return actorEdges.unmark(Keys.favourites(account), account, status, JobType.UNLIKE);
    }

    /** Runs the job of a like; does nothing when the status is gone, and its likes with it. */
    public Future<Void> finishLike(long account, long status, long edge) {
        return statuses.find(status)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture()
                        : finishLike(account, Reference.to(found.get()), edge));
    }

    /** Runs the job of an unlike. */
    public Future<Void> finishUnlike(long account, long status, long edge) {
        return statuses.find(status)
                .compose(found ->
                        found.isEmpty() ? Future.succeededFuture() : unlink(account, Reference.to(found.get()), edge));
    }

    private Future<Void> finishLike(long account, Reference status, long edge) {
        return settle(account, status, edge)
                .compose(linked -> notificationPublisher.announce(status.accountId(), linked.notification()));
    }

    /** Whether the like has ended at the status although the account has it, and the author's notification. */
    private Future<Linked> settle(long account, Reference status, long edge) {
        return link(account, status, edge).compose(linked -> stillLikes(account, status.statusId(), edge)
                .compose(likes -> likes
                        ? Future.succeededFuture(linked)
                        : unlink(account, status, edge).map(Linked.QUIET)));
    }

    /** Nobody waits for this; if it fails, the job does it. */
    private void announce(long author, long notification) {
        notificationPublisher
                .announce(author, notification)
                .onFailure(cause -> LOG.debug("left to the job cause={}", cause.toString()));
    }

    Future<Boolean> stillLikes(long account, long status, long edge) {
        return actorEdges.holds(Keys.favourites(account), status, edge);
    }

    Future<Linked> link(long account, Reference status, long edge) {
        return subjectEdges.link(
                SubjectEdges.Kind.LIKE,
                status.statusId(),
                status.accountId(),
                account,
                edge,
                notification(account, status));
    }

    private Future<Void> unlink(long account, Reference status, long edge) {
        return subjectEdges.unlink(
                SubjectEdges.Kind.LIKE,
                status.statusId(),
                status.accountId(),
                account,
                edge,
                notification(account, status));
    }

    private static Notification notification(long account, Reference status) {
        return Notification.of(Notification.Type.FAVOURITE, account, status.statusId());
    }

    /** The account's liked statuses that live and may be seen; the latest like first, cursors are edge ids. */
    public Future<Page<Status>> page(long account, PageRequest page) {
        return saved.page(Keys.favourites(account), account, page);
    }

    /**
     * The accounts that like a status, the latest like first, without those that are hidden from the viewer; cursors
     * are edge ids.
     */
    public Future<Page<Edge>> likedBy(long status, long viewer, PageRequest page) {
        return SortedSetPager.page(redis, Keys.likes(status), page, members -> shown(viewer, members));
    }

    private Future<Map<String, Edge>> shown(long viewer, List<SortedSetPager.Member> members) {
        return viewerRelationships
                .of(viewer, members.stream().map(SortedSetPager.Member::id).toList())
                .map(relationships -> shown(members, relationships));
    }

    private static Map<String, Edge> shown(List<SortedSetPager.Member> members, ViewerRelationships relationships) {
        Map<String, Edge> shown = new HashMap<>();
        for (SortedSetPager.Member member : members) {
            if (relationships.shows(member.id())) {
                shown.put(member.name(), new Edge(member.id(), member.score()));
            }
        }
        return shown;
    }
}

package io.fanfare.core.graph;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Graph.Admission;
import io.fanfare.common.store.Graph.Terms;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.notification.NotificationPublisher;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobType;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a follow and of an unfollow in their order (docs/feeds.md, section 6), shared by the API, which answers
 * after them, and by the worker's repair jobs, which run them again. Each step is idempotent.
 */
public class Follows {
    private static final Logger LOG = LoggerFactory.getLogger(Follows.class);

    /**
     * Most accounts that one request follows or unfollows completely before it is answered; the steps of more are too
     * much to wait for.
     */
    public static final int AT_ONCE_MAX = 10;

    /** Requests that one run of a job makes follows of, or ends. */
    private static final int REQUESTS_PAGE = 50;

    private final Graph graph;
    private final Homes homes;
    private final Statuses statuses;
    private final EventLog events;
    private final NotificationPublisher notificationPublisher;

    public Follows(
            Graph graph, Homes homes, Statuses statuses, EventLog events, NotificationPublisher notificationPublisher) {
        this.graph = graph;
        this.homes = homes;
        this.statuses = statuses;
        this.events = events;
        this.notificationPublisher = notificationPublisher;
    }

    /**
     * All steps of a follow; of an account that is locked and not followed, all steps of a request instead: then the
     * answer has no edge. Answers the edge. Refuses following oneself, an unknown account, one that blocks or is
     * blocked, more than {@code limits.following-max}, and when too many jobs wait.
     */
    public Future<Graph.Change> follow(long follower, long followee) {
        return follow(follower, followee, Terms.AS_BEFORE);
    }

    /**
     * The same on terms; of a follow that exists, they are changed.
     *
     * @param reposts whether the followee's are wanted in the home; null = as before, and of a new follow yes
     */
    public Future<Graph.Change> follow(long follower, long followee, Boolean reposts) {
        return follow(follower, followee, new Terms(reposts, null));
    }

    /** The same on terms of all kinds. Refuses more than {@link Graph#LISTENERS_MAX} who are told of each post. */
    public Future<Graph.Change> follow(long follower, long followee, Terms terms) {
        return graph.admission(followee)
                .compose(admission -> admission == Admission.CLOSED
                        ? Future.failedFuture(Refusal.unknown())
                        : room(follower, followee, terms).compose(room -> begin(follower, followee, terms, admission)))
                .onSuccess(change -> leaveToJob(finishTerms(follower, followee, terms, change)))
                .compose(change -> settled(follower, followee, change));
    }

    /** A repeated request for notifications writes the followee's side again, which may have lost it. */
    private Future<Void> finishTerms(long follower, long followee, Terms terms, Graph.Change change) {
        if (change.edge() == 0) {
            return nothing();
        }
        if (change.terms() != 0) {
            return finishTerms(follower, followee, change.terms());
        }
        return Boolean.TRUE.equals(terms.notifies()) ? graph.settleBell(follower, followee, change.edge()) : nothing();
    }

    private Future<Void> room(long follower, long followee, Terms terms) {
        if (!Boolean.TRUE.equals(terms.notifies())) {
            return nothing();
        }
        return graph.hasRoomForListener(follower, followee)
                .compose(room -> room
                        ? nothing()
                        : Future.failedFuture(new Refusal(
                                Reason.INVALID,
                                Graph.LISTENERS_MAX + " accounts are notified of each post of this one, which is the"
                                        + " maximum: follow it without notify.")));
    }

    /**
     * The event of a change of terms, and then the followee's side of it. Streams that are open ask what holds, so that
     * the event may come late or out of order, and need not wait for the followee's side.
     *
     * @param followee the follower itself: its lists, filters or followed hashtags have changed, and there is no other
     *     side
     * @param change its id, {@link Graph.Change#terms}
     */
    public Future<Void> finishTerms(long follower, long followee, long change) {
        return append(EventBodies.internal(Event.Kind.TERMS, follower, followee, change))
                .compose(done -> follower == followee ? nothing() : graph.settleBell(follower, followee, change));
    }

    /**
     * An edge that was there already may be one whose caller lost the answer half-way: it is finished before it is
     * confirmed. The event is not waited for.
     */
    private Future<Graph.Change> settled(long follower, long followee, Graph.Change change) {
        if (change.edge() == 0) {
            return requested(follower, followee, change);
        }
        return settle(follower, followee, change.edge())
                .onSuccess(settled -> leaveToJob(announce(follower, followee, settled)))
                .compose(settled -> endRequest(follower, followee, change))
                .map(change);
    }

    /** The other side of a request that has been made, as {@link #settled}. */
    private Future<Graph.Change> requested(long follower, long followee, Graph.Change change) {
        return settleRequest(follower, followee, change.request())
                .onSuccess(notificationId -> leaveToJob(notificationPublisher.announce(followee, notificationId)))
                .map(change);
    }

    /** The other side of the request that a change has ended, if there was one. */
    private Future<Void> endRequest(long follower, long followee, Graph.Change change) {
        return change.request() == 0 ? nothing() : graph.unlinkRequest(follower, followee, change.request());
    }

    /**
     * The steps of a request after the first; answers the id of the notification, 0 = there is none. How the followee
     * lets others follow is asked after the other side is written: whoever unlocks an account either finds the request
     * there, or is seen here.
     */
    protected Future<Long> settleRequest(long follower, long followee, long edge) {
        return graph.linkRequest(follower, followee, edge)
                .compose(linked -> graph.stillRequests(follower, followee, edge).compose(asks -> {
                    if (!asks) {
                        return graph.unlinkRequest(follower, followee, edge).map(0L);
                    }
                    return linked.hasEnded()
                            ? requestAgain(follower, followee, edge)
                            : mayStand(follower, followee, edge).map(stands -> stands ? linked.notification() : 0L);
                }));
    }

    /** A request that a failover has brought back after its end: a new one takes its place. */
    private Future<Long> requestAgain(long follower, long followee, long ended) {
        return graph.renewRequest(follower, followee, ended)
                .compose(change -> change.edge() == 0 && change.changed()
                        ? settleRequest(follower, followee, change.request())
                        : Future.succeededFuture(0L));
    }

    /**
     * Whether a request is to stand. No: when the followee is not locked any more and no moderator has limited the
     * follower, or when the followee is suspended.
     */
    protected Future<Boolean> mayStand(long follower, long followee, long edge) {
        return graph.admission(followee).compose(admission -> switch (admission) {
            case LOCKED -> Future.succeededFuture(true);
            case OPEN ->
                graph.isLimited(follower)
                        .compose(limited -> limited
                                ? Future.succeededFuture(true)
                                : admit(follower, followee, edge).map(false));
            case CLOSED -> withdraw(follower, followee).map(false);
        });
    }

    /**
     * All steps by which a request becomes a follow; whether there was one.
     *
     * @param request the only one that is meant; 0 = whichever there is
     */
    private Future<Boolean> admit(long follower, long followee, long request) {
        return graph.hasRoomForListener(follower, followee)
                .compose(room -> graph.admit(follower, followee, request, room))
                .compose(change -> change.edge() == 0
                        ? Future.succeededFuture(false)
                        : admitted(follower, followee, change).map(true));
    }

    private Future<Graph.Change> admitted(long follower, long followee, Graph.Change change) {
        if (change.terms() != 0) {
            leaveToJob(finishTerms(follower, followee, change.terms()));
        }
        return settled(follower, followee, change);
    }

    /** All steps of the end of a request; whether there was one. */
    private Future<Boolean> withdraw(long follower, long followee) {
        return graph.withdraw(follower, followee)
                .compose(change -> endRequest(follower, followee, change).map(change.changed()));
    }

    /** Lets somebody follow who has asked to. Fails with {@code Refusal(UNKNOWN)} when nobody such has. */
    public Future<Void> authorize(long followee, long follower) {
        return admit(follower, followee, 0).compose(done -> answeredOrUnknown(done, follower, followee));
    }

    /** Ends the request of somebody. Fails with {@code Refusal(UNKNOWN)} when there is none. */
    public Future<Void> reject(long followee, long follower) {
        return withdraw(follower, followee).compose(done -> answeredOrUnknown(done, follower, followee));
    }

    /** Removes the entry of a request that a failover has lost on the follower's side. */
    private Future<Void> answeredOrUnknown(boolean done, long follower, long followee) {
        return done
                ? nothing()
                : endOneSidedRequest(follower, followee).compose(ended -> Future.failedFuture(Refusal.unknown()));
    }

    private Future<Void> endOneSidedRequest(long follower, long followee) {
        return graph.oneSidedRequest(follower, followee)
                .compose(edge -> edge == 0 ? nothing() : graph.unlinkRequest(follower, followee, edge));
    }

    /** The steps of a request after the first, and the event of the notification. */
    public Future<Void> finishRequest(long follower, long followee, long edge) {
        return settleRequest(follower, followee, edge)
                .compose(notificationId -> notificationPublisher.announce(followee, notificationId));
    }

    /** The step of the end of a request after the first. */
    public Future<Void> finishUnrequest(long follower, long followee, long edge) {
        return graph.unlinkRequest(follower, followee, edge);
    }

    /**
     * Makes follows of the requests to an account that is locked no more, or ends all requests of one that is
     * suspended: up to {@value #REQUESTS_PAGE} of them. Does nothing when it is locked again. The requests are read
     * first, and only these are admitted: one that comes after the account is locked again is no concern of this.
     *
     * @param cursor edge after which those to it are read
     * @return where to go on; 0 = nowhere
     */
    public Future<Long> finishRequests(long account, long cursor) {
        return graph.requestsAfter(account, cursor, REQUESTS_PAGE)
                .compose(page -> graph.admission(account).compose(admission -> switch (admission) {
                    case LOCKED -> Future.succeededFuture(0L);
                    case OPEN -> answerAll(page, request -> admit(request.accountId(), account, request.edgeId()));
                    case CLOSED -> withdrawAll(account, cursor, page);
                }));
    }

    private static Future<Long> answerAll(List<Edge> page, Function<Edge, Future<Boolean>> answer) {
        return Future.join(page.stream().map(answer).toList())
                .map(all -> page.size() < REQUESTS_PAGE
                        ? 0L
                        : page.get(REQUESTS_PAGE - 1).edgeId());
    }

    /**
     * Withdraws a page of the requests that the account has sent, and this page of those that it has received. A sent
     * request leaves its set, so the next page of sent requests is always the first.
     */
    private Future<Long> withdrawAll(long account, long cursor, List<Edge> received) {
        return graph.requesting(account, REQUESTS_PAGE).compose(made -> Future.join(made.stream()
                        .map(request -> withdraw(account, request.accountId()))
                        .toList())
                .compose(done -> answerAll(received, request -> withdrawAsListed(request.accountId(), account)))
                .map(next -> next == 0 && made.size() == REQUESTS_PAGE ? Math.max(cursor, 1) : next));
    }

    private Future<Boolean> withdrawAsListed(long follower, long account) {
        return withdraw(follower, account)
                .compose(done -> done
                        ? Future.succeededFuture(true)
                        : endOneSidedRequest(follower, account).map(false));
    }

    /**
     * Follows many as {@link #follow} does it, with one script, one job and one rewrite of the home for all. Answers
     * the refusals by account: whoever is not in it is followed. Of more than {@value #AT_ONCE_MAX} only step 1, which
     * the reading of homes and relations goes by, is done before the answer, and the rest by the job. Whoever is locked
     * is asked.
     */
    public Future<Map<Long, Refusal>> followAll(long follower, Set<Long> followees) {
        boolean complete = followees.size() <= AT_ONCE_MAX;
        return graph.admissions(followees).compose(admissions -> {
            Map<Long, Admission> wanted = new LinkedHashMap<>();
            followees.forEach(followee -> wanted.put(followee, admissions.get(followee)));
            wanted.keySet().remove(follower);
            wanted.values().removeIf(admission -> admission == Admission.CLOSED);
            return graph.followSome(follower, wanted, complete ? Lane.HIGH : Lane.NORMAL)
                    .compose(begun -> {
                        Together backfills = new Together(followees.size(), edges -> backfillAll(follower, edges));
                        return each(followees, followee -> {
                            Future<Graph.Change> change = begun.getOrDefault(
                                    followee, Future.failedFuture(notFollowable(follower, followee)));
                            return complete ? backfills.with(b -> finish(follower, followee, change, b)) : change;
                        });
                    });
        });
    }

    private Future<Graph.Change> finish(long follower, long followee, Future<Graph.Change> begun, Rewrite backfill) {
        return begun.compose(change -> change.edge() == 0
                ? requested(follower, followee, change)
                : settle(follower, followee, change.edge(), backfill)
                        .onSuccess(settled -> leaveToJob(announce(follower, followee, settled)))
                        .compose(settled -> endRequest(follower, followee, change))
                        .map(change));
    }

    /**
     * Unfollows many as {@link #unfollow} does it, with one script, one job and one rewrite of the home for all; of
     * more than {@value #AT_ONCE_MAX}, all but step 1 is left to the job.
     */
    public Future<Map<Long, Refusal>> unfollowAll(long follower, Set<Long> followees) {
        boolean complete = followees.size() <= AT_ONCE_MAX;
        return graph.unfollowSome(follower, followees, complete ? Lane.HIGH : Lane.NORMAL)
                .compose(ended -> {
                    if (!complete) {
                        return Future.succeededFuture(Map.of());
                    }
                    List<Edge> edges = followees.stream()
                            .filter(followee -> ended.get(followee).edge() != 0)
                            .map(followee ->
                                    new Edge(followee, ended.get(followee).edge()))
                            .toList();
                    finishUnfollows(follower, edges).forEach(Follows::leaveToJob);
                    return each(
                            followees,
                            followee -> ended.get(followee).changed()
                                    ? endRequest(follower, followee, ended.get(followee))
                                    : endOneSided(follower, followee));
                });
    }

    /** The steps after the first of changes that were made together. Each is idempotent, and so is all of it. */
    public Future<Void> finishChanges(Job.Changes job) {
        Map<JobType, List<Job.Repair>> changes =
                job.changes().stream().collect(Collectors.groupingBy(Job.Repair::type));
        List<Future<Void>> steps = new ArrayList<>(finishFollows(job.actor(), edges(changes, JobType.LINK)));
        steps.addAll(finishUnfollows(job.actor(), edges(changes, JobType.UNLINK)));
        edges(changes, JobType.TERMS)
                .forEach(change -> steps.add(finishTerms(job.actor(), change.accountId(), change.edgeId())));
        edges(changes, JobType.REQUEST)
                .forEach(change -> steps.add(finishRequest(job.actor(), change.accountId(), change.edgeId())));
        edges(changes, JobType.UNREQUEST)
                .forEach(change -> steps.add(finishUnrequest(job.actor(), change.accountId(), change.edgeId())));
        return Future.join(steps).mapEmpty();
    }

    private static List<Edge> edges(Map<JobType, List<Job.Repair>> changes, JobType type) {
        return changes.getOrDefault(type, List.of()).stream()
                .map(change -> new Edge(change.object(), change.edge()))
                .toList();
    }

    /** Side by side, so that the commands of all travel together. Refusals are collected, anything else fails all. */
    private static Future<Map<Long, Refusal>> each(Set<Long> accounts, Function<Long, Future<?>> step) {
        Map<Long, Refusal> refused = new HashMap<>();
        List<Future<?>> steps = new ArrayList<>();
        for (long account : accounts) {
            steps.add(step.apply(account).transform(done -> {
                if (done.cause() instanceof Refusal refusal) {
                    refused.put(account, refusal);
                    return Future.succeededFuture();
                }
                return done.succeeded() ? Future.succeededFuture() : Future.failedFuture(done.cause());
            }));
        }
        return Future.join(steps).map(refused);
    }

    private Future<Graph.Change> begin(long follower, long followee, Terms terms, Admission admission) {
        if (follower == followee) {
            return Future.failedFuture(notFollowable(follower, followee));
        }
        return switch (admission) {
            case OPEN -> graph.follow(follower, followee, Lane.HIGH, terms);
            case LOCKED -> graph.request(follower, followee, Lane.HIGH, terms);
            case CLOSED -> Future.failedFuture(notFollowable(follower, followee));
        };
    }

    private static Refusal notFollowable(long follower, long followee) {
        return follower == followee ? new Refusal(Reason.INVALID, "You cannot follow yourself.") : Refusal.unknown();
    }

    /**
     * Step 1 of an unfollow, or both steps of the end of a request; the rest is done without making the caller wait,
     * and by the repair job.
     */
    public Future<Graph.Change> unfollow(long follower, long followee) {
        return graph.unfollow(follower, followee)
                .onSuccess(change ->
                        leaveToJob(change.edge() == 0 ? nothing() : finishUnfollow(follower, followee, change.edge())))
                .compose(change -> endRequest(follower, followee, change).map(change))
                .compose(change -> change.changed()
                        ? Future.succeededFuture(change)
                        : endOneSided(follower, followee).map(change));
    }

    /** The rest of the end of a follow, of a request, or of neither. */
    private Future<Void> finishEnd(long follower, long followee, Graph.Change change) {
        return endRequest(follower, followee, change)
                .compose(done -> change.edge() == 0 ? nothing() : finishUnfollow(follower, followee, change.edge()));
    }

    /** Ends a follow or a request that a failover has lost at the follower, but that the followee still lists. */
    private Future<Void> endOneSided(long follower, long followee) {
        return endOneSidedRequest(follower, followee)
                .compose(done -> graph.oneSidedEdge(follower, followee))
                .compose(edge -> edge == 0 ? nothing() : finishUnfollow(follower, followee, edge));
    }

    /** All steps of an unfollow that the followee wants. */
    public Future<Graph.Change> removeFollower(long followee, long follower) {
        return graph.unfollow(follower, followee)
                .compose(change -> change.changed()
                        ? finishEnd(follower, followee, change).map(change)
                        : endOneSided(follower, followee).map(change));
    }

    /** All steps of the end of a follow that a block ends: only while the followee blocks the follower by this edge. */
    protected Future<Void> unfollowBlocker(long follower, long followee, long block) {
        return graph.unfollow(follower, followee, Lane.HIGH, Long.toString(block))
                .compose(change -> finishEnd(follower, followee, change));
    }

    /** Steps 2 to 4 of a follow, and its event. */
    public Future<Void> finishFollow(long follower, long followee, long edge) {
        return settle(follower, followee, edge).compose(settled -> announce(follower, followee, settled));
    }

    /**
     * The same of several follows of one reader, whose home is rewritten once for all. Each has a future of its own.
     */
    public List<Future<Void>> finishFollows(long follower, List<Edge> follows) {
        Together backfills = new Together(follows.size(), edges -> backfillAll(follower, edges));
        return follows.stream()
                .map(follow ->
                        backfills.with(backfill -> settle(follower, follow.accountId(), follow.edgeId(), backfill)
                                .compose(settled -> announce(follower, follow.accountId(), settled))))
                .toList();
    }

    /** The event of a follow that stands, and that of the followee's notification. */
    private Future<Void> announce(long follower, long followee, Settled settled) {
        return settled.follows()
                ? append(EventBodies.followed(follower, followee, settled.edge()))
                        .compose(done -> notificationPublisher.announce(followee, settled.notification()))
                : nothing();
    }

    /** Steps 2 and 3 of an unfollow, and its event. */
    public Future<Void> finishUnfollow(long follower, long followee, long edge) {
        return finishUnfollow(follower, followee, edge, (author, ended) -> clean(follower, author));
    }

    private Future<Void> finishUnfollow(long follower, long followee, long edge, Rewrite clean) {
        return graph.unlink(follower, followee, edge)
                .compose(done -> append(EventBodies.unfollowed(follower, followee, edge)))
                .compose(done -> clean.of(followee, edge));
    }

    /** The same of several unfollows of one reader, whose home is rewritten once for all. */
    public List<Future<Void>> finishUnfollows(long follower, List<Edge> unfollows) {
        Together cleanings = new Together(unfollows.size(), edges -> cleanAll(follower, edges));
        return unfollows.stream()
                .map(unfollow -> cleanings.with(
                        clean -> finishUnfollow(follower, unfollow.accountId(), unfollow.edgeId(), clean)))
                .toList();
    }

    private Future<Void> clean(long follower, long followee) {
        return statuses.recent(followee).compose(posts -> homes.clean(follower, followee, posts.ids()));
    }

    /** Only saves space: reads hide the posts of these authors, also those that arrive meanwhile. */
    private Future<Void> cleanAll(long follower, List<Edge> unfollows) {
        List<Long> authors = unfollows.stream().map(Edge::accountId).toList();
        return homes.stored(follower)
                .compose(home -> home.isEmpty()
                        ? nothing()
                        : homes.newest(statuses, authors, home.get().bound()).compose(posts -> {
                            Set<Long> unwanted = new HashSet<>(posts.ids());
                            unwanted.retainAll(new HashSet<>(home.get().ids()));
                            return unwanted.isEmpty()
                                    ? nothing()
                                    : homes.cleanAll(follower, authors, unwanted)
                                            .compose(done -> done
                                                    ? nothing()
                                                    : oneByOne(unfollows, (author, edge) -> clean(follower, author)));
                        }));
    }

    private static Future<Void> oneByOne(List<Edge> edges, Rewrite rewrite) {
        return Future.join(edges.stream()
                        .map(edge -> rewrite.of(edge.accountId(), edge.edgeId()))
                        .toList())
                .mapEmpty();
    }

    /** The last step of a change of an edge: what it does to the home. */
    @FunctionalInterface
    private interface Rewrite {
        Future<Void> of(long followee, long edge);
    }

    /**
     * Gathers the rewrites of one home that several changes ask for, and makes one of them when each of the changes has
     * asked or has ended without. One event loop.
     */
    private static final class Together {
        private final Function<List<Edge>, Future<Void>> rewriteAll;
        private final List<Edge> rewrites = new ArrayList<>();
        private final Promise<Void> done = Promise.promise();
        private int awaited;

        Together(int changes, Function<List<Edge>, Future<Void>> rewriteAll) {
            this.awaited = changes;
            this.rewriteAll = rewriteAll;
        }

        /** Runs one of the changes. */
        <T> Future<T> with(Function<Rewrite, Future<T>> change) {
            boolean[] came = {false};
            return change.apply((followee, edge) -> {
                        came[0] = true;
                        rewrites.add(new Edge(followee, edge));
                        arrive();
                        return done.future();
                    })
                    .onComplete(ended -> {
                        if (!came[0]) {
                            arrive();
                        }
                    });
        }

        private void arrive() {
            awaited--;
            if (awaited == 0) {
                (rewrites.isEmpty() ? nothing() : rewriteAll.apply(rewrites)).onComplete(done);
            }
        }
    }

    /**
     * The state of a follow after its steps.
     *
     * @param edge the edge of the follow; 0 = the follow has ended
     * @param notification the notification of the followee; 0 = none
     */
    public record Settled(long edge, long notification) {
        public static final Settled ENDED = new Settled(0, 0);

        public boolean follows() {
            return edge != 0;
        }
    }

    /**
     * Steps 2 to 4 of a follow; whether it still stands. The followers entry comes before the profile is read: a post
     * is then either in the profile, or its fan-out finds the new follower. The re-check undoes what an unfollow in
     * between could not see. An edge ends on the follower's side first and never comes back there: one that stands
     * there and has ended at the followee was brought back by a failover that lost the unfollow. The follower's side
     * decides, and a new edge takes its place.
     */
    protected Future<Settled> settle(long follower, long followee, long edge) {
        return settle(follower, followee, edge, (author, stands) -> backfill(follower, author, stands));
    }

    private Future<Settled> settle(long follower, long followee, long edge, Rewrite backfill) {
        return graph.link(follower, followee, edge)
                .compose(linked -> graph.stillFollows(follower, followee, edge).compose(follows -> {
                    if (!follows) {
                        return graph.unlink(follower, followee, edge).map(Settled.ENDED);
                    }
                    if (linked.deleted()) {
                        return endOfDeleted(follower, followee, edge);
                    }
                    return linked.hasEnded()
                            ? renew(follower, followee, edge, backfill)
                            : backfill.of(followee, edge).map(new Settled(edge, linked.notification()));
                }));
    }

    /** The erasure of a followee could not see a follow that its side does not have. */
    private Future<Settled> endOfDeleted(long follower, long followee, long edge) {
        return removeFollower(followee, follower)
                // Its side may have been asked already to tell of each post.
                .compose(done -> graph.settleBell(follower, followee, edge))
                .map(Settled.ENDED);
    }

    private Future<Settled> renew(long follower, long followee, long ended, Rewrite backfill) {
        return graph.renew(follower, followee, ended)
                .compose(change -> change.changed()
                        ? settle(follower, followee, change.edge(), backfill)
                        : Future.succeededFuture(Settled.ENDED));
    }

    /** Step 4. */
    protected Future<Void> backfill(long follower, long followee, long edge) {
        return statuses.recent(followee)
                .compose(posts -> homes.backfill(follower, followee, edge, posts.ids(), posts.bound()));
    }

    private Future<Void> backfillAll(long follower, List<Edge> follows) {
        List<Long> authors = follows.stream().map(Edge::accountId).toList();
        return homes.newest(statuses, authors, 0)
                .compose(posts -> homes.backfillAll(follower, follows, posts))
                // One of them has ended meanwhile.
                .compose(done ->
                        done ? nothing() : oneByOne(follows, (author, edge) -> backfill(follower, author, edge)));
    }

    protected Future<Void> append(Event event) {
        return events.append(event).mapEmpty();
    }

    private static Future<Void> nothing() {
        return Future.succeededFuture();
    }

    /** Nobody waits for this; if it fails, the job that the script has enqueued with the change does it. */
    private static void leaveToJob(Future<Void> rest) {
        rest.onFailure(cause -> LOG.debug("left to the job cause={}", cause.toString()));
    }
}

package io.fanfare.worker.feed;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventKey;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.post.PostSideEffects;
import io.fanfare.core.post.StatusEvents;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Puts new statuses into the homes of their authors' followers, one page of followers per job, all jobs of a batch
 * together:
 *
 * <ol>
 *   <li>read the statuses, the pages of followers, and whether the events are in the log, all at once; a status that is
 *       gone is done;
 *   <li>append the events that the API has not appended;
 *   <li>push each reader all its new ids with one command; beside it, first pages make sure of all else that the status
 *       brings about: its marks on what it refers to, notifications, conversations, public timelines;
 *   <li>go on with a further job where there are more followers, and with one for what could not be reached: a node
 *       that is away, or consequences that cannot be settled, hold up neither the others nor the pages behind. Of an
 *       author in the low lane the next pages are jobs of their own, a {@link Job.Deliver} each, which workers run side
 *       by side; the further job goes on behind them;
 *   <li>have the settlement check that the statuses still exist, and take those back that were deleted meanwhile: the
 *       clean-up of the delete may have passed before the push.
 * </ol>
 *
 * <p>Comments and direct messages go into no homes, nor do the statuses of authors whom readers pull, for which
 * {@link #announcing} does the rest. Running twice is harmless: homes drop repeated ids when they are read, the log
 * appends an event once, and marks and notifications are there once.
 */
public final class FanOutHandler implements JobHandler<Job.FanOut> {
    /**
     * Renderings at most: a status that another one shows may be deleted while it is read, which takes another
     * rendering, and that one may meet the next delete.
     */
    private static final int RENDERINGS_MAX = 5;

    /** Pages that a job hands out at most. */
    private static final int PAGES_MAX = 16;

    /** Numbers of shards in all jobs that are handed out at once: what they take of the settlement. */
    private static final int SHARD_NUMBERS_MAX = 1024;

    private final EventLog events;
    private final Statuses statuses;
    private final StatusEvents statusEvents;
    private final PostSideEffects sideEffects;
    private final Homes homes;
    private final FollowerPages pages;
    private final Set<Integer> allShards;

    public FanOutHandler(
            EventLog events,
            Statuses statuses,
            StatusEvents statusEvents,
            PostSideEffects sideEffects,
            Homes homes,
            FollowerPages pages,
            Shards shards) {
        this.allShards = IntStream.range(0, shards.count()).boxed().collect(Collectors.toUnmodifiableSet());
        this.events = events;
        this.statuses = statuses;
        this.statusEvents = statusEvents;
        this.sideEffects = sideEffects;
        this.homes = homes;
        this.pages = pages;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.FanOut> jobs, Lease lease) {
        return run(jobs, true, lease);
    }

    /** The same without deliveries. */
    public JobHandler<Job.Announce> announcing() {
        return (jobs, lease) -> run(
                jobs.stream()
                        .map(job -> new Job.FanOut(job.author(), job.status(), 0))
                        .toList(),
                false,
                lease);
    }

    private List<Future<Outcome>> run(List<Job.FanOut> jobs, boolean delivers, Lease lease) {
        Future<Map<Job.FanOut, Outcome>> outcomes = read(jobs, delivers, lease)
                .compose(pass -> lease.ensure().map(pass))
                .compose(pass -> spread(pass, lease).compose(left -> outcomes(pass, left)));
        return jobs.stream()
                .map(job -> outcomes.map(all -> all.getOrDefault(job, Outcome.DONE)))
                .toList();
    }

    /**
     * In one round trip, unless events are missing: the events are in the log and the followers are known before
     * anything is pushed. An older release enqueues comments as {@code fan_out}; for those the followers are read in
     * vain.
     */
    private Future<Pass> read(List<Job.FanOut> jobs, boolean delivers, Lease lease) {
        Future<Map<Long, Status>> living =
                statuses.load(jobs.stream().map(Job.FanOut::status).distinct().toList());
        Future<Map<Walk, List<Edge>>> followers =
                followers(delivers ? jobs.stream().map(Walk::of).collect(Collectors.toSet()) : Set.of());
        Future<List<EventKey>> missing = events.missing(jobs.stream()
                .filter(job -> job.cursor() == 0)
                .map(job -> new EventKey(Event.Kind.STATUS, job.status()))
                .distinct()
                .toList());
        return Future.join(living, followers, missing).compose(read -> {
            Pass pass = Pass.of(jobs, delivers, living.result(), followers.result());
            return append(missing.result(), pass, lease, RENDERINGS_MAX).map(pass);
        });
    }

    private Future<Map<Walk, List<Edge>>> followers(Set<Walk> walks) {
        List<Walk> all = List.copyOf(walks);
        return Future.join(all.stream()
                        .map(walk -> pages.after(walk.author(), walk.cursor()))
                        .toList())
                .map(read -> {
                    Map<Walk, List<Edge>> followers = new LinkedHashMap<>();
                    for (int i = 0; i < all.size(); i++) {
                        followers.put(all.get(i), read.resultAt(i));
                    }
                    return followers;
                });
    }

    private Future<Void> append(List<EventKey> missing, Pass pass, Lease lease, int renderings) {
        List<Status> unannounced = missing.stream()
                .map(event -> pass.statuses().get(event.subject()))
                .filter(status -> status != null && status.kind() != Post.Kind.DIRECT)
                .toList();
        if (unannounced.isEmpty()) {
            return Future.succeededFuture();
        }
        if (renderings == 0) {
            return Future.failedFuture("the statuses shown by these are deleted again and again: " + missing);
        }
        return statusEvents
                .posted(unannounced)
                .compose(posted -> lease.ensure().map(posted))
                .compose(posted ->
                        Future.join(posted.stream().map(events::append).toList()))
                .compose(appended -> appended.list().contains(EventLog.STALE)
                        ? events.missing(missing).compose(still -> append(still, pass, lease, renderings - 1))
                        : Future.succeededFuture());
    }

    /**
     * Side by side, so that homes do not wait for what concerns few; nor does what fails on one side keep the other
     * from being taken back.
     */
    private Future<Left> spread(Pass pass, Lease lease) {
        lease.check(pass.statuses().keySet(), held -> takeBackDeleted(pass, held));
        Future<Void> settled = sideEffects.settle(pass.begun());
        Future<Set<Long>> pushed = homes.push(pass.deliveries());
        return Future.join(settled, pushed).transform(done -> pushed.map(missed -> new Left(missed, settled.failed())));
    }

    /**
     * The rest that a pass had to leave out.
     *
     * @param missed readers whose homes could not be reached
     * @param unsettled whether the other consequences of the statuses may not have been settled
     */
    private record Left(Set<Long> missed, boolean unsettled) {}

    private Future<Void> takeBackDeleted(Pass pass, Lease lease) {
        return statuses.load(pass.statuses().keySet()).compose(living -> {
            List<Job.FanOut> deleted = pass.jobs().stream()
                    .filter(job -> !living.containsKey(job.status()))
                    .toList();
            List<Status> begun = pass.begun().stream()
                    .filter(status -> !living.containsKey(status.id()))
                    .toList();
            return deleted.isEmpty()
                    ? Future.succeededFuture()
                    : lease.ensure()
                            .compose(held -> sideEffects.takeBack(begun))
                            .compose(done -> takeBack(deleted, pass));
        });
    }

    /** In one call, which bounds what is on the way to Redis. */
    private Future<Void> takeBack(List<Job.FanOut> deleted, Pass pass) {
        List<Homes.Removal> removals = new ArrayList<>();
        for (Job.FanOut job : deleted) {
            pass.followersOf(job).forEach(edge -> removals.add(new Homes.Removal(edge.accountId(), job.status())));
        }
        return homes.takeOut(removals);
    }

    private Future<Map<Job.FanOut, Outcome>> outcomes(Pass pass, Left left) {
        List<Job.FanOut> unfinished = pass.jobs().stream()
                .filter(job -> !pages.isLast(pass.followersOf(job)))
                .toList();
        Set<Long> authors = new HashSet<>();
        unfinished.forEach(job -> authors.add(job.author()));
        return pages.lanes(authors)
                .compose(lanes -> ends(unfinished, lanes, pass).map(ends -> outcomes(pass, left, lanes, ends)));
    }

    /** The edges at which the next pages end that are handed out, by job. */
    private Future<Map<Job.FanOut, List<Long>>> ends(List<Job.FanOut> unfinished, Map<Long, Lane> lanes, Pass pass) {
        int count = Math.max(1, Math.min(PAGES_MAX, SHARD_NUMBERS_MAX / allShards.size()));
        List<Job.FanOut> large = unfinished.stream()
                .filter(job -> lanes.get(job.author()) == Lane.LOW)
                .distinct()
                .toList();
        return Future.join(large.stream()
                        .map(job -> pages.ends(job.author(), pass.lastOf(job), count))
                        .toList())
                .map(read -> {
                    Map<Job.FanOut, List<Long>> ends = new HashMap<>();
                    unfinished.forEach(job -> ends.put(job, List.of()));
                    for (int i = 0; i < large.size(); i++) {
                        ends.put(large.get(i), read.resultAt(i));
                    }
                    return ends;
                });
    }

    private Map<Job.FanOut, Outcome> outcomes(
            Pass pass, Left left, Map<Long, Lane> lanes, Map<Job.FanOut, List<Long>> ends) {
        Map<Job.FanOut, List<Outcome.Continuation>> rest = new LinkedHashMap<>();
        ends.forEach((job, endsOfJob) -> {
            Lane lane = lanes.get(job.author());
            List<Outcome.Continuation> next = rest.computeIfAbsent(job, first -> new ArrayList<>());
            long from = pass.lastOf(job);
            for (long end : endsOfJob) {
                next.add(new Outcome.Continuation(
                        new Job.Deliver(job.author(), job.status(), from, end, allShards), lane));
                from = end;
            }
            // First, so that the pages behind these are handed out while these run.
            next.add(0, new Outcome.Continuation(new Job.FanOut(job.author(), job.status(), from), lane));
        });
        for (Job.FanOut job : pass.jobs()) {
            Set<Integer> shards = pass.shardsOf(job, left.missed());
            if (!shards.isEmpty() || (left.unsettled() && job.cursor() == 0)) {
                Job later = new Job.Deliver(job.author(), job.status(), job.cursor(), pass.lastOf(job), shards);
                rest.computeIfAbsent(job, first -> new ArrayList<>(1))
                        .add(new Outcome.Continuation(later, Lane.NORMAL));
            }
        }
        Map<Job.FanOut, Outcome> outcomes = new HashMap<>();
        rest.forEach((job, jobs) -> outcomes.put(job, new Outcome.Continued(jobs)));
        return outcomes;
    }

    /** A page of followers; jobs of one author that are equally far share it. */
    private record Walk(long author, long cursor) {
        static Walk of(Job.FanOut job) {
            return new Walk(job.author(), job.cursor());
        }
    }

    /** The records read for the jobs whose status lives. */
    private record Pass(
            List<Job.FanOut> jobs, boolean delivers, Map<Long, Status> statuses, Map<Walk, List<Edge>> followers) {
        static Pass of(
                List<Job.FanOut> jobs, boolean delivers, Map<Long, Status> living, Map<Walk, List<Edge>> followers) {
            return new Pass(
                    jobs.stream()
                            .filter(job -> living.containsKey(job.status()))
                            .toList(),
                    delivers,
                    living,
                    followers);
        }

        /** The statuses whose first pages are here. */
        List<Status> begun() {
            return jobs.stream()
                    .filter(job -> job.cursor() == 0)
                    .map(Job.FanOut::status)
                    .distinct()
                    .map(statuses::get)
                    .toList();
        }

        private boolean isDelivered(Job.FanOut job) {
            return delivers && statuses.get(job.status()).kind().isListed();
        }

        /** The followers who receive it. */
        List<Edge> followersOf(Job.FanOut job) {
            return isDelivered(job) ? followers.get(Walk.of(job)) : List.of();
        }

        /** The edge id with which its page ends. */
        long lastOf(Job.FanOut job) {
            List<Edge> page = followersOf(job);
            return page.isEmpty() ? job.cursor() : page.get(page.size() - 1).edgeId();
        }

        /** The shards of its readers who were missed. */
        Set<Integer> shardsOf(Job.FanOut job, Set<Long> missed) {
            Set<Integer> shards = new HashSet<>();
            if (!missed.isEmpty()) {
                followersOf(job).stream()
                        .filter(edge -> missed.contains(edge.accountId()))
                        .forEach(edge -> shards.add(Id.shard(edge.accountId())));
            }
            return shards;
        }

        /**
         * One delivery per reader. Readers of a single walk share its list of ids: most deliveries cost no list of
         * their own.
         */
        List<Homes.Delivery> deliveries() {
            Map<Walk, List<Long>> idsByWalk = new LinkedHashMap<>();
            jobs.stream().filter(this::isDelivered).forEach(job -> idsByWalk
                    .computeIfAbsent(Walk.of(job), walk -> new ArrayList<>(1))
                    .add(job.status()));
            if (idsByWalk.size() == 1) {
                Map.Entry<Walk, List<Long>> only =
                        idsByWalk.entrySet().iterator().next();
                List<Long> ids = only.getValue();
                return followers.get(only.getKey()).stream()
                        .map(edge -> new Homes.Delivery(edge.accountId(), ids))
                        .toList();
            }
            Map<Long, Merged> byReader = new HashMap<>();
            idsByWalk.forEach((walk, ids) -> {
                for (Edge edge : followers.get(walk)) {
                    byReader.merge(edge.accountId(), new Merged(ids, false), Merged::and);
                }
            });
            List<Homes.Delivery> deliveries = new ArrayList<>(byReader.size());
            byReader.forEach((reader, merged) -> deliveries.add(new Homes.Delivery(reader, merged.inOrder())));
            return deliveries;
        }
    }

    /** Ids for one reader; {@code own} marks a list that may be added to, unlike a shared one. */
    private record Merged(List<Long> ids, boolean own) {
        Merged and(Merged more) {
            List<Long> all = own ? ids : new ArrayList<>(ids);
            all.addAll(more.ids);
            return own ? this : new Merged(all, true);
        }

        /** The ids in ascending order, so that the home need not sort them. */
        List<Long> inOrder() {
            if (own) {
                ids.sort(null);
            }
            return ids;
        }
    }
}

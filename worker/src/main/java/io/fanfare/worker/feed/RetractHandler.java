package io.fanfare.worker.feed;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Status;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.post.PostSideEffects;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Cleans up after deletes, one page of followers per job, all jobs of a batch together: makes sure of the events,
 * undoes what else the status has brought about, then takes the ids out of homes, in one call since that bounds what is
 * on the way to Redis. Only saves space, since readers filter by the tombstone; where there is none any more (or none
 * yet), there is nothing to do. Running twice is harmless: the log appends an event once, and what is out stays out.
 */
public final class RetractHandler implements JobHandler<Job.Retract> {
    private final EventLog events;
    private final Statuses statuses;
    private final PostSideEffects sideEffects;
    private final Homes homes;
    private final FollowerPages pages;
    private final IntFunction<Future<Void>> pictures;

    public RetractHandler(
            EventLog events, Statuses statuses, PostSideEffects sideEffects, Homes homes, FollowerPages pages) {
        this(events, statuses, sideEffects, homes, pages, shard -> Future.succeededFuture());
    }

    /** @param pictures deletes the files of a shard that are due */
    public RetractHandler(
            EventLog events,
            Statuses statuses,
            PostSideEffects sideEffects,
            Homes homes,
            FollowerPages pages,
            IntFunction<Future<Void>> pictures) {
        this.pictures = pictures;
        this.events = events;
        this.statuses = statuses;
        this.sideEffects = sideEffects;
        this.homes = homes;
        this.pages = pages;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Retract> jobs, Lease lease) {
        Future<Map<Job.Retract, Outcome>> outcomes = read(jobs)
                .compose(pages -> makeSureOfEvents(pages, lease).map(pages))
                .compose(pages -> lease.ensure().map(pages))
                .compose(pages -> homes.takeOut(removals(pages)).map(pages))
                .compose(this::outcomes);
        return jobs.stream()
                .map(job -> outcomes.map(all -> all.getOrDefault(job, Outcome.DONE)))
                .toList();
    }

    /** The jobs that have something to do, without repeats. */
    private Future<List<Page>> read(List<Job.Retract> jobs) {
        List<Future<Optional<Page>>> reads =
                jobs.stream().distinct().map(this::read).toList();
        return Future.join(reads)
                .map(all ->
                        reads.stream().flatMap(read -> read.result().stream()).toList());
    }

    private Future<Optional<Page>> read(Job.Retract job) {
        return statuses.findDeleted(job.status()).compose(deleted -> {
            if (deleted.isEmpty()) {
                return Future.succeededFuture(Optional.empty());
            }
            Future<List<Edge>> page = !deleted.get().kind().isListed()
                    ? Future.succeededFuture(List.of())
                    : pages.after(job.author(), job.cursor());
            return page.map(followers -> Optional.of(new Page(job, deleted.get(), followers)));
        });
    }

    private Future<Void> makeSureOfEvents(List<Page> pages, Lease lease) {
        List<Status> deleted = pages.stream()
                .filter(page -> page.job().cursor() == 0)
                .map(Page::deleted)
                .toList();
        if (deleted.isEmpty()) {
            return Future.succeededFuture();
        }
        return lease.ensure()
                .compose(held -> append(deleted))
                .compose(done -> sideEffects.takeBack(deleted))
                .compose(done -> deletePictures(deleted));
    }

    /** Deletes the pictures of one shard together, as the jobs of a batch are. */
    private Future<Void> deletePictures(List<Status> deleted) {
        return Future.join(deleted.stream()
                        .map(status -> Id.shard(status.id()))
                        .distinct()
                        .map(pictures::apply)
                        .toList())
                .mapEmpty();
    }

    private Future<Void> append(List<Status> deleted) {
        return Future.join(deleted.stream()
                        .map(status -> events.append(EventBodies.deleted(status)))
                        .toList())
                .mapEmpty();
    }

    private static List<Homes.Removal> removals(List<Page> pages) {
        List<Homes.Removal> removals = new ArrayList<>();
        for (Page page : pages) {
            long status = page.job().status();
            // The author's own home holds it too; the deleting script has cleared it, unless it was being rebuilt just
            // then.
            if (page.job().cursor() == 0) {
                removals.add(new Homes.Removal(page.job().author(), status));
            }
            page.followers().forEach(edge -> removals.add(new Homes.Removal(edge.accountId(), status)));
        }
        return removals;
    }

    private Future<Map<Job.Retract, Outcome>> outcomes(List<Page> all) {
        List<Page> unfinished =
                all.stream().filter(page -> !pages.isLast(page.followers())).toList();
        Set<Long> authors = new HashSet<>();
        unfinished.forEach(page -> authors.add(page.job().author()));
        return pages.lanes(authors).map(lanes -> {
            Map<Job.Retract, Outcome> outcomes = new HashMap<>();
            for (Page page : unfinished) {
                Lane lane = lanes.get(page.job().author());
                outcomes.put(page.job(), new Outcome.Continued(page.rest(), lane));
            }
            return outcomes;
        });
    }

    /** The records read for a job whose status has a tombstone. */
    private record Page(Job.Retract job, Status deleted, List<Edge> followers) {
        Job rest() {
            long cursor = followers.get(followers.size() - 1).edgeId();
            return new Job.Retract(job.author(), job.status(), cursor);
        }
    }
}

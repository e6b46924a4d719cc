package io.fanfare.worker.handler;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Status;
import io.fanfare.common.queue.Job;
import io.fanfare.common.queue.Outcome;
import io.fanfare.common.store.Homes;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Cleans up after a delete, one page of followers per job: makes sure of the event, then takes the id out of homes. Only saves space, since readers filter by the tombstone;
 * where there is none any more (or none yet), there is nothing to do. Running twice is harmless: the log appends an event once, and what is out stays out.
 */
public final class RetractHandler implements JobHandler<Job.Retract> {
    private final EventLog events;
    private final Statuses statuses;
    private final Homes homes;
    private final Views views;
    private final FollowerPages pages;

    public RetractHandler(EventLog events, Statuses statuses, Homes homes, Views views, FollowerPages pages) {
        this.events = events;
        this.statuses = statuses;
        this.homes = homes;
        this.views = views;
        this.pages = pages;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Retract> jobs, Lease lease) {
        return jobs.stream().map(job -> retract(job, lease)).toList();
    }

    private Future<Outcome> retract(Job.Retract job, Lease lease) {
        return statuses.findDeleted(job.status())
                .compose(deleted -> deleted.isPresent()
                        ? takeOut(job, deleted.get(), lease)
                        : Future.succeededFuture(Outcome.DONE));
    }

    private Future<Outcome> takeOut(Job.Retract job, Status deleted, Lease lease) {
        return makeSureOfEvent(job, deleted, lease)
                .compose(known -> pages.after(job.author(), job.cursor()))
                .compose(page -> lease.ensure().map(page))
                .compose(page -> homes.takeOut(readers(job, page), job.status()).map(page))
                .compose(page -> pages.isLast(page) ? Future.succeededFuture(Outcome.DONE) : goOn(job, page));
    }

    private Future<Void> makeSureOfEvent(Job.Retract job, Status deleted, Lease lease) {
        if (job.cursor() != 0) {
            return Future.succeededFuture();
        }
        return lease.ensure()
                .compose(held -> events.append(views.deleted(deleted)))
                .mapEmpty();
    }

    /** The author's own home holds it too; the deleting script has cleared it, unless it was being rebuilt just then. */
    private static List<Long> readers(Job.Retract job, List<Edge> page) {
        List<Long> readers = new ArrayList<>(page.size() + 1);
        if (job.cursor() == 0) {
            readers.add(job.author());
        }
        page.forEach(edge -> readers.add(edge.accountId()));
        return readers;
    }

    private Future<Outcome> goOn(Job.Retract job, List<Edge> page) {
        Job rest = new Job.Retract(
                job.author(), job.status(), page.get(page.size() - 1).edgeId());
        return pages.lanes(List.of(job.author())).map(lanes -> new Outcome.Continued(rest, lanes.get(job.author())));
    }
}

package io.fanfare.core.post;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.core.queue.JobQueue;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the event of a change and wakes the workers, so that streams and homes show the change without delay. Each
 * step may fail: the job that was enqueued with the change repeats it. Confined to the event loop of its stores.
 */
public final class Announcer {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

    private final EventLog events;
    private final JobQueue queue;

    public Announcer(EventLog events, JobQueue queue) {
        this.events = events;
        this.queue = queue;
    }

    /** Appends the event and wakes the workers of its actor; returns at once. */
    public void announce(Event event) {
        append(event).onFailure(cause -> {});
        wake(event.actor());
    }

    /** The same; the future succeeds when both have ended, whatever came of them. */
    public Future<Void> announceAndWait(Event event) {
        return Future.join(append(event), wakeWorkers(event.actor())).transform(end -> Future.succeededFuture());
    }

    /** Wakes the workers of an account's shard; returns at once. */
    public void wake(long account) {
        wakeWorkers(account).onFailure(cause -> {});
    }

    private Future<Long> append(Event event) {
        return events.append(event)
                .onFailure(cause -> LOG.debug("event left to its job event={} cause={}", event.id(), cause.toString()));
    }

    private Future<Void> wakeWorkers(long account) {
        return queue.wake(Id.shard(account))
                .onFailure(cause -> LOG.debug("workers not woken cause={}", cause.toString()));
    }
}

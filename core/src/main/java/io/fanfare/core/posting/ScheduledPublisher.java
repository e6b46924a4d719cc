package io.fanfare.core.posting;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.core.LoopStores;
import io.fanfare.core.held.UnpublishedNotices;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.vertx.core.Future;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes scheduled posts by the rules of posts of now. The script that stores a post ends its entry, so one status
 * comes of it however often its job runs; its fan-out job announces it. A post that is refused for good is dropped, and
 * its author gets a notice with its text. Confined to one event loop.
 */
public final class ScheduledPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduledPublisher.class);

    /** Characters of a post in the notice about it: all of most posts, so that nobody has to write them again. */
    private static final int EXCERPT_MAX = 500;

    private final ScheduledStatuses scheduled;
    private final PostWriter writer;
    private final UnpublishedNotices notices;

    public ScheduledPublisher(LoopStores stores) {
        this.scheduled = new ScheduledStatuses(stores.redis());
        this.writer = new PostWriter(stores, PostGate.OPEN); // Scheduling has passed the gate.
        this.notices = new UnpublishedNotices(stores);
    }

    /**
     * Publishes an entry of the author's that is scheduled for this moment; does nothing if the entry has ended. Fails
     * when it may be published later, with {@code Refusal(OVERLOADED)} when too many jobs wait.
     */
    public Future<Void> publish(long author, long id, long dueMillis) {
        return current(author, id, dueMillis)
                .compose(found -> found.isPresent() ? publish(author, found.get()) : Future.succeededFuture());
    }

    /** The entry, unless it has ended or is scheduled for another time. */
    private Future<Optional<ScheduledStatus>> current(long author, long id, long dueMillis) {
        return scheduled.find(author, id).map(found -> found.filter(status -> status.dueMillis() == dueMillis));
    }

    private Future<Void> publish(long author, ScheduledStatus status) {
        return writer.write(author, status)
                .<Void>mapEmpty()
                .recover(cause -> cause instanceof Refusal refusal && refusal.reason() != Refusal.Reason.OVERLOADED
                        ? drop(author, status, refusal)
                        : Future.failedFuture(cause));
    }

    /** Does nothing if the author has canceled or rescheduled the post while it was refused. */
    private Future<Void> drop(long author, ScheduledStatus status, Refusal refusal) {
        return current(author, status.id(), status.dueMillis())
                .compose(found -> found.isPresent() ? end(author, status, refusal) : Future.succeededFuture());
    }

    /**
     * The notice comes first: after the entry has ended, no job would send it. Logs neither the text nor the status.
     */
    private Future<Void> end(long author, ScheduledStatus status, Refusal refusal) {
        String message = UnpublishedNotices.message(status, EXCERPT_MAX, why(refusal));
        return notices.send(author, status.id(), status.dueMillis(), message)
                .compose(sent -> scheduled.drop(author, status))
                .map(dropped -> {
                    if (dropped) {
                        LOG.info(
                                "scheduled status not published account={} scheduled={} reason={}",
                                author,
                                status.id(),
                                refusal.reason());
                    }
                    return null;
                });
    }

    private static String why(Refusal refusal) {
        return refusal.reason() == Refusal.Reason.NOT_FOUND
                ? "the post to which it refers is deleted, or you may not see it any more."
                : refusal.getMessage();
    }
}

package io.fanfare.api.routes;

import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.common.action.PostSideEffects;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.publish.NotificationPublisher;
import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.store.Backlinks;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes statuses and takes them back. The store's script decides and enqueues the job; what follows it here makes
 * answers show the new counts, and streams and workers quick. All of that may fail: the job does it again.
 */
public final class Publisher {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

    private final Statuses statuses;
    private final Backlinks backlinks;
    private final PostSideEffects sideEffects;
    private final NotificationPublisher notificationPublisher;
    private final EventLog events;
    private final JobQueue queue;
    private final MemoryPressure pressure;
    private final StatusRenderer renderer;
    private final Views views;
    private final RateLimits rates;

    public Publisher(
            Statuses statuses,
            Backlinks backlinks,
            PostSideEffects sideEffects,
            NotificationPublisher notificationPublisher,
            EventLog events,
            JobQueue queue,
            MemoryPressure pressure,
            StatusRenderer renderer,
            Views views,
            RateLimits rates) {
        this.statuses = statuses;
        this.backlinks = backlinks;
        this.sideEffects = sideEffects;
        this.notificationPublisher = notificationPublisher;
        this.events = events;
        this.queue = queue;
        this.pressure = pressure;
        this.renderer = renderer;
        this.views = views;
        this.rates = rates;
    }

    /**
     * What the same request has published before, as its author gets it; empty = nothing. To be asked before anything
     * is read that the request refers to: whoever has lost the answer gets it also when that is gone by now.
     *
     * @param once null = a request that is a new one each time: Redis is not asked
     */
    Future<Optional<byte[]>> earlier(long author, IdempotentRequest once) {
        return once == null
                ? Future.succeededFuture(Optional.empty())
                : statuses.earlier(author, once).compose(this::published);
    }

    /** What {@link #earlier} finds; without it, what is published now. */
    Future<byte[]> earlierOr(long author, IdempotentRequest once, Supplier<Future<byte[]>> now) {
        return earlier(author, once)
                .compose(earlier -> earlier.isPresent() ? Future.succeededFuture(earlier.get()) : now.get());
    }

    /**
     * Publishes, see {@link Statuses#post(Post, IdempotentRequest)}; answers the status as its author gets it, or the
     * one that had been made before. Refuses at once when Redis is nearly full.
     */
    Future<byte[]> publish(Post post, IdempotentRequest once) {
        pressure.check();
        return count(post).compose(counted -> statuses.post(post, once)).compose(this::published);
    }

    /** The same, see {@link Statuses#post(Post, IdempotentRequest, long)}. */
    Future<Optional<byte[]>> publish(Post post, IdempotentRequest once, long rev) {
        pressure.check();
        return count(post).compose(counted -> statuses.post(post, once, rev)).compose(this::published);
    }

    /**
     * Against what its author may publish in a day. What turns out to be outdated, and is tried again, counts twice.
     */
    private Future<Void> count(Post post) {
        return rates.takePost(post);
    }

    private Future<Optional<byte[]>> published(Optional<Statuses.Posted> posted) {
        return posted.isPresent()
                ? published(posted.get()).map(Optional::of)
                : Future.succeededFuture(Optional.empty());
    }

    private Future<byte[]> published(Statuses.Posted posted) {
        return tell(posted).compose(told -> renderer.posted(posted)).map(shown -> announced(posted, shown));
    }

    /**
     * Never fails. A repeated request may come long after its status: one that was deleted meanwhile must not be
     * counted anew.
     */
    private Future<Void> tell(Statuses.Posted posted) {
        Status status = posted.status();
        if (!Backlinks.has(status)) {
            return Future.succeededFuture();
        }
        Future<Void> told = backlinks
                .tell(status)
                .onSuccess(words -> words.forEach(this::announce))
                .mapEmpty();
        return echoed(
                posted.repeated()
                        ? told.compose(done -> statuses.find(status.id()))
                                .compose(living ->
                                        living.isPresent() ? Future.succeededFuture() : backlinks.takeBack(status))
                        : told);
    }

    private void announce(Backlinks.Told word) {
        notificationPublisher
                .announce(word.account(), word.notification())
                .onFailure(cause -> LOG.debug("notification left to its job cause={}", cause.toString()));
    }

    private byte[] announced(Statuses.Posted posted, StatusRenderer.Posted shown) {
        if (!posted.repeated()) {
            append(shown.event());
        }
        return shown.body();
    }

    /**
     * Deletes a status of the author's; fails with {@link Refusal#unknown} when there is none: somebody else's is as
     * unknown as one that does not exist, as in Mastodon.
     */
    Future<Status> delete(long author, long id) {
        return statuses.delete(author, id)
                .map(deleted -> deleted.orElseThrow(Refusal::unknown))
                .compose(status -> echoed(sideEffects.takeBack(List.of(status))).map(status))
                .onSuccess(status -> append(views.deleted(status)));
    }

    private void append(Event event) {
        events.append(event)
                .onFailure(cause -> LOG.debug("event left to its job event={} cause={}", event.id(), cause.toString()));
        queue.wake(Id.shard(event.actor()))
                .onFailure(cause -> LOG.debug("workers not woken cause={}", cause.toString()));
    }

    private static Future<Void> echoed(Future<Void> told) {
        return told.recover(cause -> {
            LOG.debug("far sides left to their job cause={}", cause.toString());
            return Future.succeededFuture();
        });
    }
}

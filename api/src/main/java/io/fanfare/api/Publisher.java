package io.fanfare.api;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Draft;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.store.Consequences;
import io.fanfare.common.store.Echoes;
import io.fanfare.common.store.Herald;
import io.fanfare.common.store.Once;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes statuses and takes them back. The store's script decides and enqueues the job; what follows it here makes answers show the new counts, and streams and workers quick. All of that may
 * fail: the job does it again.
 */
final class Publisher {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

    private final Statuses statuses;
    private final Echoes echoes;
    private final Consequences consequences;
    private final Herald herald;
    private final EventLog events;
    private final JobQueue queue;
    private final MemoryPressure pressure;
    private final StatusPages pages;
    private final Views views;
    private final RateLimits rates;

    Publisher(
            Statuses statuses,
            Echoes echoes,
            Consequences consequences,
            Herald herald,
            EventLog events,
            JobQueue queue,
            MemoryPressure pressure,
            StatusPages pages,
            Views views,
            RateLimits rates) {
        this.statuses = statuses;
        this.echoes = echoes;
        this.consequences = consequences;
        this.herald = herald;
        this.events = events;
        this.queue = queue;
        this.pressure = pressure;
        this.pages = pages;
        this.views = views;
        this.rates = rates;
    }

    /**
     * What the same request has published before, as its author gets it; empty = nothing. To be asked before anything is read that the request refers to: whoever has lost the
     * answer gets it also when that is gone by now.
     *
     * @param once null = a request that is a new one each time: Redis is not asked
     */
    Future<Optional<byte[]>> earlier(long author, Once once) {
        return once == null
                ? Future.succeededFuture(Optional.empty())
                : statuses.earlier(author, once).compose(this::published);
    }

    /** What {@link #earlier} finds; without it, what is published now. */
    Future<byte[]> earlierOr(long author, Once once, Supplier<Future<byte[]>> now) {
        return earlier(author, once)
                .compose(earlier -> earlier.isPresent() ? Future.succeededFuture(earlier.get()) : now.get());
    }

    /** Publishes, see {@link Statuses#post(Draft, Once)}; answers the status as its author gets it, or the one that had been made before. Refuses at once when Redis is nearly full. */
    Future<byte[]> publish(Draft draft, Once once) {
        pressure.check();
        return count(draft).compose(counted -> statuses.post(draft, once)).compose(this::published);
    }

    /** The same, see {@link Statuses#post(Draft, Once, long)}. */
    Future<Optional<byte[]>> publish(Draft draft, Once once, long rev) {
        pressure.check();
        return count(draft).compose(counted -> statuses.post(draft, once, rev)).compose(this::published);
    }

    /** Against what its author may publish in a day. What turns out to be outdated, and is tried again, counts twice. */
    private Future<Void> count(Draft draft) {
        return rates.takePost(draft);
    }

    private Future<Optional<byte[]>> published(Optional<Statuses.Posted> posted) {
        return posted.isPresent()
                ? published(posted.get()).map(Optional::of)
                : Future.succeededFuture(Optional.empty());
    }

    private Future<byte[]> published(Statuses.Posted posted) {
        return tell(posted).compose(told -> pages.posted(posted)).map(shown -> announced(posted, shown));
    }

    /** Never fails. A repeated request may come long after its status: one that was deleted meanwhile must not be counted anew. */
    private Future<Void> tell(Statuses.Posted posted) {
        Status status = posted.status();
        if (!Echoes.has(status)) {
            return Future.succeededFuture();
        }
        Future<Void> told = echoes.tell(status)
                .onSuccess(words -> words.forEach(this::announce))
                .mapEmpty();
        return echoed(
                posted.repeated()
                        ? told.compose(done -> statuses.find(status.id()))
                                .compose(living ->
                                        living.isPresent() ? Future.succeededFuture() : echoes.takeBack(status))
                        : told);
    }

    private void announce(Echoes.Told word) {
        herald.announce(word.account(), word.notification())
                .onFailure(cause -> LOG.debug("notification left to its job cause={}", cause.toString()));
    }

    private byte[] announced(Statuses.Posted posted, StatusPages.Posted shown) {
        if (!posted.repeated()) {
            append(shown.event());
        }
        return shown.body();
    }

    /** Deletes a status of the author's; fails with {@link Refusal#unknown} when there is none: somebody else's is as unknown as one that does not exist, as in Mastodon. */
    Future<Status> takeBack(long author, long id) {
        return statuses.delete(author, id)
                .map(deleted -> deleted.orElseThrow(Refusal::unknown))
                .compose(
                        status -> echoed(consequences.takeBack(List.of(status))).map(status))
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

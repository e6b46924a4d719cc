package io.fanfare.api;

import static io.fanfare.api.Endpoint.delete;
import static io.fanfare.api.Endpoint.get;
import static io.fanfare.api.Endpoint.post;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Timelines;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Single statuses: post, read, delete. */
final class StatusRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(StatusRoutes.class);
    private static final int IDEMPOTENCY_KEY_CHARS_MAX = 255;

    private final Settings.Limits limits;
    private final Statuses statuses;
    private final Timelines timelines;
    private final EventLog events;
    private final JobQueue queue;
    private final MemoryPressure pressure;
    private final StatusPages pages;
    private final Views views;

    StatusRoutes(
            Settings.Limits limits,
            Statuses statuses,
            Timelines timelines,
            EventLog events,
            JobQueue queue,
            MemoryPressure pressure,
            StatusPages pages,
            Views views) {
        this.limits = limits;
        this.statuses = statuses;
        this.timelines = timelines;
        this.events = events;
        this.queue = queue;
        this.pressure = pressure;
        this.pages = pages;
        this.views = views;
    }

    List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/statuses", Access.user("write:statuses"), this::publish),
                get("/api/v1/statuses/:id", Access.viewer("read:statuses"), this::show),
                delete("/api/v1/statuses/:id", Access.user("write:statuses"), this::remove));
    }

    private Future<Answer> publish(Call call) {
        pressure.check();
        NewStatus asked = NewStatus.of(call.parameters(), limits.textMax());
        String key = idempotencyKey(call);
        String clientName = call.principal().clientName();
        return repliedTo(call.viewer(), asked.inReplyToId())
                .map(repliedTo -> asked.draft(call.viewer(), repliedTo, clientName))
                .compose(draft -> statuses.post(draft, key))
                .compose(posted -> pages.posted(posted.status()).map(shown -> told(posted, shown)));
    }

    /** The status is stored with its fan-out job: what follows only makes streams and workers quick, and the job does it again. */
    private Answer told(Statuses.Posted posted, StatusPages.Posted shown) {
        if (!posted.repeated()) {
            tell(shown.event());
        }
        return Answer.json(shown.body());
    }

    private Future<Answer> show(Call call) {
        return visible(call.viewer(), call.id())
                .compose(status -> pages.one(status, call.viewer()))
                .map(body -> Answer.json(body));
    }

    /** Somebody else's is as unknown as one that does not exist, as in Mastodon. */
    private Future<Answer> remove(Call call) {
        return statuses.delete(call.viewer(), call.id())
                .map(deleted -> deleted.orElseThrow(Refusal::unknown))
                .onSuccess(status -> tell(views.deleted(status)))
                .compose(pages::deleted)
                .map(body -> Answer.json(body));
    }

    private Future<Status> repliedTo(long viewer, long id) {
        return id == 0 ? Future.succeededFuture() : visible(viewer, id);
    }

    private Future<Status> visible(long viewer, long id) {
        return statuses.find(id)
                .map(found -> found.orElseThrow(Refusal::unknown))
                .compose(status -> timelines.maySee(viewer, status).map(may -> {
                    if (!may) {
                        throw Refusal.unknown();
                    }
                    return status;
                }));
    }

    private void tell(Event event) {
        events.append(event)
                .onFailure(cause -> LOG.debug("event left to its job event={} cause={}", event.id(), cause.toString()));
        queue.wake(Id.shard(event.actor()))
                .onFailure(cause -> LOG.debug("workers not woken cause={}", cause.toString()));
    }

    private static String idempotencyKey(Call call) {
        String key = call.request().getHeader("Idempotency-Key");
        if (key == null || key.isBlank()) {
            return null;
        }
        if (key.length() > IDEMPOTENCY_KEY_CHARS_MAX) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The Idempotency-Key must have at most " + IDEMPOTENCY_KEY_CHARS_MAX + " characters.");
        }
        return key;
    }
}

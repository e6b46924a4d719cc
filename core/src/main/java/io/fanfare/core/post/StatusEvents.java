package io.fanfare.core.post;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.view.Views;
import io.fanfare.core.view.Hydrator;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;

/**
 * Makes the events of new and changed statuses, for whoever appends them: with the author, and with what a repost or
 * quote shows, as it is now.
 */
public final class StatusEvents {
    private final Hydrator hydrator;
    private final EventBodies bodies;

    public StatusEvents(Hydrator hydrator, Views views) {
        this.hydrator = hydrator;
        this.bodies = new EventBodies(views);
    }

    /**
     * One event for each status whose author has an account, in the order given; one round trip. Direct messages have
     * none: nothing of theirs is where everybody's streams read.
     */
    public Future<List<Event>> posted(Collection<Status> posted) {
        List<Status> statuses = posted.stream()
                .filter(status -> status.visibility() != Visibility.DIRECT)
                .toList();
        return hydrator.load(statuses, 0).map(context -> statuses.stream()
                .filter(context::covers)
                .map(status -> bodies.posted(status, context))
                .toList());
    }

    /**
     * The event of a status, in case it was never told of, and that of a change of it, in this order; none when its
     * author has no account, and of a direct message. One round trip.
     *
     * @param change its id: of an edit, or of other terms of its quotes
     */
    public Future<List<Event>> changed(Status status, long change) {
        if (status.visibility() == Visibility.DIRECT) {
            return Future.succeededFuture(List.of());
        }
        return hydrator.load(List.of(status), 0)
                .map(context -> context.covers(status)
                        ? List.of(bodies.posted(status, context), bodies.changed(status, change, context))
                        : List.of());
    }
}

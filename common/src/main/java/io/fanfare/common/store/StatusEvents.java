package io.fanfare.common.store;

import io.fanfare.common.event.Event;
import io.fanfare.common.model.Status;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;

/** Makes the events of new statuses, for whoever appends them: with the author, and with what a repost or quote shows, as it is now. */
public final class StatusEvents {
    private final SurroundingsLoader surroundings;
    private final Views views;

    public StatusEvents(SurroundingsLoader surroundings, Views views) {
        this.surroundings = surroundings;
        this.views = views;
    }

    /** One event for each status whose author has an account, in the order given; one round trip. */
    public Future<List<Event>> posted(Collection<Status> statuses) {
        return surroundings.load(statuses, 0).map(around -> statuses.stream()
                .filter(around::covers)
                .map(status -> views.posted(status, around))
                .toList());
    }
}

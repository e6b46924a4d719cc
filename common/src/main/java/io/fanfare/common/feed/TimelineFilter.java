package io.fanfare.common.feed;

import io.fanfare.common.model.Status;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.store.Statuses;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What a timeline really shows of the ids that its sources hold: those whose status lives and that the viewer may see.
 * The truth is asked at each read; clean-up only saves space.
 *
 * @param since the moment after which it must have been the truth
 */
public record TimelineFilter(Statuses statuses, VisibilityCheck visibilityCheck, long since) {
    TimelineFilter(Statuses statuses, VisibilityCheck visibilityCheck) {
        this(statuses, visibilityCheck, Redis.NOW);
    }

    /** Says what is shown of some statuses, when that has to be looked up. */
    @FunctionalInterface
    interface VisibilityCheck {
        Future<Predicate<Status>> over(Collection<Status> statuses);
    }

    /** A filter that needs no look-up. */
    public static TimelineFilter by(Statuses statuses, Predicate<Status> shows) {
        return new TimelineFilter(statuses, some -> Future.succeededFuture(shows));
    }

    /** The same for a reading that began at a moment. */
    TimelineFilter since(long moment) {
        return new TimelineFilter(statuses, visibilityCheck, moment);
    }

    /** Loads these and keeps what is shown, in the same order. */
    Future<List<Status>> load(List<Long> ids) {
        return statuses.load(ids, since)
                .compose(living -> visibilityCheck.over(living.values()).map(shows -> shown(ids, living, shows)));
    }

    private static List<Status> shown(List<Long> ids, Map<Long, Status> living, Predicate<Status> shows) {
        List<Status> shown = new ArrayList<>(ids.size());
        for (long id : ids) {
            Status status = living.get(id);
            if (status != null && shows.test(status)) {
                shown.add(status);
            }
        }
        return shown;
    }
}

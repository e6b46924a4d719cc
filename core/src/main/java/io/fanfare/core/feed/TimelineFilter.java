package io.fanfare.core.feed;

import io.fanfare.common.model.Status;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Selects the ids of a timeline's sources that it shows: those whose status lives and that the viewer may see. The
 * truth is read each time; clean-up only saves space.
 *
 * @param since the moment after which it must have been the truth
 * @param foldWindow among how many statuses a repost is looked for that makes one above it superfluous (see
 *     {@link RepostFold}); 0 = all are shown
 */
public record TimelineFilter(Statuses statuses, VisibilityCheck visibilityCheck, long since, int foldWindow) {
    public TimelineFilter(Statuses statuses, VisibilityCheck visibilityCheck) {
        this(statuses, visibilityCheck, Redis.NOW, /* foldWindow= */ 0);
    }

    /** Says what is shown of some statuses, when that has to be looked up. */
    @FunctionalInterface
    public interface VisibilityCheck {
        Future<Predicate<Status>> over(Collection<Status> statuses);
    }

    /** A filter that needs no look-up. */
    public static TimelineFilter by(Statuses statuses, Predicate<Status> shows) {
        return new TimelineFilter(statuses, candidates -> Future.succeededFuture(shows));
    }

    /** The same for a reading that began at a moment. */
    public TimelineFilter since(long moment) {
        return new TimelineFilter(statuses, visibilityCheck, moment, foldWindow);
    }

    /** The same that leaves out reposts of what stands among so many statuses next below; 0 = none. */
    TimelineFilter folding(int window) {
        return new TimelineFilter(statuses, visibilityCheck, since, window);
    }

    /** Loads these and keeps what is shown, in the same order. */
    public Future<Loaded> load(List<Long> ids) {
        return statuses.reachable(ids, since)
                .compose(loaded ->
                        visibilityCheck.over(loaded.living().values()).map(shows -> loaded(ids, loaded, shows)));
    }

    /**
     * The shown statuses of these ids.
     *
     * @param unreachable the first id of which only the archive knows, while it does not answer: the rest is left out;
     *     0 = none
     */
    public record Loaded(List<Status> shown, long unreachable) {}

    private static Loaded loaded(List<Long> ids, Statuses.Reachable loaded, Predicate<Status> shows) {
        for (int i = 0; i < ids.size() && !loaded.unreachable().isEmpty(); i++) {
            if (loaded.unreachable().contains(ids.get(i))) {
                return new Loaded(shown(ids.subList(0, i), loaded.living(), shows), ids.get(i));
            }
        }
        return new Loaded(shown(ids, loaded.living(), shows), 0);
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

package io.fanfare.common.store;

import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Sight;
import io.fanfare.common.model.Status;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages of an account's own list of statuses: those that live and that the account may see, muted authors included, since it has put them there itself. What is
 * found to be gone leaves the list, so that it does not count towards what the list may hold.
 */
record MarkedStatuses(Redis redis, Statuses statuses, Sights sights) {
    private static final Logger LOG = LoggerFactory.getLogger(MarkedStatuses.class);

    Future<Page<Status>> page(String key, long viewer, PageRequest page) {
        return Scan.page(redis, key, page, members -> visible(key, viewer, members));
    }

    private Future<Map<String, Status>> visible(String key, long viewer, List<Scan.Member> members) {
        return statuses.load(members.stream().map(Scan.Member::id).toList())
                .onSuccess(living -> dropGone(key, members, living.keySet()))
                .compose(living -> sights.over(viewer, living.values()).map(sight -> visible(living, sight)));
    }

    /** What is gone never comes back. Nobody waits for it: the next look does it again. */
    private void dropGone(String key, List<Scan.Member> members, Set<Long> living) {
        Object[] gone = members.stream()
                .map(Scan.Member::id)
                .filter(id -> !living.contains(id))
                .toArray();
        if (gone.length > 0) {
            redis.send(Command.of("ZREM", key, gone))
                    .onFailure(cause -> LOG.debug("gone ones left on a list cause={}", cause.toString()));
        }
    }

    private static Map<String, Status> visible(Map<Long, Status> living, Sight sight) {
        Map<String, Status> visible = new HashMap<>();
        living.forEach((id, status) -> {
            if (sight.maySee(status)) {
                visible.put(Long.toString(id), status);
            }
        });
        return visible;
    }
}

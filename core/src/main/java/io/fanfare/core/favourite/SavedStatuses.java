package io.fanfare.core.favourite;

import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.store.SortedSetPager;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages of an account's own list of statuses: those that live and that the account may see, muted authors included,
 * since it has put them there itself. What is found to be gone leaves the list, so that it does not count towards what
 * the list may hold.
 */
public record SavedStatuses(Redis redis, Statuses statuses, ViewerRelationshipsReader viewerRelationships) {
    private static final Logger LOG = LoggerFactory.getLogger(SavedStatuses.class);

    public Future<Page<Status>> page(String key, long viewer, PageRequest page) {
        return SortedSetPager.page(redis, key, page, members -> visible(key, viewer, members));
    }

    private Future<Map<String, Status>> visible(String key, long viewer, List<SortedSetPager.Member> members) {
        return statuses.load(members.stream().map(SortedSetPager.Member::id).toList())
                .onSuccess(living -> dropGone(key, members, living.keySet()))
                .compose(living -> viewerRelationships
                        .over(viewer, living.values())
                        .map(relationships -> visible(living, relationships)));
    }

    /** Drops deleted statuses, which never come back. Nobody waits for it: the next look repeats it. */
    private void dropGone(String key, List<SortedSetPager.Member> members, Set<Long> living) {
        Object[] gone = members.stream()
                .map(SortedSetPager.Member::id)
                .filter(id -> !living.contains(id))
                .toArray();
        if (gone.length > 0) {
            redis.send(Command.of("ZREM", key, gone))
                    .onFailure(cause -> LOG.debug("gone ones left on a list cause={}", cause.toString()));
        }
    }

    private static Map<String, Status> visible(Map<Long, Status> living, ViewerRelationships relationships) {
        Map<String, Status> visible = new HashMap<>();
        living.forEach((id, status) -> {
            if (relationships.maySee(status)) {
                visible.put(Long.toString(id), status);
            }
        });
        return visible;
    }
}

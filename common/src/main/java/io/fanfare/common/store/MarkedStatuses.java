package io.fanfare.common.store;

import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Sight;
import io.fanfare.common.model.Status;
import io.fanfare.common.redis.Redis;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pages of an account's own list of statuses: those that live and that the account may see, muted authors included, since it has put them there itself. */
record MarkedStatuses(Redis redis, Statuses statuses, Sights sights) {
    Future<Page<Status>> page(String key, long viewer, PageRequest page) {
        return Scan.page(redis, key, page, members -> visible(viewer, members));
    }

    private Future<Map<String, Status>> visible(long viewer, List<Scan.Member> members) {
        return statuses.load(members.stream().map(Scan.Member::id).toList())
                .compose(living -> sights.over(viewer, living.values()).map(sight -> visible(living, sight)));
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

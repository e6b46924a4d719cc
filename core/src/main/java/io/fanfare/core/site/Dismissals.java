package io.fanfare.core.site;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Owns {@code dismissed-announcements} keys: the announcements that an account does not want to see again. */
public final class Dismissals {
    /** Dismissals that are kept of an account, those of the newest announcements: more than there are announcements. */
    static final int MAX = 4 * Site.ANNOUNCEMENTS_MAX;

    private static final Script DISMISS = Script.load("announcement_dismiss");

    private final Redis redis;

    public Dismissals(Redis redis) {
        this.redis = redis;
    }

    /** Dismisses an announcement; a second time changes nothing. Also when memory is full. */
    public Future<Void> add(long account, long announcement) {
        return redis.send(DISMISS.call(List.of(Keys.dismissedAnnouncements(account)), announcement, MAX))
                .mapEmpty();
    }

    /** The ids of dismissed announcements, removed ones too. */
    public Future<Set<Long>> of(long account) {
        return redis.send(Command.of("ZRANGE", Keys.dismissedAnnouncements(account), 0, -1))
                .map(reply -> reply.items().stream().map(Reply::asLong).collect(Collectors.toUnmodifiableSet()));
    }
}

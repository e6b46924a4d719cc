package io.fanfare.core.posting;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Script;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts posts for {@code InstanceStats}. No post waits for it, and however many are published it costs one command a
 * round trip: posts that come while a count is on its way are counted together by the next one. A process that is
 * killed loses those that it has not sent. Confined to one event loop.
 */
public final class WeeklyPosts {
    private static final Logger LOG = LoggerFactory.getLogger(WeeklyPosts.class);
    private static final Script COUNT = Script.load("count_posts");

    private final Redis redis;
    private int waiting;
    private long newest;
    private boolean sending;

    public WeeklyPosts(Redis redis) {
        this.redis = redis;
    }

    /** Counts a post, which has been published now for the first time. */
    public void add(long id) {
        waiting++;
        newest = id;
        if (!sending) {
            send();
        }
    }

    private void send() {
        int count = waiting;
        waiting = 0;
        sending = true;
        redis.send(COUNT.call(List.of(Keys.counts(Id.shard(newest))), newest, count))
                .onComplete(done -> {
                    sending = false;
                    if (done.failed()) {
                        LOG.debug(
                                "posts not counted posts={} cause={}",
                                count,
                                done.cause().toString());
                    }
                    if (waiting > 0) {
                        send();
                    }
                });
    }
}

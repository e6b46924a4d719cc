package io.fanfare.common.store;

import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import java.util.random.RandomGenerator;

/**
 * Reads timelines: home (with rebuild, bounds and deepening, feeds.md sections 4 and 6) and profile. What a page shows is filtered by the truth: the status lives, its author is
 * followed, the viewer may see it.
 */
public final class Timelines {
    public Timelines(
            Redis redis, Homes homes, Statuses statuses, Graph graph, RandomGenerator random, Settings.Feeds settings) {
        throw new UnsupportedOperationException();
    }

    public Future<Page<Status>> home(long reader, PageRequest page) {
        throw new UnsupportedOperationException();
    }

    /** The author's statuses that the viewer may see; {@code viewer} 0 = anonymous. */
    public Future<Page<Status>> profile(long author, long viewer, PageRequest page) {
        throw new UnsupportedOperationException();
    }

    /** Whether the viewer (0 = anonymous) may see a status. */
    public Future<Boolean> maySee(long viewer, Status status) {
        throw new UnsupportedOperationException();
    }

    /** How many homes this process has rebuilt since it started; a replay shows that it is 0. */
    public long rebuilds() {
        throw new UnsupportedOperationException();
    }
}

package io.fanfare.common.event;

import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import java.util.List;
import java.util.random.RandomGenerator;

/** The one ordered log of events: sequence number, XADD and PUBLISH in one script, deduplicated by event id; a delete never comes before its status. */
public final class EventLog {
    public EventLog(RedisLink redis, RandomGenerator random, Settings.Stream settings) {
        throw new UnsupportedOperationException();
    }

    /** Appends unless it is there already; answers the new event's seq, or 0 when it was there, came after its delete, or is older than deduplication remembers. */
    public Future<Long> append(Event event) {
        throw new UnsupportedOperationException();
    }

    /** Which of these are not in the log yet (and still may be appended); one round trip. Lets jobs skip the rendering of what the API has appended. */
    public Future<List<String>> missing(List<String> eventIds) {
        throw new UnsupportedOperationException();
    }

    public Future<LogState> state() {
        throw new UnsupportedOperationException();
    }

    /** Events after {@code seq} in order, at most {@code max}. A number that is missing between them is an event that was taken out because its status was deleted. */
    public Future<List<LoggedEvent>> read(long afterSeq, int max) {
        throw new UnsupportedOperationException();
    }

    /** Hears of every event from now on; see {@link RedisLink#subscribe}. */
    public RedisLink.Subscription subscribe(RedisLink.Listener listener) {
        throw new UnsupportedOperationException();
    }
}

package io.fanfare.app.console;

import io.fanfare.app.operate.Minutes;
import io.fanfare.app.operate.Minutes.Minute;
import io.fanfare.failure.Reason;
import io.fanfare.redis.RedisLink;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what this process does in each minute to {@link Minutes}. What Redis does not take is written later, an hour
 * of it at most. A clock that is set back begins no minute anew. One event loop.
 */
final class MinuteRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(MinuteRecorder.class);
    private static final long MINUTE_MILLIS = Duration.ofMinutes(1).toMillis();
    private static final int UNWRITTEN_MAX = 60;

    private final Supplier<Future<RedisLink>> link;
    private final String process;
    private final Deque<Minute> unwritten = new ArrayDeque<>();
    private Figures begun;
    private long minute;
    private Future<Void> writing = Future.succeededFuture();
    private boolean away;
    private boolean crowded;

    /**
     * @param link of the caller's event loop
     * @param process a name that no other has
     * @param begun the figures at this moment
     */
    MinuteRecorder(Supplier<Future<RedisLink>> link, String process, Figures begun, long nowMillis) {
        this.link = link;
        this.process = process;
        this.begun = begun;
        this.minute = nowMillis / MINUTE_MILLIS;
    }

    /** Has a look at the clock: a minute that is over is written. */
    void look(Figures now, long nowMillis) {
        if (nowMillis / MINUTE_MILLIS > minute) {
            end(now);
            minute = nowMillis / MINUTE_MILLIS;
        }
        write().onFailure(later -> {});
    }

    /** Writes the minute that has begun, as far as it has come. Nothing comes after that. */
    Future<Void> close(Figures now) {
        end(now);
        return writing.transform(written -> write());
    }

    /** The end of the writing that is under way. */
    Future<Void> written() {
        return writing;
    }

    private void end(Figures now) {
        unwritten.addLast(new Minute(minute, process, now.since(begun).numbers()));
        if (unwritten.size() > UNWRITTEN_MAX) {
            unwritten.removeFirst();
        }
        begun = now;
    }

    private Future<Void> write() {
        if (!writing.isComplete() || unwritten.isEmpty()) {
            return writing;
        }
        List<Minute> batch = List.copyOf(unwritten);
        writing = link.get()
                .compose(redis -> new Minutes(redis).keep(batch))
                .onSuccess(leftOut -> {
                    unwritten.removeAll(batch);
                    away = false;
                    written(leftOut);
                })
                .onFailure(this::failed)
                .mapEmpty();
        return writing;
    }

    private void written(int leftOut) {
        if (leftOut > 0 && !crowded) {
            LOG.warn(
                    "the history of the console lacks this process, since {} others have been in this hour",
                    Minutes.PROCESSES_MAX);
        }
        crowded = leftOut > 0;
    }

    private void failed(Throwable cause) {
        if (!away) {
            away = true;
            LOG.warn("the minutes of the console cannot be written, trying again: {}", Reason.of(cause));
        }
    }
}

package io.fanfare.core.queue;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * The job lines of a shard's lists, page by page, for operators who look for a job or want a delayed one now. Read as
 * they are, without a claim. Confined to the event loop of its link; made by {@link JobQueue#queuedJobs}.
 */
public final class QueuedJobs {
    /** Lines of a page. */
    public static final int PAGE = 500;

    private final RedisLink redis;

    QueuedJobs(RedisLink redis) {
        this.redis = redis;
    }

    /** A job line; {@code dueMillis} is 0 where it waits for no time. */
    public record Line(String text, long dueMillis) {}

    /**
     * Up to {@link #PAGE} lines of a lane or of {@code suspect}, the newest first, after passing over {@code from}. In
     * this direction what is enqueued or claimed meanwhile hides no line from a reader of all pages, but may show one
     * twice.
     */
    public Future<List<Line>> waiting(int shard, String list, int from) {
        return list(Keys.lane(shard, list), from);
    }

    /** As {@link #waiting}, of a batch in flight, in the order of taking. */
    public Future<List<Line>> inBatch(int shard, String batch, int from) {
        return list(Keys.batch(shard, batch), from);
    }

    /** As {@link #waiting}, of jobs that are not due yet, those due last first. */
    public Future<List<Line>> delayed(int shard, int from) {
        return redis.send(Command.of("ZRANGE", Keys.delayed(shard), from, from + PAGE - 1, "REV", "WITHSCORES"))
                .map(QueuedJobs::lines);
    }

    /** The delayed jobs of a shard that are due first, up to {@code max}. */
    public Future<List<Line>> dueFirst(int shard, int max) {
        return redis.send(Command.of("ZRANGE", Keys.delayed(shard), 0, max - 1, "WITHSCORES"))
                .map(QueuedJobs::lines);
    }

    /**
     * Makes a delayed job due at once, so that the next look of a worker at the shard takes it. False when it is not
     * delayed there, or was hurried before.
     */
    public Future<Boolean> hurry(int shard, String job) {
        return redis.send(Command.of("ZADD", Keys.delayed(shard), "XX", "CH", 0, job))
                .map(changed -> changed.asLong() == 1);
    }

    private static List<Line> lines(Reply reply) {
        List<Reply> pairs = reply.flat();
        List<Line> lines = new ArrayList<>(pairs.size() / 2);
        for (int i = 0; i < pairs.size(); i += 2) {
            long due = (long) Double.parseDouble(pairs.get(i + 1).asString());
            lines.add(new Line(pairs.get(i).asString(), due));
        }
        return lines;
    }

    private Future<List<Line>> list(String key, int from) {
        return redis.send(Command.of("LRANGE", key, from, from + PAGE - 1)).map(reply -> reply.items().stream()
                .map(line -> new Line(line.asString(), 0))
                .toList());
    }
}

package io.fanfare.app.operate;

import io.fanfare.core.queue.QueuedJobs.Line;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The jobs that wait for their time, those due first, and making them due at once. For one use, by one thread. */
public final class DelayedReport {
    /** The most jobs of one list. */
    public static final int LIST_MAX = 10_000;

    private final QueueAccess session;

    public DelayedReport(QueueAccess session) {
        this.session = session;
    }

    /**
     * A job that is not due yet.
     *
     * @param dueMillis when it is, by the clock of the shard's server
     */
    public record Delayed(int shard, long dueMillis, String job) {}

    /** The delayed jobs of all shards that are due first, up to {@code max}. */
    public List<Delayed> first(int max) {
        List<Delayed> first = new ArrayList<>();
        for (int shard = 0; shard < session.shardCount() && !session.isOver(); shard++) {
            int each = shard;
            List<Line> lines = session.ask(queue -> queue.queuedJobs().dueFirst(each, max));
            lines.forEach(line -> first.add(new Delayed(each, line.dueMillis(), line.text())));
            first.sort(Comparator.comparingLong(Delayed::dueMillis));
            first.subList(Math.min(max, first.size()), first.size()).clear();
        }
        return List.copyOf(first);
    }

    /** Makes the first jobs due at once, up to {@code max}; how many. */
    public int hurry(int max) {
        int hurried = 0;
        for (Delayed delayed : first(max)) {
            if (session.isOver()) {
                break;
            }
            hurried += hurry(delayed.shard(), delayed.job());
        }
        return hurried;
    }

    /** Makes the job of this line due at once, in whichever shard it is; how many there were. */
    public int hurry(String job) {
        int hurried = 0;
        for (int shard = 0; shard < session.shardCount() && !session.isOver(); shard++) {
            hurried += hurry(shard, job);
        }
        return hurried;
    }

    private int hurry(int shard, String job) {
        return session.<Boolean>ask(queue -> queue.queuedJobs().hurry(shard, job)) ? 1 : 0;
    }

    /** For programs. */
    public static JsonArray json(List<Delayed> jobs) {
        JsonArray lines = new JsonArray();
        jobs.forEach(delayed -> lines.add(new JsonObject()
                .put("shard", delayed.shard())
                .put("due_at", Terminal.time(delayed.dueMillis()))
                .put("job", delayed.job())));
        return lines;
    }

    /** The result of {@link #hurry(int)}, for programs. */
    public static JsonObject hurried(int count) {
        return new JsonObject().put("hurried", count);
    }
}

package io.fanfare.common.queue;

import java.util.List;

/**
 * Jobs claimed together under one lease. Empty = nothing was waiting, and there is no lease.
 *
 * @param name unique per claim, {@code worker.n}
 * @param more whether more may be waiting in the shard: worth asking again at once
 */
public record Batch(int shard, String name, List<ClaimedJob> jobs, boolean more) {
    public Batch {
        jobs = List.copyOf(jobs);
    }

    public boolean isEmpty() {
        return jobs.isEmpty();
    }

    /** Whether it holds a job whose worker died: such a job is alone in its batch, and should be alone in its worker too, so that nobody else is blamed for what it does. */
    public boolean isSuspect() {
        return jobs.size() == 1 && jobs.get(0).recoveries() > 0;
    }
}

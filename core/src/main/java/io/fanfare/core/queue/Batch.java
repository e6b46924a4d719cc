package io.fanfare.core.queue;

import io.fanfare.common.queue.Lane;
import java.util.List;

/**
 * Jobs claimed together under one lease. Empty = nothing was waiting, and there is no lease.
 *
 * @param name unique per claim, {@code worker.n}
 * @param more whether more may be waiting in the shard's lanes: worth another claim at once
 * @param suspects whether suspects wait in the shard: for a worker that has nothing else in flight
 * @param dueMillis until the next delayed job of the shard is due; -1 when none is known
 * @param lane of which the jobs are; NORMAL when that is not known: of suspects, and when a claim was repeated
 */
public record Batch(
        int shard, String name, List<ClaimedJob> jobs, boolean more, boolean suspects, long dueMillis, Lane lane) {
    public Batch {
        jobs = List.copyOf(jobs);
    }

    public boolean isEmpty() {
        return jobs.isEmpty();
    }
}

package io.fanfare.common.queue;

import java.util.List;

/** Jobs claimed together under one lease. Empty = nothing was waiting, and there is no lease. */
public record Batch(int shard, String name, List<ClaimedJob> jobs) {
    public Batch {
        jobs = List.copyOf(jobs);
    }

    public boolean isEmpty() {
        return jobs.isEmpty();
    }
}

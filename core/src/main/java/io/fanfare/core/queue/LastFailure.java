package io.fanfare.core.queue;

import io.fanfare.redis.Reply;
import java.util.ArrayList;
import java.util.List;

/**
 * The last failure of one type of job in one shard: tried again, put off or given up. {@code lua/lib/settle.lua} notes
 * it in the counters of the shard.
 *
 * @param millis when, Unix time
 * @param reason as dead letters have it; no message texts
 * @param job its line, as it was when it failed
 */
public record LastFailure(int shard, String type, long millis, String reason, String job) {
    private static final String FIELD = "failed:";

    /** Reads the counters of all shards; fails when a shard has not answered. */
    static List<LastFailure> of(List<Reply> countersByShard) {
        List<LastFailure> failures = new ArrayList<>();
        for (int shard = 0; shard < countersByShard.size(); shard++) {
            List<Reply> pairs = countersByShard.get(shard).flat();
            for (int i = 0; i + 1 < pairs.size(); i += 2) {
                String[] parts = pairs.get(i + 1).asString().split("\t", 3);
                String field = pairs.get(i).asString();
                if (field.startsWith(FIELD) && parts.length == 3) {
                    failures.add(new LastFailure(
                            shard, field.substring(FIELD.length()), Long.parseLong(parts[0]), parts[1], parts[2]));
                }
            }
        }
        return failures;
    }
}

package io.fanfare.app.operate;

import io.fanfare.core.queue.BatchesInFlight.Found;
import io.fanfare.core.queue.BatchesInFlight.InFlight;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The batches that each worker has in hand. */
public final class WorkersReport {
    /** Batches that are looked at. */
    public static final int BATCHES_MAX = 10_000;

    private WorkersReport() {}

    public static Map<String, List<InFlight>> byWorker(Found found) {
        return found.batches().stream()
                .collect(Collectors.groupingBy(InFlight::worker, TreeMap::new, Collectors.toList()));
    }

    public static long jobs(List<InFlight> batches) {
        return batches.stream().mapToLong(InFlight::jobs).sum();
    }

    public static JsonObject json(Found found) {
        JsonArray workers = new JsonArray();
        byWorker(found).forEach((worker, batches) -> {
            JsonArray each = new JsonArray();
            batches.forEach(batch -> each.add(new JsonObject()
                    .put("batch", batch.name())
                    .put("shard", batch.shard())
                    .put("jobs", batch.jobs())
                    .put("lease_left_ms", batch.leaseLeftMillis())));
            workers.add(new JsonObject()
                    .put("worker", worker)
                    .put("jobs", jobs(batches))
                    .put("batches", each));
        });
        return new JsonObject()
                .put("workers", workers)
                .put("jobs", jobs(found.batches()))
                .put("more", found.more())
                .put("unreached_shards", new JsonArray(List.copyOf(found.unreached())));
    }
}

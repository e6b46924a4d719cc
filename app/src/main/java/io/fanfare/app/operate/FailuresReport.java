package io.fanfare.app.operate;

import io.fanfare.core.queue.LastFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The last failure of each type of job over all shards, newest first. */
public final class FailuresReport {
    private FailuresReport() {}

    /** The newest of each type. */
    public static List<LastFailure> newest(List<LastFailure> all) {
        Map<String, LastFailure> byType = new TreeMap<>();
        all.forEach(failure ->
                byType.merge(failure.type(), failure, (one, other) -> one.millis() >= other.millis() ? one : other));
        return byType.values().stream()
                .sorted(Comparator.comparingLong(LastFailure::millis).reversed())
                .toList();
    }

    /** In how many shards a job of the type has ever failed. */
    public static long shards(List<LastFailure> all, String type) {
        return all.stream().filter(failure -> failure.type().equals(type)).count();
    }

    /** For programs. */
    public static JsonObject json(List<LastFailure> all) {
        JsonArray failures = new JsonArray();
        newest(all)
                .forEach(failure -> failures.add(new JsonObject()
                        .put("type", failure.type())
                        .put("failed_at", Terminal.time(failure.millis()))
                        .put("shard", failure.shard())
                        .put("shards", shards(all, failure.type()))
                        .put("reason", failure.reason())
                        .put("job", failure.job())));
        return new JsonObject().put("failures", failures);
    }
}

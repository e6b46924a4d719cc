package io.fanfare.app.operate;

import io.fanfare.verify.MemorySurvey.Part;
import io.fanfare.verify.MemorySurvey.Result;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The memory use of Redis by key family and by shard, and its biggest keys. */
public final class MemoryReport {
    private MemoryReport() {}

    /** For programs. */
    public static JsonObject json(Result result) {
        JsonArray keys = new JsonArray();
        result.bigKeys()
                .forEach(key -> keys.add(new JsonObject().put("key", key.key()).put("bytes", key.bytes())));
        return new JsonObject()
                .put("used_bytes", result.used())
                .put("keys", result.keys())
                .put("sampled_keys", result.sampled())
                .put("families", json("family", result.families()))
                .put("shards", json("shard", result.shards()))
                .put("big_keys", keys);
    }

    private static JsonArray json(String name, List<Part> parts) {
        JsonArray all = new JsonArray();
        for (Part part : parts) {
            all.add(new JsonObject()
                    .put(name, part.name())
                    .put("keys", part.keys())
                    .put("bytes", part.bytes()));
        }
        return all;
    }
}

package io.fanfare.app.size;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The costs of one post, page, stream and so on. docs/benchmarks/costs.py writes the resource {@code costs.json} from
 * the results of the benchmarks. Immutable.
 */
public final class Costs {
    private static final String RESOURCE = "costs.json";

    private final Map<String, Cost> byName = new LinkedHashMap<>();

    /**
     * One cost.
     *
     * @param name the unit of work and the part that pays for it, such as {@code post.redis}
     * @param unit us (microseconds of a processor), bytes, or bytes/s
     * @param source the file of the repository that has the figure
     * @param reason why it is reckoned and not measured; empty = it is measured
     */
    public record Cost(String name, double value, String unit, String source, String what, String reason) {
        public boolean isMeasured() {
            return reason.isEmpty();
        }
    }

    private final JsonObject resource;

    private Costs(JsonObject resource) {
        this.resource = resource;
        for (Object entry : resource.getJsonArray("costs")) {
            JsonObject cost = (JsonObject) entry;
            Cost read = new Cost(
                    cost.getString("name"),
                    cost.getDouble("value"),
                    cost.getString("unit"),
                    cost.getString("from"),
                    cost.getString("what"),
                    cost.getString("reason"));
            byName.put(read.name(), read);
        }
    }

    /** Reads those of this program. */
    public static Costs load() {
        try (InputStream resource = Costs.class.getResourceAsStream(RESOURCE)) {
            return new Costs(new JsonObject(new String(resource.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The resource itself. */
    public JsonObject json() {
        return resource.copy();
    }

    /** In the order of the resource. */
    public List<Cost> all() {
        return List.copyOf(byName.values());
    }

    /**
     * A cost by its name.
     *
     * @throws IllegalArgumentException if the name is unknown
     */
    public Cost get(String name) {
        Cost cost = byName.get(name);
        if (cost == null) {
            throw new IllegalArgumentException("there is no cost " + name + " in " + RESOURCE);
        }
        return cost;
    }
}

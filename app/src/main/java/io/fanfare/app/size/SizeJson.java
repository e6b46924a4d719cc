package io.fanfare.app.size;

import io.fanfare.app.size.Size.Amount;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** The same as {@link SizeText} for programs. Bytes, cores and rates a second are numbers. */
public final class SizeJson {
    private SizeJson() {}

    public static JsonObject of(List<Size> sizes) {
        return new JsonObject().put("sizes", array(sizes, SizeJson::of));
    }

    private static JsonObject of(Size size) {
        return new JsonObject()
                .put("users", size.site().users())
                .put("load", amounts(size.load()))
                .put("roles", array(size.roles(), role -> new JsonObject()
                        .put("role", role.name())
                        .put("processes", role.processes())
                        .put("cores", role.cores().value())
                        .put("memory_bytes", role.memory().value())))
                .put("memory_bytes", amounts(size.memory()))
                .put("disk_bytes", amounts(size.disk()))
                .put("network_bytes", amounts(size.network()))
                .put("limits", array(size.limits(), limit -> new JsonObject()
                        .put("limit", limit.resource().name())
                        .put("use", limit.use())
                        .put("of", limit.resource().one())
                        .put("remedy", limit.resource().remedy())
                        .put("page", limit.resource().page())))
                .put("bottleneck", size.bottleneck().resource().name());
    }

    public static JsonObject of(Simulation simulation) {
        return new JsonObject()
                .put("largest_followers", simulation.largest())
                .put("delivery_seconds", simulation.deliverySeconds())
                .put("authors", array(simulation.classes(), one -> new JsonObject()
                        .put("followers_min", one.followersMin())
                        .put("authors", one.accounts())
                        .put("deliveries_share", one.follows())))
                .put("fullest_over_mean", array(simulation.balances(), balance -> new JsonObject()
                        .put("shards", balance.shards())
                        .put("homes", balance.homes())
                        .put("follower_lists", balance.lists())
                        .put("memory", balance.memory())))
                .put("events_per_second", simulation.events())
                .put("event_loops", simulation.loops())
                .put("event_micros", simulation.eventMicros())
                .put("events_ceiling", simulation.ceiling())
                .put("events_ceiling_with_a_quarter", simulation.quarterCeiling())
                .put("users_at_ceiling", simulation.usersAtCeiling());
    }

    private static JsonArray amounts(List<Amount> amounts) {
        return array(amounts, amount -> new JsonObject()
                .put("name", amount.name())
                .put("value", amount.value())
                .put("costs", new JsonArray(amount.costs())));
    }

    private static <T> JsonArray array(Collection<T> all, Function<T, JsonObject> json) {
        return new JsonArray(all.stream().map(json).toList());
    }
}

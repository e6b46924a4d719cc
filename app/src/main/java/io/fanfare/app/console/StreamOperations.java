package io.fanfare.app.console;

import io.fanfare.common.model.Refusal;
import io.fanfare.server.runtime.Component;
import io.fanfare.server.runtime.HealthProbe;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The open streams of this process, as {@code fanfare admin streams} shows them. One event loop. */
final class StreamOperations {
    private static final int SHOWN = 200;

    private final Map<String, HealthProbe.Page> pages = new HashMap<>();
    private final Map<String, HealthProbe.Page> actions = new HashMap<>();

    StreamOperations(List<Component> parts) {
        parts.forEach(part -> {
            pages.putAll(part.probe().pages());
            actions.putAll(part.probe().actions());
        });
    }

    List<Operation> operations() {
        return List.of(
                Operation.get("streams", List.of("limit"), this::show),
                Operation.post("streams/close", List.of("conn"), this::close));
    }

    private Future<JsonObject> show(Arguments given) {
        HealthProbe.Page streams = pages.get("/streams");
        String limit = Integer.toString(given.number("limit", SHOWN, 1, SHOWN));
        return streams == null
                ? Future.succeededFuture(new JsonObject().put("served", false).put("streams", new JsonArray()))
                : streams.show(MultiMap.caseInsensitiveMultiMap().add("limit", limit))
                        .map(shown -> shown.put("served", true));
    }

    private Future<JsonObject> close(Arguments given) {
        String conn = given.matching("conn", "[0-9a-f]{16}", "the name of a connection, 16 hex digits");
        HealthProbe.Page close = actions.get("/streams/close");
        if (close == null) {
            throw new Refusal(Refusal.Reason.NOT_FOUND, "This process serves no streams: ask an `up` or a `stream`.");
        }
        return close.show(MultiMap.caseInsensitiveMultiMap().add("conn", conn)).map(done -> {
            if (!done.getBoolean("closed")) {
                throw new Refusal(
                        Refusal.Reason.NOT_FOUND,
                        "This process has no such stream any more: look which ones are open.");
            }
            return done;
        });
    }
}

package io.fanfare.server.runtime;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;

/** The pages that a part shows the operator, beside its metrics. Safe for every thread. */
public interface HealthProbe {
    /** The probe of a part that has nothing to show. */
    HealthProbe NONE = new HealthProbe() {};

    /** Something to look at: bounded, and without secrets or texts of users. */
    interface Page {
        /** As it is now. {@code parameters} are those of the address, whatever they say. */
        Future<JsonObject> show(MultiMap parameters);
    }

    /** Why the part cannot do its work at the moment, as a sentence; empty while it can. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /** Its pages on the management server, by path. */
    default Map<String, Page> pages() {
        return Map.of();
    }

    /** Actions that an operator can take, by path; the console offers them to operators only. */
    default Map<String, Page> actions() {
        return Map.of();
    }
}

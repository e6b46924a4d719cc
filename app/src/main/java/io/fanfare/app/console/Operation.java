package io.fanfare.app.console;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/**
 * What the console can be asked, or told to do, below {@code /console/api}.
 *
 * @param acts whether it changes something: by POST, by operators only, and logged
 */
record Operation(String path, boolean acts, Work work) {
    /** Answers on the console's event loop. */
    interface Work {
        Future<JsonObject> of(Arguments given);
    }

    static Operation get(String path, Work work) {
        return new Operation(path, false, work);
    }

    static Operation post(String path, Work work) {
        return new Operation(path, true, work);
    }
}

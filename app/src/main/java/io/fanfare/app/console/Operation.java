package io.fanfare.app.console;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * A query or an action of the console, below {@code /console/api}.
 *
 * @param acts true for an action: it changes something, needs POST and an operator, and is logged
 * @param arguments the names of its arguments; another name is refused
 */
record Operation(String path, boolean acts, List<String> arguments, LongWork work) {
    Operation {
        arguments = List.copyOf(arguments);
    }

    /** Answers on the console's event loop. */
    interface Work {
        Future<JsonObject> of(Arguments given);
    }

    /** The same, of many steps: stops between two of them when the limit is reached. */
    interface LongWork {
        Future<JsonObject> of(Arguments given, WorkLimit limit);
    }

    static Operation get(String path, List<String> arguments, Work work) {
        return get(path, arguments, (given, limit) -> work.of(given));
    }

    static Operation get(String path, List<String> arguments, LongWork work) {
        return new Operation(path, false, arguments, work);
    }

    static Operation post(String path, List<String> arguments, Work work) {
        return post(path, arguments, (given, limit) -> work.of(given));
    }

    static Operation post(String path, List<String> arguments, LongWork work) {
        return new Operation(path, true, arguments, work);
    }
}

package io.fanfare.app.operate;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The answer with a part of a list, for programs. */
final class ReportPage {
    private ReportPage() {}

    /**
     * The entries under the name of the list, and {@code next} where there are more.
     *
     * @param next the cursor of the next page; 0 = this is the last one
     */
    static JsonObject of(String list, JsonArray entries, long next) {
        return of(list, entries, next == 0 ? "" : Long.toString(next));
    }

    /** The same with a cursor that is a text; empty = this is the last page. */
    static JsonObject of(String list, JsonArray entries, String next) {
        JsonObject answer = new JsonObject().put(list, entries);
        return next.isEmpty() ? answer : answer.put("next", next);
    }
}

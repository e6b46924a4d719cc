package io.fanfare.stream.session;

import io.vertx.core.json.JsonObject;
import java.util.Comparator;

/**
 * One open stream, for its operator.
 *
 * @param conn its name, as its hello says
 * @param account of the listener; 0 = nobody
 * @param filter what it wants, in numbers: keywords are the user's own business
 * @param lag events that are known here and have not been sent to it, or passed to its filter, yet
 * @param bytes that its socket has taken
 * @param waiting bytes that its socket has not taken yet
 * @param idleMillis since anything was written to it
 */
public record StreamRow(
        String conn,
        long account,
        String stream,
        String dialect,
        String filter,
        long lag,
        long bytes,
        long waiting,
        long ageMillis,
        long idleMillis) {
    /** Orders streams that are furthest behind first, and of these the oldest first. */
    public static final Comparator<StreamRow> WORST_FIRST = Comparator.comparingLong(StreamRow::lag)
            .thenComparingLong(StreamRow::ageMillis)
            .reversed();

    public JsonObject json() {
        return new JsonObject()
                .put("conn", conn)
                .put("account_id", account == 0 ? null : Long.toString(account))
                .put("stream", stream)
                .put("dialect", dialect)
                .put("filter", filter)
                .put("lag", lag)
                .put("bytes", bytes)
                .put("waiting", waiting)
                .put("age_seconds", ageMillis / 1000)
                .put("idle_seconds", idleMillis / 1000);
    }
}

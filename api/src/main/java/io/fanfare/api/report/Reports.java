package io.fanfare.api.report;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Owns {@code {reports}} keys: what users report to the operator, who reads and closes it by hand ({@code ./fanfare
 * admin reports}). A report is kept until it is closed. Each takes up to 5 KB. When there are as many as there may be,
 * the oldest by one of the accounts with most makes room, so that accounts which report without end push out their own.
 */
public final class Reports {
    /** Reports that are kept. */
    public static final int MAX = 5000;

    /** Reports of one account that are kept. */
    public static final int EACH_MAX = 50;

    private static final Script ADD = Script.load("report_add");
    private static final Script CLOSE = Script.load("report_close");

    private final Redis redis;
    private final int max;

    public Reports(Redis redis) {
        this(redis, MAX);
    }

    Reports(Redis redis, int max) {
        this.redis = redis;
        this.max = max;
    }

    /**
     * A report by a user.
     *
     * @param id 0 = it is still to get one; ascending with time
     * @param atMillis Unix time
     * @param category spam, legal, violation or other
     */
    public record Report(
            long id, long atMillis, long reporter, long account, String category, String comment, List<Long> statuses) {
        public Report {
            statuses = List.copyOf(statuses);
        }

        private Report with(long newId) {
            return new Report(newId, atMillis, reporter, account, category, comment, statuses);
        }

        private String line() {
            JsonArray ids = new JsonArray();
            statuses.forEach(ids::add);
            return new JsonObject()
                    .put("at", atMillis)
                    .put("by", reporter)
                    .put("account", account)
                    .put("category", category)
                    .put("comment", comment)
                    .put("statuses", ids)
                    .encode();
        }

        private static Report of(long id, String line) {
            JsonObject json = new JsonObject(line);
            List<Long> ids = new ArrayList<>();
            json.getJsonArray("statuses").forEach(status -> ids.add(((Number) status).longValue()));
            return new Report(
                    id,
                    json.getLong("at"),
                    json.getLong("by"),
                    json.getLong("account"),
                    json.getString("category"),
                    json.getString("comment"),
                    ids);
        }
    }

    /**
     * Keeps a report; answers it with its id. The same report in the same millisecond is kept once. Refuses
     * ({@code INVALID}) more than {@link #EACH_MAX} of one account. When there are {@link #MAX}, a report of an account
     * without any takes the place of another one; of an account that has some, it does when another account has at
     * least twice as many, and is refused otherwise.
     */
    public Future<Report> add(Report report) {
        List<String> keys =
                List.of(Keys.REPORTS, Keys.REPORTERS, Keys.LAST_REPORT, Keys.REPORTS_OWN, Keys.REPORT_COUNTS);
        return redis.send(ADD.call(keys, report.reporter(), EACH_MAX, max, report.line()))
                .compose(reply -> added(report, reply.items()));
    }

    private static Future<Report> added(Report report, List<Reply> answer) {
        return switch (answer.get(0).asString()) {
            case "new" -> Future.succeededFuture(report.with(answer.get(1).asLong()));
            case "many" ->
                Future.failedFuture(new Refusal(
                        Reason.INVALID,
                        "You have " + EACH_MAX + " open reports, which is the most that is allowed: wait until the"
                                + " operator of this server has closed some."));
            case "full" ->
                Future.failedFuture(new Refusal(
                        Reason.INVALID,
                        "This server keeps no more reports of yours until its operator has closed some: write to the"
                                + " operator."));
            default -> throw new IllegalStateException("report_add answered " + answer);
        };
    }

    /** The kept reports, the oldest first, at most so many. */
    public Future<List<Report>> list(int max) {
        return redis.send(Command.of("ZRANGE", Keys.REPORTS, 0, max - 1, "WITHSCORES"))
                .map(Reports::of);
    }

    /** How many are kept. */
    public Future<Long> count() {
        return redis.send(Command.of("ZCARD", Keys.REPORTS)).map(Reply::asLong);
    }

    public Future<Optional<Report>> find(long id) {
        return redis.send(Command.of("ZRANGE", Keys.REPORTS, id, id, "BYSCORE", "WITHSCORES"))
                .map(reply -> of(reply).stream().findFirst());
    }

    private static List<Report> of(Reply reply) {
        List<Reply> pairs = reply.flat();
        List<Report> reports = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            reports.add(Report.of(pairs.get(i + 1).asLong(), pairs.get(i).asString()));
        }
        return reports;
    }

    /** Forgets a report; whether there was one. */
    public Future<Boolean> close(long id) {
        return find(id).compose(found -> found.isEmpty()
                ? Future.succeededFuture(false)
                : redis.sendSafely(CLOSE.call(
                                List.of(Keys.REPORTS, Keys.REPORTERS, Keys.REPORTS_OWN, Keys.REPORT_COUNTS),
                                id,
                                found.get().reporter()))
                        .map(closed -> closed.asLong() == 1));
    }
}

package io.fanfare.api.report;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.store.SortedSetPager;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Owns {@code {reports}} keys: what users report to moderators and operators, who read and resolve it. An open report
 * is kept until it is resolved, and then for a while. Each takes up to 5 KB. When there are as many as there may be,
 * the oldest by one of the accounts with most makes room, so that accounts which report without end push out their own.
 */
public final class Reports {
    /** Open reports that are kept. */
    public static final int MAX = 5000;

    /** Resolved reports that are kept, those with the highest ids. */
    public static final int RESOLVED_MAX = 2000;

    /** Reports of one account that are kept. */
    public static final int EACH_MAX = 50;

    private static final Script ADD = Script.load("report_add");
    private static final Script CHANGE = Script.load("report_change");

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
     */
    public record Report(
            long id,
            long atMillis,
            long reporter,
            long account,
            ReportCategory category,
            String comment,
            List<Long> statuses) {
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
                    .put("category", category.stored())
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
                    ReportCategory.ofStored(json.getString("category")),
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
        List<String> keys = List.of(
                Keys.REPORTS,
                Keys.REPORTERS,
                Keys.LAST_REPORT,
                Keys.REPORTS_OWN,
                Keys.REPORT_COUNTS,
                Keys.REPORT_STATES);
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

    /** A report, open or resolved. */
    public Future<Optional<Report>> findAny(long id) {
        return find(id).compose(open -> open.isPresent()
                ? Future.succeededFuture(open)
                : redis.send(Command.of("ZRANGE", Keys.RESOLVED_REPORTS, id, id, "BYSCORE", "WITHSCORES"))
                        .map(reply -> of(reply).stream().findFirst()));
    }

    /**
     * The handling of a report.
     *
     * @param assigned the account of the moderator who has taken it; 0 = nobody
     * @param resolvedMillis Unix time; 0 = it is open
     * @param by the account that has resolved it; 0 = an operator, or it is open
     * @param category another one than its reporter chose; null = the same
     * @param changedMillis Unix time of the last change; 0 = none
     */
    public record Handling(long assigned, long resolvedMillis, long by, ReportCategory category, long changedMillis) {
        private static final Handling NONE = new Handling(0, 0, 0, null, 0);
        private static final Pattern SPACE = Pattern.compile(" ");

        private static Handling of(Reply stored) {
            if (stored.isNil()) {
                return NONE;
            }
            String[] parts = SPACE.split(stored.asString(), -1);
            return new Handling(
                    Long.parseLong(parts[0]),
                    Long.parseLong(parts[1]),
                    Long.parseLong(parts[2]),
                    parts[3].equals("-") ? null : ReportCategory.ofStored(parts[3]),
                    Long.parseLong(parts[4]));
        }
    }

    /** The handling of each of these, in their order. One command. */
    public Future<List<Handling>> handling(List<Report> reports) {
        return reports.isEmpty()
                ? Future.succeededFuture(List.of())
                : redis.send(Command.of(
                                "HMGET",
                                Keys.REPORT_STATES,
                                reports.stream().map(Report::id).toArray()))
                        .map(reply -> reply.items().stream().map(Handling::of).toList());
    }

    /** A page of open or of resolved reports, the newest first: those that are wanted. */
    public Future<Page<Report>> page(boolean resolved, PageRequest page, Predicate<Report> wanted) {
        String key = resolved ? Keys.RESOLVED_REPORTS : Keys.REPORTS;
        return SortedSetPager.page(redis, key, page, members -> {
            Map<String, Report> shown = new HashMap<>();
            for (SortedSetPager.Member member : members) {
                Report report = Report.of(member.score(), member.name());
                if (wanted.test(report)) {
                    shown.put(member.name(), report);
                }
            }
            return Future.succeededFuture(shown);
        });
    }

    /** Gives a report to a moderator, or back (0); whether there is such a report. */
    public Future<Boolean> assign(long id, long moderator) {
        return change(id, "assign", Long.toString(moderator));
    }

    /** Classifies a report; whether there is such a report. */
    public Future<Boolean> classify(long id, ReportCategory category) {
        return change(id, "classify", category.stored());
    }

    /**
     * Resolves a report; whether there is such a report. Its reporter may send another one in its place. The newest
     * {@value #RESOLVED_MAX} are kept.
     *
     * @param by the account of a moderator; 0 = an operator
     */
    public Future<Boolean> resolve(long id, long by) {
        return change(id, "resolve", Long.toString(by));
    }

    /** Opens a resolved report again, unless {@link #MAX} are open; whether there is such a report. */
    public Future<Boolean> reopen(long id) {
        return change(id, "reopen", "0");
    }

    private Future<Boolean> change(long id, String change, String value) {
        return findAny(id)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(false)
                        : redis.sendSafely(CHANGE.call(
                                        List.of(
                                                Keys.REPORTS,
                                                Keys.REPORTERS,
                                                Keys.REPORTS_OWN,
                                                Keys.REPORT_COUNTS,
                                                Keys.RESOLVED_REPORTS,
                                                Keys.REPORT_STATES),
                                        "",
                                        id,
                                        found.get().reporter(),
                                        change,
                                        value,
                                        max,
                                        RESOLVED_MAX))
                                .map(Reports::changed));
    }

    private static boolean changed(Reply answer) {
        if (answer.asLong() < 0) {
            throw new Refusal(
                    Reason.INVALID,
                    "As many reports are open as the server keeps: resolve some before you reopen one.");
        }
        return answer.asLong() == 1;
    }

    /** Resolves an open report in the name of an operator; whether there was one. */
    public Future<Boolean> close(long id) {
        return find(id).compose(found -> found.isEmpty() ? Future.succeededFuture(false) : resolve(id, /* by= */ 0));
    }
}

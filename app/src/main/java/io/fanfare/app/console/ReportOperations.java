package io.fanfare.app.console;

import io.fanfare.api.report.Reports;
import io.fanfare.api.report.Reports.Report;
import io.fanfare.app.operate.ModerationReport;
import io.fanfare.app.operate.PostReport;
import io.fanfare.app.operate.PostReport.Named;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Accounts.Inspected;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Shows and closes the reports of users, like {@code fanfare admin reports}, and deletes single posts. One event loop.
 */
final class ReportOperations {
    private static final int SHOWN = 100;
    private static final int REPORT_MAX = 999_999_999;

    /** Posts of which the text is shown, and how much of it. */
    private static final int TEXTS_MAX = 500;

    private static final int TEXT_CHARS = 300;

    private final Stores stores;
    private final Shards shards;
    private final Settings settings;
    private final SecureRandom random;

    ReportOperations(Stores stores, Shards shards, Settings settings, SecureRandom random) {
        this.stores = stores;
        this.shards = shards;
        this.settings = settings;
        this.random = random;
    }

    List<Operation> operations() {
        return List.of(
                Operation.get("reports", List.of(), given -> list()).forOperators(),
                Operation.moderation("reports/close", List.of("report", "why"), this::close),
                Operation.moderation("post/delete", List.of("status", "why"), this::delete));
    }

    /** The oldest, with the names of who reports whom. */
    private Future<JsonObject> list() {
        return stores.link().compose(redis -> new Reports(redis).list(SHOWN).compose(reports -> named(redis, reports)));
    }

    private Future<JsonObject> named(RedisLink redis, List<Report> reports) {
        List<Long> ids = reports.stream()
                .flatMap(report -> Stream.of(report.reporter(), report.account()))
                .distinct()
                .toList();
        List<Long> posts = reports.stream()
                .flatMap(report -> report.statuses().stream())
                .distinct()
                .limit(TEXTS_MAX)
                .toList();
        Future<Map<Long, Inspected>> accounts = new Accounts(redis, shards, random).inspect(ids);
        // A report without its texts is better than none.
        Future<Map<Long, String>> texts = posts(redis)
                .compose(report -> report.beginnings(posts, TEXT_CHARS))
                .otherwise(Map.of());
        return Future.all(accounts, texts).map(both -> {
            JsonArray all = new JsonArray();
            reports.forEach(report -> all.add(json(report, accounts.result(), texts.result())));
            return new JsonObject().put("reports", all);
        });
    }

    private Future<PostReport> posts(RedisLink redis) {
        return stores.queue().map(queue -> PostReport.of(redis, settings, shards, stores.archive(), queue, random));
    }

    private JsonObject json(Report report, Map<Long, Inspected> accounts, Map<Long, String> texts) {
        JsonObject reported = json(report.account(), accounts);
        JsonArray statuses = new JsonArray();
        for (long status : report.statuses()) {
            JsonObject shown = new JsonObject()
                    .put("id", Long.toString(status))
                    .put("url", settings.http().publicUrl() + "/@" + reported.getString("username") + "/" + status);
            statuses.add(texts.containsKey(status) ? shown.put("text", texts.get(status)) : shown);
        }
        return new JsonObject()
                .put("id", report.id())
                .put("at", Terminal.time(report.atMillis()))
                .put("category", report.category().name())
                .put("reporter", json(report.reporter(), accounts))
                .put("account", reported)
                .put("statuses", statuses)
                .put("comment", report.comment());
    }

    /** An account that is gone has its id in place of its name. */
    private static JsonObject json(long id, Map<Long, Inspected> accounts) {
        Inspected found = accounts.get(id);
        return new JsonObject()
                .put("id", Long.toString(id))
                .put(
                        "username",
                        found == null ? Long.toString(id) : found.account().username());
    }

    private Future<JsonObject> close(Arguments given, Actor by) {
        int id = given.requiredNumber("report", 1, REPORT_MAX);
        return stores.link().compose(redis -> new ModerationReport(redis, shards, settings, random)
                .closeReport(by, id, given.text("why")));
    }

    private Future<JsonObject> delete(Arguments given, Actor by) {
        Named post = Named.read(given.text("status"))
                .orElseThrow(() -> Arguments.malformed("status must be the id of a status, or its address."));
        return stores.link()
                .compose(this::posts)
                .compose(report -> report.delete(post, by, given.text("why"), /* notice= */ null));
    }
}

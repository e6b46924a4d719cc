package io.fanfare.app.operate;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Warning;
import io.fanfare.common.model.Warning.Appeal.State;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Accounts.Inspected;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.LoopStores;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.AppealDecisions;
import io.fanfare.core.moderation.Appeals;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Restrictions;
import io.fanfare.core.post.Announcer;
import io.fanfare.core.posting.Editing;
import io.fanfare.core.posting.PostGate;
import io.fanfare.core.queue.JobQueue;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/** Appeals against warnings, for an operator, who approves and rejects them. For a link's event loop. */
public final class AppealReport {
    private final Accounts accounts;
    private final Appeals appeals;
    private final AppealDecisions decisions;

    public AppealReport(LoopStores stores, JobQueue queue) {
        this.accounts = stores.accounts();
        Warnings warnings = stores.notifications().warnings();
        this.appeals = new Appeals(stores.redis(), warnings, stores.parts().clock());
        this.decisions = new AppealDecisions(
                warnings,
                appeals,
                new Restrictions(stores.redis(), stores.statuses(), stores.publicTimelines(), stores.follows()),
                new AccountAccess(stores.redis()),
                stores.statuses(),
                new Editing(stores, new Announcer(stores.events(), queue), PostGate.OPEN)::mark,
                new ModerationLog(stores.redis(), stores.settings().log().auditEntries()),
                Mails.of(stores.redis(), stores.settings()));
    }

    /**
     * The appeals that wait, those against the newest warnings first, for programs: {@code appeals}, and {@code next},
     * the cursor of the next page, where there are more.
     *
     * @param before the id of a warning, exclusive
     */
    public Future<JsonObject> page(long before, int max) {
        return appeals.page(PageRequest.olderThan(before, max)).compose(page -> accounts.inspect(
                        page.items().stream().map(Warning::account).distinct().toList())
                .map(people -> {
                    JsonArray all = new JsonArray();
                    page.items().forEach(warning -> all.add(json(warning, people)));
                    return ReportPage.of("appeals", all, page.next());
                }));
    }

    private static JsonObject json(Warning warning, Map<Long, Inspected> people) {
        Inspected found = people.get(warning.account());
        return new JsonObject()
                .put("id", Long.toString(warning.id()))
                .put("at", Terminal.time(warning.appeal().atMillis()))
                .put("account", Long.toString(warning.account()))
                .put("username", found == null ? "" : found.account().username())
                .put("action", warning.action().wire())
                .put("message", warning.text())
                .put(
                        "statuses",
                        new JsonArray(
                                warning.statuses().stream().map(String::valueOf).toList()))
                .put("text", warning.appeal().text());
    }

    /** One for people, in a line. */
    public static String line(JsonObject one) {
        return one.getString("account") + " " + one.getString("id") + "  " + one.getString("at") + "  "
                + one.getString("username") + "  " + one.getString("action") + "  "
                + Terminal.printable(one.getString("text"));
    }

    /**
     * Approves the appeal of an account, or rejects it, for programs: the account and the warning. See
     * {@link AppealDecisions#decide}.
     *
     * @param account by name or id
     */
    public Future<JsonObject> decide(Actor by, String account, long warning, boolean approve, String why) {
        return AccountReport.id(accounts, account)
                .compose(id -> decisions.require(id, warning))
                .compose(found -> decisions
                        .decide(by, found, approve ? State.APPROVED : State.REJECTED, why)
                        .map(done -> new JsonObject()
                                .put("id", Long.toString(warning))
                                .put("account", Long.toString(found.account()))));
    }
}

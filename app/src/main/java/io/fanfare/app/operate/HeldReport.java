package io.fanfare.app.operate;

import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.core.LoopStores;
import io.fanfare.core.held.HeldStatus;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.function.Function;

/** Posts that wait for a moderator, for an operator, who approves and rejects them. For a link's event loop. */
public final class HeldReport {
    private static final int LINE_CHARACTERS = 60;

    private final HeldStatuses held;
    private final Accounts accounts;
    private final ModerationLog log;

    public HeldReport(LoopStores stores) {
        this.held = new HeldStatuses(stores);
        this.accounts = stores.accounts();
        this.log = new ModerationLog(stores.redis(), stores.settings().log().auditEntries());
    }

    /**
     * The newest posts that wait, for programs: {@code held}, and {@code next}, the cursor of the next page, where
     * there are more.
     *
     * @param before an id, exclusive
     */
    public Future<JsonObject> page(long before, int max) {
        return held.page(PageRequest.olderThan(before, max)).compose(page -> accounts.inspect(
                        page.items().stream().map(HeldStatus::author).distinct().toList())
                .map(authors -> json(page, authors)));
    }

    private static JsonObject json(Page<HeldStatus> page, Map<Long, Accounts.Inspected> authors) {
        JsonArray all = new JsonArray();
        page.items().forEach(one -> {
            Accounts.Inspected author = authors.get(one.author());
            all.add(json(one, author == null ? "" : author.account().username()));
        });
        return ReportPage.of("held", all, page.next());
    }

    private static JsonObject json(HeldStatus held, String author) {
        return new JsonObject()
                .put("id", Long.toString(held.id()))
                .put("at", Terminal.time(held.sinceMillis()))
                .put("ends_at", Terminal.time(held.endsMillis()))
                .put("account", Long.toString(held.author()))
                .put("username", author)
                .put("signal", held.signal().wire())
                .put("reason", held.signal().reason())
                .put("spoiler_text", held.status().words().spoilerText())
                .put("text", held.status().words().text());
    }

    /** One for people, in a line. */
    public static String line(JsonObject one) {
        return one.getString("id") + "  " + one.getString("at") + "  " + one.getString("username") + "  "
                + one.getString("signal") + "  "
                + Terminal.beginning(Terminal.printable(one.getString("text")), LINE_CHARACTERS);
    }

    /** Approves a post, for programs: the post and its author. See {@link HeldStatuses#approve}. */
    public Future<JsonObject> approve(Actor by, long id, boolean trust, String why) {
        return decide(
                by, "held.approve", id, why, trust ? " trust" : "", found -> held.approve(found.author(), id, trust));
    }

    /** Rejects a post, for programs: the post and its author. See {@link HeldStatuses#reject}. */
    public Future<JsonObject> reject(Actor by, long id, String notice, String why) {
        return decide(by, "held.reject", id, why, "", found -> held.reject(found.author(), id, notice));
    }

    private Future<JsonObject> decide(
            Actor by, String action, long id, String why, String detail, Function<HeldStatus, Future<Void>> work) {
        return held.find(id).map(found -> found.orElseThrow(HeldReport::none)).compose(found -> {
            Act act = Act.on(by, action, found.author(), why)
                    .withDetail(found.signal().wire() + detail);
            return log.during(act, () -> work.apply(found)).map(done -> new JsonObject()
                    .put("id", Long.toString(id))
                    .put("account", Long.toString(found.author())));
        });
    }

    private static Refusal none() {
        return new Refusal(
                Refusal.Reason.NOT_FOUND,
                "No such post is in the list: it was decided or withdrawn, was never there, or its account is suspended."
                        + " A post comes back within an hour after the suspension is lifted.");
    }
}

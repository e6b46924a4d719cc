package io.fanfare.app.console;

import io.fanfare.app.operate.ModerationReport;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Role;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.ModerationLog.Filter;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.util.List;

/** Roles and the log of acts, like {@code fanfare admin role} and {@code audit}. One event loop. */
final class ModerationOperations {
    private static final int SHOWN = 100;

    private final Stores stores;
    private final Shards shards;
    private final Settings settings;
    private final SecureRandom random;

    ModerationOperations(Stores stores, Shards shards, Settings settings, SecureRandom random) {
        this.stores = stores;
        this.shards = shards;
        this.settings = settings;
        this.random = random;
    }

    List<Operation> operations() {
        return List.of(
                Operation.get("roles", List.of(), given -> report().compose(ModerationReport::roles)
                        .map(roles -> new JsonObject().put("roles", roles))),
                restriction("accounts/limit", Kind.LIMITED, true),
                restriction("accounts/unlimit", Kind.LIMITED, false),
                restriction("accounts/sensitive", Kind.SENSITIZED, true),
                restriction("accounts/unsensitive", Kind.SENSITIZED, false),
                Operation.moderation("role/set", List.of("account", "role", "why"), this::setRole),
                Operation.get("audit", List.of("before", "account", "by", "action"), this::log)
                        .forOperators());
    }

    private Operation restriction(String path, Kind kind, boolean on) {
        return Operation.moderation(path, List.of("account", "why"), (given, by) -> report().compose(report ->
                report.account(given.text("account"))
                        .compose(id -> report.restrict(by, Operation.action(path), id, kind, on, given.text("why")))));
    }

    private Future<ModerationReport> report() {
        return stores.link().map(redis -> new ModerationReport(redis, shards, settings, random));
    }

    private Future<JsonObject> setRole(Arguments given, Actor by) {
        Role role = ModerationReport.role(given.text("role"));
        return report().compose(report ->
                report.account(given.text("account")).compose(id -> report.setRole(by, id, role, given.text("why"))));
    }

    private Future<JsonObject> log(Arguments given) {
        String before = given.text("before");
        if (!before.isEmpty() && !ModerationLog.isPlace(before)) {
            throw Arguments.malformed("before must be the id of an entry.");
        }
        return report().compose(report -> report.accountOrNone(given.text("account"))
                .compose(account -> report.accountOrNone(given.text("by"))
                        .compose(by -> report.log(new Filter(by, account, given.text("action")), before, SHOWN))));
    }
}

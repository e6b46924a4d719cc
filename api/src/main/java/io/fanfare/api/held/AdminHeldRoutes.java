package io.fanfare.api.held;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.feature.Reasons;
import io.fanfare.api.feature.Staff;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.core.held.HeldStatus;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.server.http.AuditLog;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Moderators approve and reject posts that wait. Each act is in the log of acts. */
final class AdminHeldRoutes {
    private static final int LIMIT = 40;
    private static final Access READ = Access.user("admin:read:reports");
    private static final Access WRITE = Access.user("admin:write:reports");

    private final Staff staff;
    private final HeldStatuses held;
    private final Accounts accounts;
    private final HeldJson json;
    private final ModerationLog log;
    private final AuditLog audit;
    private final Settings.Limits limits;
    private final String publicUrl;

    AdminHeldRoutes(
            Staff staff,
            HeldStatuses held,
            Accounts accounts,
            HeldJson json,
            ModerationLog log,
            AuditLog audit,
            Settings.Limits limits,
            String publicUrl) {
        this.staff = staff;
        this.held = held;
        this.accounts = accounts;
        this.json = json;
        this.log = log;
        this.audit = audit;
        this.limits = limits;
        this.publicUrl = publicUrl;
    }

    /** The account is in the path, since a post that waits is kept beside its author. */
    List<Endpoint> endpoints() {
        String one = "/api/v1/admin/accounts/:id/held_statuses/:name";
        return List.of(
                get("/api/v1/admin/held_statuses", READ, this::list),
                post(one + "/approve", WRITE, this::approve),
                post(one + "/reject", WRITE, this::reject));
    }

    private Future<Answer> list(Call call) {
        return staff.require(call, Role.Permission.MANAGE_REPORTS)
                .compose(may -> held.page(call.parameters().page(LIMIT, limits.pageMax())))
                .compose(page -> accounts.load(page.items().stream()
                                .map(HeldStatus::author)
                                .distinct()
                                .toList())
                        .map(people -> Answer.array(
                                        shown(page.items(), people),
                                        (out, one) -> json.write(out, one, people.get(one.author())))
                                .link(Links.of(publicUrl, call, page))));
    }

    private static List<HeldStatus> shown(List<HeldStatus> page, Map<Long, Account> people) {
        return page.stream().filter(one -> people.containsKey(one.author())).toList();
    }

    private Future<Answer> approve(Call call) {
        boolean trust = call.parameters().flag("trust", false);
        String why = Reasons.of(call.parameters(), "why");
        return act(call, "held.approve", why, trust ? " trust" : "", () -> held.approve(call.id(), id(call), trust));
    }

    private Future<Answer> reject(Call call) {
        String text = Reasons.of(call.parameters(), "text");
        String why = Reasons.why(call.parameters(), text);
        return act(call, "held.reject", why, "", () -> held.reject(call.id(), id(call), text));
    }

    private static long id(Call call) {
        return Id.parse(call.pathName());
    }

    private Future<Answer> act(Call call, String action, String why, String detail, Supplier<Future<Void>> work) {
        return staff.requireOver(call, Role.Permission.MANAGE_REPORTS, call.id())
                .compose(may -> id(call) <= 0
                        ? Future.<HeldStatus>failedFuture(Refusal.unknown())
                        : held.find(call.id(), id(call)).map(found -> found.orElseThrow(Refusal::unknown)))
                .compose(found -> {
                    audit.note(call.request(), AuditLog.Event.MODERATED, AuditLog.Subject.of(call.principal()));
                    Act act = Act.on(Actor.account(call.viewer()), action, call.id(), why)
                            .withDetail(found.signal().wire() + detail);
                    return log.during(act, work);
                })
                .map(Answer.EMPTY_OBJECT);
    }
}

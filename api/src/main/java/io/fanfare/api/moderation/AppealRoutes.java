package io.fanfare.api.moderation;

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
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.model.Warning;
import io.fanfare.common.model.Warning.Appeal.State;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.AppealDecisions;
import io.fanfare.core.moderation.Appeals;
import io.fanfare.server.http.AuditLog;
import io.vertx.core.Future;
import java.util.List;

/** Moderators decide appeals. See {@link AppealDecisions}. */
final class AppealRoutes {
    private static final int LIMIT = 40;
    private static final Access READ = Access.user("admin:read:reports");
    private static final Access WRITE = Access.user("admin:write:reports");

    private final Staff staff;
    private final Notices notices;
    private final Appeals appeals;
    private final AppealDecisions decisions;
    private final AuditLog audit;
    private final Settings.Limits limits;
    private final String publicUrl;

    AppealRoutes(
            Staff staff,
            Notices notices,
            Appeals appeals,
            AppealDecisions decisions,
            AuditLog audit,
            Settings.Limits limits,
            String publicUrl) {
        this.staff = staff;
        this.notices = notices;
        this.appeals = appeals;
        this.decisions = decisions;
        this.audit = audit;
        this.limits = limits;
        this.publicUrl = publicUrl;
    }

    List<Endpoint> endpoints() {
        String one = "/api/v1/admin/accounts/:id/appeals/:name";
        return List.of(
                get("/api/v1/admin/appeals", READ, this::list),
                post(one + "/approve", WRITE, call -> decide(call, State.APPROVED)),
                post(one + "/reject", WRITE, call -> decide(call, State.REJECTED)));
    }

    private Future<Answer> list(Call call) {
        return staff.require(call, Role.Permission.MANAGE_REPORTS)
                .compose(may -> appeals.page(call.parameters().page(LIMIT, limits.pageMax())))
                .compose(page ->
                        notices.answer(page.items()).map(answer -> answer.link(Links.of(publicUrl, call, page))));
    }

    /** The account is in the path, since a warning is kept beside its account. */
    private Future<Answer> decide(Call call, State decision) {
        long account = call.id();
        long id = Id.parse(call.pathName());
        String why = Reasons.of(call.parameters(), "why");
        return staff.requireOver(call, Role.Permission.MANAGE_REPORTS, account)
                .compose(may ->
                        id <= 0 ? Future.<Warning>failedFuture(Refusal.unknown()) : decisions.require(account, id))
                .compose(warning -> {
                    audit.note(call.request(), AuditLog.Event.MODERATED, AuditLog.Subject.of(call.principal()));
                    return decisions.decide(Actor.account(call.viewer()), warning, decision, why);
                })
                .compose(done -> notices.answer(account, id));
    }
}

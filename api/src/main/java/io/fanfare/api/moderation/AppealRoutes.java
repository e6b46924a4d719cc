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
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.model.Warning;
import io.fanfare.common.model.Warning.Appeal.State;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.Appeals;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Restrictions;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.fanfare.core.posting.Editing;
import io.fanfare.server.http.AuditLog;
import io.vertx.core.Future;
import java.util.List;

/**
 * Moderators decide appeals. The decision is kept first, then what follows from it is done, then the appeal leaves the
 * list: a repetition of the same decision completes what was cut off, and does nothing once the appeal has left.
 */
final class AppealRoutes {
    private static final int LIMIT = 40;
    private static final Access READ = Access.user("admin:read:reports");
    private static final Access WRITE = Access.user("admin:write:reports");

    private final Staff staff;
    private final Notices notices;
    private final Appeals appeals;
    private final Restrictions restrictions;
    private final AccountAccess access;
    private final Statuses statuses;
    private final Editing editing;
    private final ModerationLog log;
    private final AuditLog audit;
    private final Settings.Limits limits;
    private final String publicUrl;

    AppealRoutes(
            Staff staff,
            Notices notices,
            Appeals appeals,
            Restrictions restrictions,
            AccountAccess access,
            Statuses statuses,
            Editing editing,
            ModerationLog log,
            AuditLog audit,
            Settings.Limits limits,
            String publicUrl) {
        this.staff = staff;
        this.notices = notices;
        this.appeals = appeals;
        this.restrictions = restrictions;
        this.access = access;
        this.statuses = statuses;
        this.editing = editing;
        this.log = log;
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
                .compose(may -> id <= 0
                        ? Future.failedFuture(Refusal.unknown())
                        : notices.store().find(account, id))
                .map(found -> found.filter(warning -> warning.appeal() != null).orElseThrow(Refusal::unknown))
                .compose(warning -> {
                    audit.note(call.request(), AuditLog.Event.MODERATED, AuditLog.Subject.of(call.principal()));
                    String verb = decision == State.APPROVED ? "appeals.approve" : "appeals.reject";
                    Act act = Act.on(Actor.account(call.viewer()), verb, account, why)
                            .withDetail(warning.action().wire());
                    return log.during(act, () -> decide(warning, decision));
                })
                .compose(done -> notices.answer(account, id));
    }

    private Future<Void> decide(Warning warning, State decision) {
        return appeals.waits(warning.account(), warning.id())
                .compose(waits -> notices.store()
                        .decide(warning.account(), warning.id(), decision)
                        .compose(done ->
                                waits && decision == State.APPROVED ? takeBack(warning) : Future.succeededFuture())
                        .compose(done -> waits
                                ? notices.mailDecision(warning.account(), warning.id())
                                : Future.succeededFuture()))
                .compose(done -> appeals.remove(warning.account(), warning.id()));
    }

    /** A message was read, and a deleted post stays deleted. */
    private Future<?> takeBack(Warning warning) {
        return switch (warning.action()) {
            case NONE, DELETE_STATUSES -> Future.succeededFuture();
            case SENSITIVE -> restrictions.set(warning.account(), Kind.SENSITIZED, false);
            case SILENCE -> restrictions.set(warning.account(), Kind.LIMITED, false);
            case SUSPEND -> access.unsuspend(warning.account());
            case MARK_STATUSES_AS_SENSITIVE ->
                statuses.load(warning.statuses())
                        .compose(living -> Future.join(living.values().stream()
                                .map(status -> editing.mark(status, false))
                                .toList()));
        };
    }
}

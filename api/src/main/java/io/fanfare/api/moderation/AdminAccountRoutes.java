package io.fanfare.api.moderation;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.feature.Reasons;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.feature.Staff;
import io.fanfare.api.moderation.AdminAccountJson.Shown;
import io.fanfare.api.report.Reports.Report;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.store.Applicants;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.Approvals;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Restrictions;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.fanfare.server.http.AuditLog;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Mastodon's admin/accounts: moderators find accounts and act on them. */
final class AdminAccountRoutes {
    private static final int LIMIT = 100;
    private static final int LIMIT_MAX = 200;
    private static final Access READ = Access.user("admin:read:accounts");
    private static final Access WRITE = Access.user("admin:write:accounts");

    private final Staff staff;
    private final AdminAccounts accounts;
    private final AccountAccess access;
    private final Restrictions restrictions;
    private final Approvals approvals;
    private final ModerationLog log;
    private final AdminReports reports;
    private final Notices notices;
    private final AuditLog audit;
    private final AdminAccountJson view;
    private final String publicUrl;

    AdminAccountRoutes(
            Staff staff,
            AdminAccounts accounts,
            AccountAccess access,
            Restrictions restrictions,
            Approvals approvals,
            ModerationLog log,
            AdminReports reports,
            Notices notices,
            AuditLog audit,
            AdminAccountJson view,
            String publicUrl) {
        this.staff = staff;
        this.accounts = accounts;
        this.access = access;
        this.restrictions = restrictions;
        this.approvals = approvals;
        this.log = log;
        this.reports = reports;
        this.notices = notices;
        this.audit = audit;
        this.view = view;
        this.publicUrl = publicUrl;
    }

    List<Endpoint> endpoints() {
        String one = "/api/v1/admin/accounts/:id";
        return List.of(
                get("/api/v1/admin/accounts", READ, call -> list(call, AccountQuery.first(call.parameters()))),
                get("/api/v2/admin/accounts", READ, call -> list(call, AccountQuery.second(call.parameters()))),
                get(one, READ, call -> staff.require(call, Role.Permission.MANAGE_USERS)
                        .compose(may -> accounts.require(call.id()))
                        .map(this::answer)),
                delete(one, WRITE, this::erase),
                post(one + "/action", WRITE, this::act),
                post(one + "/approve", WRITE, call -> decide(call, "approve", approvals::approve))
                        .withoutBody(),
                post(one + "/reject", WRITE, call -> decide(call, "reject", approvals::reject))
                        .withoutBody(),
                post(one + "/enable", WRITE, call -> over(call, Role.Permission.MANAGE_USERS)
                                .map(this::answer))
                        .withoutBody(),
                post(
                                one + "/unsilence",
                                WRITE,
                                call -> lift(call, "unlimit", id -> restrictions.set(id, Kind.LIMITED, false)))
                        .withoutBody(),
                post(
                                one + "/unsensitive",
                                WRITE,
                                call -> lift(call, "unsensitive", id -> restrictions.set(id, Kind.SENSITIZED, false)))
                        .withoutBody(),
                post(one + "/unsuspend", WRITE, this::unsuspend).withoutBody());
    }

    private Answer answer(Shown shown) {
        return Answer.json(json -> view.write(json, shown));
    }

    private Future<Answer> list(Call call, AccountQuery query) {
        return staff.require(call, Role.Permission.MANAGE_USERS)
                .compose(may -> accounts.page(query, call.parameters().page(LIMIT, LIMIT_MAX)))
                .map(page -> Answer.array(page.items(), view::write).link(Links.of(publicUrl, call, page)));
    }

    /** The account of the path, which the caller's role must reach. */
    private Future<Shown> over(Call call, int permission) {
        return any(call, permission).map(found -> {
            if (found.inspected().isApplicant()) {
                throw notAllowed("the account is pending: approve or reject it.");
            }
            return found;
        });
    }

    /** The same, be it an applicant. */
    private Future<Shown> any(Call call, int permission) {
        return staff.requireOver(call, permission, call.id()).compose(may -> accounts.require(call.id()));
    }

    /** Logs an act, then does it. */
    private <T> Future<T> during(Call call, Act act, Supplier<Future<T>> work) {
        audit.note(call.request(), AuditLog.Event.MODERATED, AuditLog.Subject.of(call.principal()));
        return log.during(act, work);
    }

    private static Act act(Call call, String verb, String why) {
        return Act.on(Actor.account(call.viewer()), "accounts." + verb, call.id(), why);
    }

    private Future<Answer> lift(Call call, String verb, Function<Long, Future<Boolean>> work) {
        return over(call, Role.Permission.MANAGE_USERS)
                .compose(before -> during(call, act(call, verb, ""), () -> work.apply(call.id())))
                .compose(done -> accounts.require(call.id()))
                .map(this::answer);
    }

    private Future<Answer> unsuspend(Call call) {
        return over(call, Role.Permission.MANAGE_USERS).compose(before -> {
            if (before.inspected().suspendedAt() == 0) {
                throw notAllowed("the account is not suspended.");
            }
            return lift(call, "unsuspend", access::unsuspend);
        });
    }

    /** Only about an applicant, as in Mastodon. A rejected account is answered as it was. */
    private Future<Answer> decide(Call call, String verb, Function<Long, Future<Void>> work) {
        return any(call, Role.Permission.MANAGE_USERS).compose(before -> {
            if (!before.inspected().isApplicant()) {
                throw Applicants.notPending();
            }
            return during(call, act(call, verb, ""), () -> work.apply(call.id()))
                    .compose(done ->
                            verb.equals("approve") ? accounts.require(call.id()) : Future.succeededFuture(before))
                    .map(this::answer);
        });
    }

    /** For good, and only a suspended account, as in Mastodon. */
    private Future<Answer> erase(Call call) {
        return over(call, Role.Permission.DELETE_USER_DATA).compose(before -> {
            if (before.inspected().suspendedAt() == 0) {
                throw notAllowed("suspend the account first.");
            }
            return staff.requireConfirmed(call, SecondFactors.CONFIRMED_STAFF)
                    .compose(may -> during(call, act(call, "delete", ""), () -> access.delete(call.id())))
                    .map(answer(before));
        });
    }

    private static Refusal notAllowed(String sentence) {
        return new Refusal(Refusal.Reason.FORBIDDEN, "This action is not allowed: " + sentence);
    }

    /** The types of Mastodon's act. */
    private Future<Answer> act(Call call) {
        String text = Reasons.of(call.parameters(), "text");
        String why = Reasons.why(call.parameters(), text);
        long report = Reasons.report(call.parameters());
        return over(call, Role.Permission.MANAGE_USERS)
                .compose(
                        target -> reports.requireAboutIfNamed(report, call.id()).compose(about -> {
                            Action action = type(call);
                            if (action != Action.NONE) {
                                Staff.checkNoOwner(target.role());
                            }
                            List<Long> posts = about.map(Report::statuses).orElse(List.of());
                            Future<Void> confirmed = action == Action.SUSPEND
                                    ? staff.requireConfirmed(call, SecondFactors.CONFIRMED_STAFF)
                                    : Future.succeededFuture();
                            Act logged = act(call, verb(action), why).withReport(report);
                            return confirmed.compose(may -> during(call, logged, () -> restrict(call.id(), action)
                                    .compose(done -> notices.warn(call.id(), action, text, posts))));
                        }))
                .compose(done -> reports.resolveIfNamed(report, call.viewer()))
                .map(Answer.EMPTY_OBJECT);
    }

    private static String verb(Action action) {
        return switch (action) {
            case NONE -> "warn";
            case SILENCE -> "limit";
            default -> action.wire();
        };
    }

    private Future<?> restrict(long account, Action action) {
        return switch (action) {
            case SENSITIVE -> restrictions.set(account, Kind.SENSITIZED, true);
            case SILENCE -> restrictions.set(account, Kind.LIMITED, true);
            case SUSPEND -> access.suspend(account);
            default -> Future.succeededFuture();
        };
    }

    private static Action type(Call call) {
        String type = call.parameters().text("type", "");
        if (!List.of("none", "sensitive", "silence", "suspend").contains(type)) {
            ValidationErrors errors = new ValidationErrors();
            errors.add(
                    "type",
                    "ERR_INCLUSION",
                    type.equals("disable")
                            ? "disable is not offered: suspend the account, or end its sessions on the command line"
                            : "must be none, sensitive, silence or suspend");
            throw errors.refusal();
        }
        return Action.of(type);
    }
}

package io.fanfare.api.moderation;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.feature.Staff;
import io.fanfare.api.report.ReportCategory;
import io.fanfare.api.report.Reports.Report;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.server.http.AuditLog;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** Mastodon's admin/reports: moderators read reports, take, classify, resolve and reopen them. */
final class AdminReportRoutes {
    private static final int LIMIT = 100;
    private static final int LIMIT_MAX = 200;
    private static final Access READ = Access.user("admin:read:reports");
    private static final Access WRITE = Access.user("admin:write:reports");

    private final Staff staff;
    private final AdminReports reports;
    private final ModerationLog log;
    private final AuditLog audit;
    private final String publicUrl;

    AdminReportRoutes(Staff staff, AdminReports reports, ModerationLog log, AuditLog audit, String publicUrl) {
        this.staff = staff;
        this.reports = reports;
        this.log = log;
        this.audit = audit;
        this.publicUrl = publicUrl;
    }

    List<Endpoint> endpoints() {
        String one = "/api/v1/admin/reports/:id";
        return List.of(
                get("/api/v1/admin/reports", READ, this::list),
                get(one, READ, call -> staff.require(call, Role.Permission.MANAGE_REPORTS)
                        .compose(may -> reports.require(call.id()))
                        .compose(report -> answer(call, report))),
                put(one, WRITE, this::classify),
                change(one, "assign_to_self", call -> reports.store().assign(call.id(), call.viewer())),
                change(one, "unassign", call -> reports.store().assign(call.id(), 0)),
                change(one, "resolve", call -> reports.store().resolve(call.id(), call.viewer())),
                change(one, "reopen", call -> reports.store().reopen(call.id())));
    }

    private Endpoint change(String one, String verb, Function<Call, Future<Boolean>> work) {
        return post(one + "/" + verb, WRITE, call -> change(call, verb, "", work))
                .withoutBody();
    }

    private Future<Answer> change(Call call, String verb, String detail, Function<Call, Future<Boolean>> work) {
        return staff.require(call, Role.Permission.MANAGE_REPORTS)
                .compose(may -> reports.require(call.id()))
                .compose(report -> {
                    audit.note(call.request(), AuditLog.Event.MODERATED, AuditLog.Subject.of(call.principal()));
                    Act act = Act.on(Actor.account(call.viewer()), "reports." + verb, report.account(), "")
                            .withReport(report.id())
                            .withDetail(detail);
                    return log.during(act, () -> work.apply(call))
                            .compose(done -> done ? answer(call, report) : Future.failedFuture(Refusal.unknown()));
                });
    }

    /** Without a category nothing is changed. */
    private Future<Answer> classify(Call call) {
        ReportCategory category = ReportCategory.of(call.parameters(), reports.site());
        return call.parameters().has("category") || !category.rules().isEmpty()
                ? change(call, "classify", category.name(), unused -> reports.store()
                        .classify(call.id(), category))
                : staff.require(call, Role.Permission.MANAGE_REPORTS)
                        .compose(may -> reports.require(call.id()))
                        .compose(report -> answer(call, report));
    }

    private Future<Answer> list(Call call) {
        long by = call.parameters().id("account_id");
        long about = call.parameters().id("target_account_id");
        return staff.require(call, Role.Permission.MANAGE_REPORTS)
                .compose(may -> reports.store()
                        .page(
                                call.parameters().flag("resolved", false),
                                call.parameters().page(LIMIT, LIMIT_MAX),
                                report -> (by == 0 || report.reporter() == by)
                                        && (about == 0 || report.account() == about)))
                .compose(page -> reports.writer(page.items(), call.viewer())
                        .map(writer ->
                                Answer.array(page.items(), writer::write).link(Links.of(publicUrl, call, page))));
    }

    private Future<Answer> answer(Call call, Report report) {
        return reports.writer(List.of(report), call.viewer())
                .map(writer -> Answer.json(json -> writer.write(json, report)));
    }
}

package io.fanfare.api.report;

import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.api.report.Reports.Report;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.fanfare.core.post.VisibleStatuses;
import io.fanfare.server.http.AuditLog;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

/** Reports of users to the operator, who reads them on the command line. */
public final class ReportRoutes {
    private final Accounts accounts;
    private final Reports reports;
    private final SiteFacts site;
    private final VisibleStatuses visible;
    private final MemoryPressure pressure;
    private final AuditLog audit;
    private final InstantSource clock;
    private final Views views;

    public ReportRoutes(
            Accounts accounts,
            Reports reports,
            SiteFacts site,
            VisibleStatuses visible,
            MemoryPressure pressure,
            AuditLog audit,
            InstantSource clock,
            Views views) {
        this.accounts = accounts;
        this.reports = reports;
        this.site = site;
        this.visible = visible;
        this.pressure = pressure;
        this.audit = audit;
        this.clock = clock;
        this.views = views;
    }

    public List<Endpoint> endpoints() {
        return List.of(post("/api/v1/reports", Access.user("write:reports"), this::report));
    }

    /** A status that is not of the account, or that the reporter may not see, is unknown. */
    private Future<Answer> report(Call call) {
        NewReport report = NewReport.of(call.parameters(), site.site());
        if (report.account() <= 0 || report.statuses().contains(-1L)) {
            throw Refusal.unknown();
        }
        pressure.checkAll();
        return accounts.require(report.account()).compose(account -> Future.all(report.statuses().stream()
                        .map(status -> ofAccount(call.viewer(), account.id(), status))
                        .toList())
                .compose(all -> reports.add(new Report(
                        0,
                        clock.millis(),
                        call.viewer(),
                        account.id(),
                        report.category(),
                        report.comment(),
                        report.statuses())))
                .map(kept -> {
                    audit.note(call.request(), AuditLog.Event.REPORTED, AuditLog.Subject.of(call.principal()));
                    return Answer.json(json -> write(json, kept, account));
                }));
    }

    private Future<Void> ofAccount(long viewer, long account, long status) {
        return visible.find(viewer, status).map(found -> {
            if (found.authorId() != account) {
                throw Refusal.unknown();
            }
            return null;
        });
    }

    /** The Mastodon entity Report. */
    private void write(JsonGenerator json, Report report, Account account) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(report.id()));
        json.writeBooleanField("action_taken", false);
        json.writeNullField("action_taken_at");
        json.writeStringField("category", report.category().name());
        json.writeStringField("comment", report.comment());
        json.writeBooleanField("forwarded", false);
        json.writeStringField("created_at", Timestamps.time(report.atMillis()));
        json.writeArrayFieldStart("status_ids");
        for (long status : report.statuses()) {
            json.writeString(Long.toString(status));
        }
        json.writeEndArray();
        if (report.category().rules().isEmpty()) {
            json.writeNullField("rule_ids");
        } else {
            json.writeArrayFieldStart("rule_ids");
            for (long rule : report.category().rules()) {
                json.writeString(Long.toString(rule));
            }
            json.writeEndArray();
        }
        json.writeFieldName("target_account");
        views.accounts().write(json, account);
        json.writeEndObject();
    }
}

package io.fanfare.api.moderation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.api.moderation.AdminAccountJson.Shown;
import io.fanfare.api.report.ReportCategory;
import io.fanfare.api.report.Reports;
import io.fanfare.api.report.Reports.Handling;
import io.fanfare.api.report.Reports.Report;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.fanfare.core.site.RuleJson;
import io.fanfare.core.site.Site;
import io.fanfare.core.view.Hydrator;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reports as moderators see them, with their accounts and statuses. */
final class AdminReports {
    /** Statuses that one answer shows, of all of its reports. */
    private static final int STATUSES_MAX = 400;

    private final Reports reports;
    private final SiteFacts site;
    private final AdminAccounts accounts;
    private final Statuses statuses;
    private final Hydrator hydrator;
    private final Views views;
    private final AdminAccountJson accountJson;

    AdminReports(
            Reports reports,
            SiteFacts site,
            AdminAccounts accounts,
            Statuses statuses,
            Hydrator hydrator,
            Views views,
            AdminAccountJson accountJson) {
        this.reports = reports;
        this.site = site;
        this.accounts = accounts;
        this.statuses = statuses;
        this.hydrator = hydrator;
        this.views = views;
        this.accountJson = accountJson;
    }

    /** The rules that a report may name. */
    Site site() {
        return site.site();
    }

    Reports store() {
        return reports;
    }

    /** Finds an open or a resolved report; fails with {@code Refusal(NOT_FOUND)} for an unknown id. */
    Future<Report> require(long id) {
        return reports.findAny(id).map(found -> found.orElseThrow(Refusal::unknown));
    }

    /** The same, which must be about this account. */
    Future<Report> requireAbout(long id, long account) {
        return require(id).map(report -> {
            if (report.account() != account) {
                throw Refusal.unknown();
            }
            return report;
        });
    }

    /** The same of the report that an act names; empty for 0. */
    Future<Optional<Report>> requireAboutIfNamed(long id, long account) {
        return id == 0
                ? Future.succeededFuture(Optional.empty())
                : requireAbout(id, account).map(Optional::of);
    }

    /** Resolves the report that an act names, unless it has been forgotten meanwhile; nothing for 0. */
    Future<Void> resolveIfNamed(long id, long moderator) {
        return id == 0
                ? Future.succeededFuture()
                : reports.resolve(id, moderator).mapEmpty();
    }

    /** Writes reports. */
    interface Writer {
        void write(JsonGenerator json, Report report) throws IOException;
    }

    /**
     * Reads the accounts and statuses of reports. Moderators see every status that still exists, whatever its
     * visibility: the reporter has sent it to them.
     *
     * @param viewer the moderator
     */
    Future<Writer> writer(List<Report> shown, long viewer) {
        List<Long> ids = shown.stream()
                .flatMap(report -> report.statuses().stream())
                .distinct()
                .limit(STATUSES_MAX)
                .toList();
        Future<List<Handling>> handlings = reports.handling(shown);
        Future<Map<Long, Status>> living = statuses.load(ids);
        return Future.all(handlings, living).compose(read -> {
            Set<Long> people = new HashSet<>();
            for (int i = 0; i < shown.size(); i++) {
                Handling handling = handlings.result().get(i);
                people.addAll(
                        List.of(shown.get(i).reporter(), shown.get(i).account(), handling.assigned(), handling.by()));
            }
            people.remove(0L);
            Future<Map<Long, Shown>> known = accounts.load(people);
            Future<RenderContext> context = hydrator.load(living.result().values(), viewer);
            return Future.all(known, context)
                    .map(both -> writer(
                            shown,
                            handlings.result(),
                            living.result(),
                            known.result(),
                            withAccounts(context.result(), known.result().values())));
        });
    }

    /** Also the statuses of suspended accounts are shown. */
    private static RenderContext withAccounts(RenderContext context, Collection<Shown> people) {
        RenderContext all = context;
        for (Shown one : people) {
            if (one.inspected().deletedAt() == 0) {
                all = all.with(one.inspected().account());
            }
        }
        return all;
    }

    /** The living statuses of each report, {@value #STATUSES_MAX} of all together, be it the same ones again. */
    private static Map<Long, List<Status>> statusesOf(
            List<Report> shown, Map<Long, Status> living, RenderContext context) {
        Map<Long, List<Status>> all = new HashMap<>();
        int room = STATUSES_MAX;
        for (Report report : shown) {
            List<Status> written = report.statuses().stream()
                    .map(living::get)
                    .filter(status -> status != null && context.covers(status))
                    .limit(room)
                    .toList();
            room -= written.size();
            all.put(report.id(), written);
        }
        return all;
    }

    private Writer writer(
            List<Report> shown,
            List<Handling> handlings,
            Map<Long, Status> living,
            Map<Long, Shown> people,
            RenderContext context) {
        Map<Long, Handling> handlingOf = new HashMap<>();
        for (int i = 0; i < shown.size(); i++) {
            handlingOf.put(shown.get(i).id(), handlings.get(i));
        }
        Map<Long, List<Status>> statusesOf = statusesOf(shown, living, context);
        return (json, report) -> {
            Handling handling = handlingOf.get(report.id());
            json.writeStartObject();
            json.writeStringField("id", Long.toString(report.id()));
            json.writeBooleanField("action_taken", handling.resolvedMillis() > 0);
            json.writeStringField(
                    "action_taken_at",
                    handling.resolvedMillis() == 0 ? null : Timestamps.time(handling.resolvedMillis()));
            ReportCategory category = handling.category() == null ? report.category() : handling.category();
            json.writeStringField("category", category.name());
            json.writeStringField("comment", report.comment());
            json.writeBooleanField("forwarded", false);
            json.writeStringField("created_at", Timestamps.time(report.atMillis()));
            json.writeStringField("updated_at", Timestamps.time(Math.max(report.atMillis(), handling.changedMillis())));
            account(json, "account", people.get(report.reporter()));
            account(json, "target_account", people.get(report.account()));
            account(json, "assigned_account", people.get(handling.assigned()));
            account(json, "action_taken_by_account", people.get(handling.by()));
            json.writeArrayFieldStart("statuses");
            for (Status status : statusesOf.get(report.id())) {
                views.statuses().write(json, status, context);
            }
            json.writeEndArray();
            json.writeFieldName("rules");
            RuleJson.write(
                    json,
                    category.rules().stream()
                            .flatMap(rule -> site.site().ruleOfReport(rule).stream())
                            .toList());
            json.writeEndObject();
        };
    }

    private void account(JsonGenerator json, String name, Shown shownOrNull) throws IOException {
        json.writeFieldName(name);
        if (shownOrNull == null) {
            json.writeNull();
        } else {
            accountJson.write(json, shownOrNull);
        }
    }
}

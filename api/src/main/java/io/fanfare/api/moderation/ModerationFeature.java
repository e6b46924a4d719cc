package io.fanfare.api.moderation;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.report.Reports;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Restrictions;
import io.fanfare.core.moderation.Roles;
import java.util.List;
import java.util.stream.Stream;

/** Moderation by accounts that have a role. */
public final class ModerationFeature implements ApiFeature {
    private final RoleRoutes roles;
    private final LogRoutes log;
    private final AdminAccountRoutes accounts;
    private final AdminReportRoutes reports;

    public ModerationFeature(ApiLoop loop) {
        ModerationLog acts =
                new ModerationLog(loop.redis(), loop.settings().log().auditEntries());
        Roles known = new Roles(loop.redis(), acts);
        Staff staff = new Staff(known);
        AdminAccountJson accountJson = new AdminAccountJson(loop.views());
        AdminAccounts people = new AdminAccounts(loop.redis(), loop.accounts(), known);
        AdminReports shown = new AdminReports(
                new Reports(loop.redis()),
                people,
                loop.statuses(),
                loop.stores().hydrator(),
                loop.views(),
                accountJson);
        this.roles = new RoleRoutes(staff, known, loop.accounts(), loop.audit());
        this.log = new LogRoutes(staff, acts);
        this.accounts = new AdminAccountRoutes(
                staff,
                people,
                new AccountAccess(loop.redis()),
                new Restrictions(
                        loop.redis(),
                        loop.statuses(),
                        loop.stores().publicTimelines(),
                        loop.stores().follows()),
                acts,
                shown,
                loop.audit(),
                accountJson,
                loop.publicUrl());
        this.reports = new AdminReportRoutes(staff, shown, acts, loop.audit(), loop.publicUrl());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(roles.endpoints(), log.endpoints(), accounts.endpoints(), reports.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}

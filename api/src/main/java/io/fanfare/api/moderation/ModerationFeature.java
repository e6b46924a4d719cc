package io.fanfare.api.moderation;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.api.feature.Staff;
import io.fanfare.api.report.Reports;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.account.Invitations;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.moderation.AppealDecisions;
import io.fanfare.core.moderation.Appeals;
import io.fanfare.core.moderation.Approvals;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.ModeratorNotes;
import io.fanfare.core.moderation.Restrictions;
import io.fanfare.core.moderation.Roles;
import io.fanfare.core.moderation.SelectionSearch;
import io.fanfare.core.moderation.Selections;
import io.fanfare.core.queue.JobQueue;
import java.util.List;
import java.util.stream.Stream;

/** Moderation by accounts that have a role. */
public final class ModerationFeature implements ApiFeature {
    private final RoleRoutes roles;
    private final LogRoutes log;
    private final AdminAccountRoutes accounts;
    private final AdminReportRoutes reports;
    private final AdminStatusRoutes statuses;
    private final WarningRoutes warnings;
    private final AppealRoutes appeals;
    private final InvitationRoutes invitations;
    private final SelectionRoutes selections;
    private final ModeratorNoteRoutes notes;

    public ModerationFeature(ApiLoop loop, SecondFactors factors, SiteFacts site) {
        ModerationLog acts =
                new ModerationLog(loop.redis(), loop.settings().log().auditEntries());
        Roles known = new Roles(loop.redis(), acts);
        Staff staff = new Staff(known, factors);
        AdminAccountJson accountJson = new AdminAccountJson(loop.views());
        AdminAccounts people = new AdminAccounts(loop.redis(), loop.accounts(), known);
        AdminReports shown = new AdminReports(
                new Reports(loop.redis()),
                site,
                people,
                loop.statuses(),
                loop.stores().hydrator(),
                loop.views(),
                accountJson);
        Warnings warned = loop.stores().notifications().warnings();
        Mails mails = Mails.of(loop.redis(), loop.settings());
        Notices notices =
                new Notices(warned, loop.stores().notificationPublisher(), loop.accounts(), loop.views(), mails);
        Appeals waiting = new Appeals(loop.redis(), warned, loop.clock());
        AccountAccess access = new AccountAccess(loop.redis());
        Restrictions restrictions = new Restrictions(
                loop.redis(),
                loop.statuses(),
                loop.stores().publicTimelines(),
                loop.stores().follows());
        this.invitations = new InvitationRoutes(
                known,
                factors,
                new Invitations(loop.redis(), loop.random()),
                acts,
                loop.settings().auth().userInvitations(),
                loop.publicUrl(),
                loop.clock());
        this.roles = new RoleRoutes(staff, known, loop.accounts(), loop.audit());
        this.log = new LogRoutes(staff, acts);
        this.accounts = new AdminAccountRoutes(
                staff,
                people,
                access,
                restrictions,
                new Approvals(loop.redis()),
                acts,
                shown,
                notices,
                loop.audit(),
                accountJson,
                loop.publicUrl());
        this.notes = new ModeratorNoteRoutes(staff, people, new ModeratorNotes(loop.redis(), acts), loop.audit());
        this.reports = new AdminReportRoutes(staff, shown, acts, loop.audit(), loop.publicUrl());
        this.statuses = new AdminStatusRoutes(
                staff, loop.statuses(), loop.deletion(), loop.editing(), notices, acts, shown, loop.audit());
        this.warnings = new WarningRoutes(notices, waiting, loop.limits(), loop.publicUrl());
        this.appeals = new AppealRoutes(
                staff,
                notices,
                waiting,
                new AppealDecisions(
                        warned, waiting, restrictions, access, loop.statuses(), loop.editing()::mark, acts, mails),
                loop.audit(),
                loop.limits(),
                loop.publicUrl());
        SignUpNetworks networks = new SignUpNetworks(
                loop.redis(), loop.keys(), loop.settings().auth().signUpAddressDays());
        this.selections = new SelectionRoutes(
                staff,
                new Selections(loop.redis(), acts),
                () -> new SelectionSearch(loop.redis(), networks, loop.stores().events(), loop.clock()),
                people,
                loop.accounts(),
                new JobQueue(loop.redis(), loop.shards(), loop.settings().queue()),
                loop.audit(),
                new SelectionJson(accountJson));
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(
                        roles.endpoints(),
                        log.endpoints(),
                        accounts.endpoints(),
                        notes.endpoints(),
                        reports.endpoints(),
                        statuses.endpoints(),
                        warnings.endpoints(),
                        appeals.endpoints(),
                        invitations.endpoints(),
                        selections.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}

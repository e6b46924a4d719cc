package io.fanfare.api.moderation;

import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.Reasons;
import io.fanfare.api.feature.Staff;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.posting.Editing;
import io.fanfare.core.posting.StatusDeletion;
import io.fanfare.server.http.AuditLog;
import io.vertx.core.Future;
import java.util.List;

/**
 * Moderators act on single posts, and the author is warned. The warning comes before the act, as the entry of the log
 * does, so that a repetition finds what a cut off request has left: it makes no second warning, and does what is still
 * to do.
 */
final class AdminStatusRoutes {
    private static final Access WRITE = Access.user("admin:write:reports");

    private final Staff staff;
    private final Statuses statuses;
    private final StatusDeletion deletion;
    private final Editing editing;
    private final Notices notices;
    private final ModerationLog log;
    private final AdminReports reports;
    private final AuditLog audit;

    AdminStatusRoutes(
            Staff staff,
            Statuses statuses,
            StatusDeletion deletion,
            Editing editing,
            Notices notices,
            ModerationLog log,
            AdminReports reports,
            AuditLog audit) {
        this.staff = staff;
        this.statuses = statuses;
        this.deletion = deletion;
        this.editing = editing;
        this.notices = notices;
        this.log = log;
        this.reports = reports;
        this.audit = audit;
    }

    List<Endpoint> endpoints() {
        String one = "/api/v1/admin/statuses/:id";
        return List.of(
                post(one + "/delete", WRITE, call -> act(call, Action.DELETE_STATUSES)),
                post(one + "/sensitive", WRITE, call -> act(call, Action.MARK_STATUSES_AS_SENSITIVE)));
    }

    /** @param lives false = only a tombstone is left */
    private record Target(Status status, boolean lives) {
        long author() {
            return status.authorId();
        }
    }

    private Future<Target> find(long id) {
        return statuses.find(id)
                .compose(living -> living.isPresent()
                        ? Future.succeededFuture(new Target(living.get(), true))
                        : statuses.findDeleted(id).map(gone -> new Target(gone.orElseThrow(Refusal::unknown), false)));
    }

    private Future<Answer> act(Call call, Action action) {
        String text = Reasons.of(call.parameters(), "text");
        String why = Reasons.why(call.parameters(), text);
        long report = Reasons.report(call.parameters());
        // Before the look at the post: nobody without a role learns whether it exists.
        return staff.require(call, Role.Permission.MANAGE_REPORTS)
                .compose(may -> find(call.id()))
                .compose(target -> staff.requireOverUnlessOwner(call, Role.Permission.MANAGE_REPORTS, target.author())
                        .compose(may -> requirePossible(target, action))
                        .compose(possible -> reports.requireAboutIfNamed(report, target.author()))
                        .compose(about -> {
                            audit.note(call.request(), AuditLog.Event.MODERATED, AuditLog.Subject.of(call.principal()));
                            String verb = action == Action.DELETE_STATUSES ? "post.delete" : "post.sensitive";
                            Act act = Act.on(Actor.account(call.viewer()), verb, target.author(), why)
                                    .withStatus(call.id())
                                    .withReport(report);
                            return log.during(act, () -> warnAnd(action, text, target.status()));
                        }))
                .compose(answer -> reports.resolveIfNamed(report, call.viewer()).map(answer));
    }

    /** A post that is gone is acted on only to complete what was begun: an act of before has left its warning. */
    private Future<Void> requirePossible(Target target, Action action) {
        if (action == Action.MARK_STATUSES_AS_SENSITIVE && target.status().kind() == Post.Kind.REPOST) {
            return Future.failedFuture(new Refusal(
                    Refusal.Reason.INVALID,
                    "This is a repost without words of its own: mark the post that it shows, or delete the repost."));
        }
        return target.lives()
                ? Future.succeededFuture()
                : notices.requireAbout(target.author(), action, target.status().id());
    }

    private Future<Answer> warnAnd(Action action, String text, Status status) {
        return notices.warnAbout(status.authorId(), action, text, status.id())
                .compose(warning -> (action == Action.DELETE_STATUSES ? deletion.byOperator(status.id()) : mark(status))
                        .compose(done -> notices.announce(status.authorId(), warning))
                        .compose(done -> notices.answer(status.authorId(), warning)));
    }

    /** Its author may have deleted it meanwhile: then there is nothing to mark. */
    private Future<?> mark(Status status) {
        return editing.mark(status, true)
                .recover(cause -> Refusal.isFor(Refusal.Reason.NOT_FOUND, cause)
                        ? Future.succeededFuture(status)
                        : Future.failedFuture(cause));
    }
}

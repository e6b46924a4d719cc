package io.fanfare.core.moderation;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Warning;
import io.fanfare.common.model.Warning.Appeal.State;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.vertx.core.Future;
import java.util.function.BiFunction;

/**
 * Decides appeals for moderators and operators. The decision is kept first, then what follows from it is done, then the
 * appeal leaves the list: a repetition of the same decision completes what was cut off, and does nothing once the
 * appeal has left. One event loop.
 */
public final class AppealDecisions {
    private final Warnings warnings;
    private final Appeals appeals;
    private final Restrictions restrictions;
    private final AccountAccess access;
    private final Statuses statuses;
    private final BiFunction<Status, Boolean, Future<Status>> mark;
    private final ModerationLog log;
    private final Mails mails;

    /** @param mark marks a post as sensitive, or takes that back */
    public AppealDecisions(
            Warnings warnings,
            Appeals appeals,
            Restrictions restrictions,
            AccountAccess access,
            Statuses statuses,
            BiFunction<Status, Boolean, Future<Status>> mark,
            ModerationLog log,
            Mails mails) {
        this.warnings = warnings;
        this.appeals = appeals;
        this.restrictions = restrictions;
        this.access = access;
        this.statuses = statuses;
        this.mark = mark;
        this.log = log;
        this.mails = mails;
    }

    /** Loads a warning that has an appeal. Any other id fails with {@link Refusal#unknown}. */
    public Future<Warning> require(long account, long id) {
        return warnings.find(account, id)
                .map(found -> found.filter(warning -> warning.appeal() != null).orElseThrow(Refusal::unknown));
    }

    /**
     * Decides the appeal against a warning, and logs that. Fails with {@code Refusal(INVALID)} when it was decided
     * otherwise.
     *
     * @param decision approved or rejected
     */
    public Future<Void> decide(Actor by, Warning warning, State decision, String why) {
        String action = decision == State.APPROVED ? "appeals.approve" : "appeals.reject";
        Act act = Act.on(by, action, warning.account(), why)
                .withDetail(warning.action().wire());
        return log.during(act, () -> decide(warning, decision));
    }

    private Future<Void> decide(Warning warning, State decision) {
        long account = warning.account();
        return appeals.waits(account, warning.id())
                .compose(waits -> warnings.decide(account, warning.id(), decision)
                        .compose(done ->
                                waits && decision == State.APPROVED ? takeBack(warning) : Future.succeededFuture())
                        .compose(done -> waits
                                ? mails.requestSafely(account, MailKind.APPEAL, warning.id())
                                : Future.succeededFuture()))
                .compose(done -> appeals.remove(account, warning.id()));
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
                                .map(status -> mark.apply(status, false))
                                .toList()));
        };
    }
}

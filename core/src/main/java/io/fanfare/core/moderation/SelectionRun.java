package io.fanfare.core.moderation;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.fanfare.core.moderation.Selection.SelectionAct;
import io.fanfare.core.moderation.Selections.Batch;
import io.fanfare.core.notification.NotificationPublisher;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Does an act on a selection of accounts, or undoes it, a batch at a time. Each change is a script in the slot of its
 * account, which notes the number of the act: a second run of the same batch changes nothing and answers the same, and
 * an undo lifts nothing about which another act has decided since. One event loop.
 */
public final class SelectionRun {
    /** Accounts of a batch, which are changed at once. */
    private static final int BATCH = 50;

    private final Selections selections;
    private final Restrictions restrictions;
    private final AccountAccess access;
    private final Warnings warnings;
    private final NotificationPublisher publisher;
    private final int batchMax;

    public SelectionRun(
            Selections selections,
            Restrictions restrictions,
            AccountAccess access,
            Warnings warnings,
            NotificationPublisher publisher) {
        this(selections, restrictions, access, warnings, publisher, BATCH);
    }

    SelectionRun(
            Selections selections,
            Restrictions restrictions,
            AccountAccess access,
            Warnings warnings,
            NotificationPublisher publisher,
            int batchMax) {
        this.batchMax = batchMax;
        this.selections = selections;
        this.restrictions = restrictions;
        this.access = access;
        this.warnings = warnings;
        this.publisher = publisher;
    }

    /** Changes a batch; whether there is more to do. Does nothing for a selection that has ended, or that is done. */
    public Future<Boolean> step(long number) {
        return selections
                .find(number)
                .map(found -> found.filter(selection -> selection.act() != null))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(false)
                        : selections
                                .step(found.get(), Batch.NONE, List.of(), /* gone= */ 0, batchMax)
                                .compose(batch -> change(found.get(), batch)));
    }

    private Future<Boolean> change(Selection selection, Batch batch) {
        if (batch.isEmpty()) {
            return Future.succeededFuture(false);
        }
        List<Future<Optional<Boolean>>> changes = batch.accounts().stream()
                .map(account -> change(selection, account))
                .toList();
        return Future.join(changes).compose(done -> {
            List<Long> changed = new ArrayList<>();
            int gone = 0;
            for (int i = 0; i < changes.size(); i++) {
                Optional<Boolean> result = changes.get(i).result();
                gone += result.isEmpty() ? 1 : 0;
                if (result.orElse(false)) {
                    changed.add(batch.accounts().get(i));
                }
            }
            return selections.step(selection, batch, changed, gone, batchMax).map(next -> !next.isEmpty());
        });
    }

    /** Whether the act has changed the account; empty = the account is deleted. */
    private Future<Optional<Boolean>> change(Selection selection, long account) {
        SelectionAct act = selection.act();
        return restrict(act, account, selection.number())
                .compose(changed -> changed && !act.undo()
                        ? warnings.addSelected(account, act.action(), act.text(), selection.number())
                                .compose(warning -> publisher.announce(account, warning))
                                .map(Optional.of(true))
                        : Future.succeededFuture(Optional.of(changed)))
                .recover(cause -> Refusal.isFor(Refusal.Reason.NOT_FOUND, cause)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(cause));
    }

    private Future<Boolean> restrict(SelectionAct act, long account, long number) {
        return switch (act.action()) {
            case SENSITIVE -> restrictions.set(account, Kind.SENSITIZED, !act.undo(), number);
            case SILENCE -> restrictions.set(account, Kind.LIMITED, !act.undo(), number);
            case SUSPEND -> act.undo() ? access.unsuspend(account, number) : access.suspend(account, number);
            // One that only later versions know: their workers do it.
            default -> Future.failedFuture(new IllegalStateException("an act of another version: " + act.action()));
        };
    }
}

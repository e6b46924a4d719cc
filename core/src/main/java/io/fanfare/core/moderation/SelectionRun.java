package io.fanfare.core.moderation;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.fanfare.core.moderation.Selection.SelectionAct;
import io.fanfare.core.moderation.Selections.Batch;
import io.fanfare.core.notification.NotificationPublisher;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
    private final Mails mails;
    private final int batchMax;

    public SelectionRun(
            Selections selections,
            Restrictions restrictions,
            AccountAccess access,
            Warnings warnings,
            NotificationPublisher publisher,
            Mails mails) {
        this(selections, restrictions, access, warnings, publisher, mails, BATCH);
    }

    SelectionRun(
            Selections selections,
            Restrictions restrictions,
            AccountAccess access,
            Warnings warnings,
            NotificationPublisher publisher,
            Mails mails,
            int batchMax) {
        this.mails = mails;
        this.batchMax = batchMax;
        this.selections = selections;
        this.restrictions = restrictions;
        this.access = access;
        this.warnings = warnings;
        this.publisher = publisher;
    }

    /**
     * Changes a batch; the place of the next one, empty = there is no more to do. Changes nothing for a selection that
     * has ended, or that is done.
     *
     * @param place of the batch for which the job was made. When the selection stands elsewhere, an earlier run of the
     *     job may have been cut off between an account and its lists, and the lists of that batch are written again.
     */
    public Future<OptionalLong> step(long number, long place) {
        return selections
                .find(number)
                .map(found -> found.filter(selection -> selection.act() != null))
                .compose(found -> found.isEmpty() ? nothing() : step(found.get(), place));
    }

    private Future<OptionalLong> step(Selection selection, long place) {
        return selections
                .step(selection, Batch.NONE, List.of(), /* gone= */ 0, batchMax)
                .compose(batch -> batch.isAt(place)
                        ? change(selection, batch)
                        : relist(selection, place).compose(done -> change(selection, batch)));
    }

    private static Future<OptionalLong> nothing() {
        return Future.succeededFuture(OptionalLong.empty());
    }

    private Future<Void> relist(Selection selection, long place) {
        return selections
                .accounts(selection.number(), place, batchMax)
                .compose(accounts -> Future.join(accounts.stream()
                        .map(account -> switch (selection.act().action()) {
                            case SENSITIVE -> restrictions.relist(account, Kind.SENSITIZED);
                            case SILENCE -> restrictions.relist(account, Kind.LIMITED);
                            default -> access.relist(account);
                        })
                        .toList()))
                .mapEmpty();
    }

    private Future<OptionalLong> change(Selection selection, Batch batch) {
        if (batch.isEmpty()) {
            return nothing();
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
            return selections
                    .step(selection, batch, changed, gone, batchMax)
                    .map(next -> next.isEmpty() ? OptionalLong.empty() : OptionalLong.of(next.place()));
        });
    }

    /** Whether the act has changed the account; empty = the account is deleted. */
    private Future<Optional<Boolean>> change(Selection selection, long account) {
        SelectionAct act = selection.act();
        return restrict(act, account, selection.number())
                .compose(changed -> changed && !act.undo()
                        ? warnings.addSelected(account, act.action(), act.text(), selection.number())
                                .compose(warning ->
                                        publisher.announce(account, warning).compose(done -> mail(account, warning)))
                                .map(Optional.of(true))
                        : Future.succeededFuture(Optional.of(changed)))
                .recover(cause -> Refusal.isFor(Refusal.Reason.NOT_FOUND, cause)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(cause));
    }

    /** A batch that runs again requests its mails again, which have the same Message-ID. */
    private Future<?> mail(long account, long warning) {
        return mails.request(account, MailKind.SELECTION_WARNING, warning);
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

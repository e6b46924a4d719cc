package io.fanfare.api.moderation;

import io.fanfare.api.endpoint.Answer;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Warning;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Warnings;
import io.fanfare.common.view.Views;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.notification.NotificationPublisher;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Warns accounts of what moderators do, and shows warnings. One event loop. */
final class Notices {
    private final Warnings warnings;
    private final NotificationPublisher publisher;
    private final Accounts accounts;
    private final Views views;
    private final Mails mails;

    Notices(Warnings warnings, NotificationPublisher publisher, Accounts accounts, Views views, Mails mails) {
        this.mails = mails;
        this.warnings = warnings;
        this.publisher = publisher;
        this.accounts = accounts;
        this.views = views;
    }

    Warnings store() {
        return warnings;
    }

    /** Warns an account of an act on it that is done. A repetition completes what was cut off. */
    Future<Void> warn(long account, Action action, String text, List<Long> statuses) {
        return warnings.add(account, action, text, statuses).compose(warning -> announce(account, warning));
    }

    /** Keeps a warning about a post, which {@link #announce} then sends; its id. */
    Future<Long> warnAbout(long account, Action action, String text, long status) {
        return warnings.addAbout(account, action, text, status);
    }

    /** Fails with {@link Refusal#unknown} when the account was not warned of such an act on a post. */
    Future<Void> requireAbout(long account, Action action, long status) {
        return warnings.about(account, action, status)
                .map(found -> found.orElseThrow(Refusal::unknown))
                .mapEmpty();
    }

    /** Sends the notification of a warning to the streams of the account, once, and a mail. */
    Future<Void> announce(long account, long warning) {
        return Future.join(
                        publisher.announce(account, warning), mails.requestSafely(account, MailKind.WARNING, warning))
                .mapEmpty();
    }

    /** One warning as the answer of a request. */
    Future<Answer> answer(long account, long id) {
        Future<Warning> warning = warnings.find(account, id).map(found -> found.orElseThrow(Refusal::unknown));
        return warning.compose(found -> targets(List.of(found)).map(targets -> {
            if (!targets.containsKey(account)) {
                throw Refusal.unknown();
            }
            return Answer.json(json -> views.warnings().write(json, found, targets.get(account)));
        }));
    }

    /** Warnings as the answer of a request, without those of accounts that are deleted. */
    Future<Answer> answer(List<Warning> shown) {
        return targets(shown)
                .map(targets -> Answer.array(
                        shown.stream()
                                .filter(warning -> targets.containsKey(warning.account()))
                                .toList(),
                        (json, warning) -> views.warnings().write(json, warning, targets.get(warning.account()))));
    }

    /** Also suspended accounts. */
    private Future<Map<Long, Account>> targets(Collection<Warning> shown) {
        return accounts.inspect(shown.stream().map(Warning::account).distinct().toList())
                .map(found -> found.values().stream()
                        .filter(inspected -> inspected.deletedAt() == 0)
                        .map(Accounts.Inspected::account)
                        .collect(Collectors.toMap(Account::id, Function.identity())));
    }
}

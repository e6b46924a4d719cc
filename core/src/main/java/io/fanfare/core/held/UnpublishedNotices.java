package io.fanfare.core.held;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.LoopStores;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.notification.NotificationPublisher;
import io.vertx.core.Future;

/**
 * Notices to authors about posts that were kept and are not published: a warning without an act, its notification, and
 * a mail where mails are sent. Confined to the event loop of its stores.
 */
public final class UnpublishedNotices {
    private final Warnings warnings;
    private final NotificationPublisher publisher;
    private final Mails mails;

    public UnpublishedNotices(LoopStores stores) {
        this.warnings = stores.notifications().warnings();
        this.publisher = stores.notificationPublisher();
        this.mails = Mails.of(stores.redis(), stores.settings());
    }

    /** The message about a post, which quotes at most {@code codePointsMax} of its text. */
    public static String message(ScheduledStatus post, int codePointsMax, String why) {
        return "Your post \"" + excerpt(post.words().text(), codePointsMax) + "\" was not published: " + why;
    }

    private static String excerpt(String text, int codePointsMax) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.codePointCount(0, line.length()) <= codePointsMax
                ? line
                : line.substring(0, line.offsetByCodePoints(0, codePointsMax)) + "...";
    }

    /**
     * Sends a message about a post; nothing to an account that is deleted meanwhile. The warning and its notification
     * are made once however often this runs. The mail is enqueued each time, with the same Message-ID; a failure of
     * that fails nothing else.
     *
     * @param dueMillis the time for which the post was scheduled, Unix ms; 0 = it waited for a moderator
     */
    public Future<Void> send(long author, long post, long dueMillis, String message) {
        return warnings.addUnpublished(author, message, post, dueMillis)
                .compose(warning -> publisher
                        .announce(author, warning)
                        .compose(done -> mails.requestSafely(author, MailKind.WARNING, warning)))
                .recover(cause ->
                        Refusal.isFor(Reason.NOT_FOUND, cause) ? Future.succeededFuture() : Future.failedFuture(cause));
    }
}

package io.fanfare.worker.poll;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.LoopStores;
import io.fanfare.core.notification.NotificationPublisher;
import io.fanfare.core.poll.Polls;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The end of a poll: a notification for its author and for each voter, once, however often it is done. Readers see the
 * end by the clock.
 */
public final class PollEnd {
    private final Statuses statuses;
    private final Polls polls;
    private final Notifications notifications;
    private final NotificationPublisher publisher;

    public PollEnd(LoopStores stores) {
        this.statuses = stores.statuses();
        this.polls = new Polls(stores.redis(), stores.parts().clock());
        this.notifications = stores.notifications();
        this.publisher = stores.notificationPublisher();
    }

    /**
     * Notifies a page of voters that the poll has ended, and the author before the first page.
     *
     * @param cursor number of voters who have been notified
     * @param page number of voters of one call
     * @return number of voters who have been notified now; 0 = all, or the status is gone
     */
    public Future<Long> notifyVoters(long status, long cursor, int page) {
        return statuses.find(status)
                .compose(found -> isPoll(found)
                        ? polls.voters(status, cursor, page).compose(voters -> notifyPage(found.get(), cursor, voters)
                                .map(done -> voters.size() < page ? 0L : cursor + page))
                        : Future.succeededFuture(0L));
    }

    private static boolean isPoll(Optional<Status> found) {
        return found.isPresent() && found.get().post().content().poll() != null;
    }

    private Future<Void> notifyPage(Status status, long cursor, Collection<Long> voters) {
        long author = status.authorId();
        Notification ended = Notification.of(Notification.Type.POLL, author, status.id());
        long end = Id.of(status.post().content().poll().endsMillis(), 0, 0);
        List<Future<Void>> sent = new ArrayList<>();
        if (cursor == 0) {
            sent.add(notifications.addOwn(author, ended, end).compose(id -> publisher.announce(author, id)));
        }
        for (long voter : voters) {
            sent.add(notifications.add(voter, ended, end).compose(id -> publisher.announce(voter, id)));
        }
        return Future.join(sent).mapEmpty();
    }
}

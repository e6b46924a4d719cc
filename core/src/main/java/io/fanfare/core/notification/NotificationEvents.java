package io.fanfare.core.notification;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventKey;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Notifications.Shown;
import io.fanfare.common.store.PushSubscriptions;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.core.view.Hydrator;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/**
 * Makes the events of notifications and appends them: each as the account that it tells would be shown it at this
 * moment, and none that it would not be shown. Wakes workers for the pushes, whose jobs came with the notification.
 */
public final class NotificationEvents implements NotificationPublisher {
    /** Renderings of one event. Each may show a status that is deleted before the append, and is then repeated. */
    private static final int RENDERINGS_MAX = 5;

    private final EventLog events;
    private final Notifications notifications;
    private final Accounts accounts;
    private final Hydrator hydrator;
    private final EventBodies bodies;
    private final PushSubscriptions pushes;

    public NotificationEvents(
            EventLog events,
            Notifications notifications,
            Accounts accounts,
            Hydrator hydrator,
            Views views,
            PushSubscriptions pushes) {
        this.events = events;
        this.notifications = notifications;
        this.accounts = accounts;
        this.hydrator = hydrator;
        this.bodies = new EventBodies(views);
        this.pushes = pushes;
    }

    @Override
    public Future<Void> announce(long account, long notification) {
        if (notification != 0) {
            pushes.wake(account);
        }
        return announce(account, notification, RENDERINGS_MAX);
    }

    private Future<Void> announce(long account, long notification, int renderings) {
        if (notification == 0) {
            return Future.succeededFuture();
        }
        if (renderings == 0) {
            return Future.failedFuture("what this shows keeps being deleted: notification " + notification);
        }
        return events.missing(List.of(new EventKey(Event.Kind.NOTIFICATION, notification)))
                .compose(missing -> missing.isEmpty() ? Future.succeededFuture(0L) : append(account, notification))
                .compose(seq -> seq == EventLog.STALE
                        ? announce(account, notification, renderings - 1)
                        : Future.succeededFuture());
    }

    private Future<Long> append(long account, long notification) {
        return notifications
                .find(account, notification)
                .compose(found -> found.isEmpty() ? Future.succeededFuture(0L) : append(account, found.get()));
    }

    private Future<Long> append(long account, Shown shown) {
        long actor = shown.notification().actorId();
        Future<Map<Long, Account>> actors = accounts.load(List.of(actor));
        Future<RenderContext> context = context(shown.status(), account);
        return Future.all(actors, context).compose(read -> {
            Account known = actors.result().get(actor);
            boolean covered = shown.status() == null || context.result().covers(shown.status());
            return known == null || !covered
                    ? Future.succeededFuture(0L)
                    : events.append(bodies.notified(
                            account, shown.notification(), known, shown.status(), shown.warning(), context.result()));
        });
    }

    private Future<RenderContext> context(Status status, long viewer) {
        return hydrator.load(status == null ? List.of() : List.of(status), viewer);
    }
}

package io.fanfare.core.notification;

import io.vertx.core.Future;

/** Tells streams of notifications that have been given out. */
public interface NotificationPublisher {
    /**
     * Makes sure that an account's streams hear of a notification, if it is to hear of it at all. Doing it again does
     * nothing.
     *
     * @param notification its id; 0 = there is none
     */
    Future<Void> announce(long account, long notification);
}

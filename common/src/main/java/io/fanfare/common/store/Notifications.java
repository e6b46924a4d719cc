package io.fanfare.common.store;

import io.fanfare.common.model.Notification;

/** Owns {@code notifications} keys. */
public class Notifications {
    private Notifications() {}

    /** How a notification is spelled in its ZSET, where its id is the score. */
    static String member(Notification notification) {
        return notification.type().wire() + " " + notification.actorId() + " " + notification.statusId();
    }
}

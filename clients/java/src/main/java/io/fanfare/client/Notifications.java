package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import io.fanfare.client.model.Markers;
import io.fanfare.client.model.Notification;
import java.util.Map;

/** Notifications of the account of the token, and its reading positions. */
public final class Notifications {
    private static final String NOTIFICATIONS = "/api/v1/notifications";

    private record Count(long count) {}

    private final Api api;

    Notifications(Api api) {
        this.api = api;
    }

    /** Newest first. */
    public Pages<Notification> all() {
        return api.pages(NOTIFICATIONS, Notification.class);
    }

    public Notification get(String id) {
        return api.get(NOTIFICATIONS + "/" + Arguments.id(id), Notification.class);
    }

    /** How many are newer than the reading position, at most 100. */
    public long unreadCount() {
        return api.get(NOTIFICATIONS + "/unread_count", Count.class).count();
    }

    public void dismiss(String id) {
        api.run("POST", NOTIFICATIONS + "/" + Arguments.id(id) + "/dismiss", Fields.NONE, true);
    }

    /** Removes all of them. Not repeated after a lost answer: a second arrival would remove newer ones too. */
    public void clear() {
        api.run("POST", NOTIFICATIONS + "/clear", Fields.NONE, false);
    }

    /** The reading positions of home and notifications. */
    public Markers markers() {
        return api.get("/api/v1/markers?timeline[]=home&timeline[]=notifications", Markers.class);
    }

    /** Moves the reading position of {@code home} or {@code notifications}. */
    public Markers mark(String timeline, String lastReadId) {
        Fields fields = Fields.NONE.with(
                Arguments.text(timeline, "the timeline", 20), Map.of("last_read_id", Arguments.id(lastReadId)));
        return api.repeat("/api/v1/markers", fields, Markers.class);
    }
}

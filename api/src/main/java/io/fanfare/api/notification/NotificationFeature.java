package io.fanfare.api.notification;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.common.store.Notifications;
import java.util.List;
import java.util.stream.Stream;

/** Notifications, grouped and single, their policies and requests, and the markers of what was read. */
public final class NotificationFeature implements ApiFeature {
    private final NotificationRoutes notifications;
    private final GroupedNotificationRoutes grouped;
    private final NotificationPolicyRoutes policies;
    private final NotificationRequestRoutes requests;
    private final MarkerRoutes markers;

    public NotificationFeature(ApiLoop loop) {
        Notifications stored = loop.stores().notifications();
        Markers read = new Markers(loop.redis());
        NotificationRequests waiting =
                new NotificationRequests(stored, loop.accounts(), loop.statuses(), loop.viewerRelationships());
        this.notifications = new NotificationRoutes(
                loop.limits(), loop.publicUrl(), stored, read, loop.accounts(), loop.renderer(), loop.views());
        this.grouped = new GroupedNotificationRoutes(
                loop.limits(),
                loop.publicUrl(),
                stored,
                new NotificationGroups(stored, loop.accounts(), loop.statuses(), loop.viewerRelationships()),
                read,
                loop.accounts(),
                loop.renderer(),
                loop.accountRenderer(),
                loop.views());
        this.policies = new NotificationPolicyRoutes(stored.policies(), waiting);
        this.requests = new NotificationRequestRoutes(
                loop.limits(), loop.publicUrl(), waiting, loop.accounts(), loop.renderer(), loop.views());
        this.markers = new MarkerRoutes(read);
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(
                        notifications.endpoints(),
                        grouped.endpoints(),
                        policies.endpoints(),
                        requests.endpoints(),
                        markers.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}

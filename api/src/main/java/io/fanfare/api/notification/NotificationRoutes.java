package io.fanfare.api.notification;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.notification.Markers.Marker;
import io.fanfare.api.notification.Markers.Timeline;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Notifications.Shown;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.server.http.Parameters;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** Notifications about actions of others on the viewer and the viewer's statuses. */
public final class NotificationRoutes {
    private static final int LIMIT = 40;
    private static final int UNREAD = 100;
    private static final int UNREAD_MAX = 1000;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Notifications notifications;
    private final Markers markers;
    private final Accounts accounts;
    private final StatusRenderer renderer;
    private final Views views;

    public NotificationRoutes(
            Settings.Limits limits,
            String publicUrl,
            Notifications notifications,
            Markers markers,
            Accounts accounts,
            StatusRenderer renderer,
            Views views) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.notifications = notifications;
        this.markers = markers;
        this.accounts = accounts;
        this.renderer = renderer;
        this.views = views;
    }

    /** Fixed paths stand before {@code :id}, which would match them as well. */
    public List<Endpoint> endpoints() {
        Access read = Access.user("read:notifications");
        Access write = Access.user("write:notifications");
        return List.of(
                get("/api/v1/notifications", read, this::list),
                get("/api/v1/notifications/unread_count", read, this::unreadCount),
                get("/api/v1/notifications/:id", read, this::show),
                post("/api/v1/notifications/clear", write, this::clear).withoutBody(),
                post("/api/v2/notifications/clear", write, this::clear).withoutBody(),
                post("/api/v1/notifications/:id/dismiss", write, this::dismiss).withoutBody());
    }

    private Future<Answer> list(Call call) {
        return notifications
                .page(
                        call.viewer(),
                        call.parameters().page(LIMIT, limits.pageMax()),
                        wanted(call.parameters()),
                        aside(call.parameters()))
                .compose(page -> list(call, page));
    }

    private Future<Answer> list(Call call, Page<Shown> page) {
        return context(call, page.items()).map(context -> Answer.json(json -> array(json, page.items(), context))
                .link(Links.of(publicUrl, call, page)));
    }

    /**
     * The filter of {@code types[]}, {@code exclude_types[]} and {@code account_id}; types that this server does not
     * have match nothing.
     */
    static Predicate<Notification> wanted(Parameters parameters) {
        Set<String> types = Set.copyOf(parameters.all("types"));
        Set<String> not = Set.copyOf(parameters.all("exclude_types"));
        long actor = parameters.id("account_id");
        return notification -> {
            String type = notification.type().wire();
            return (types.isEmpty() || types.contains(type))
                    && !not.contains(type)
                    && (actor == 0 || actor == notification.actorId());
        };
    }

    /** Whether also what is set aside is asked for: all of it, or that of one account. */
    static boolean aside(Parameters parameters) {
        return parameters.flag("include_filtered", false) || parameters.id("account_id") != 0;
    }

    /** The actors, and the data that the statuses are rendered with. */
    private record Around(Map<Long, Account> actors, RenderContext statuses) {
        boolean covers(Shown shown) {
            return actors.containsKey(shown.notification().actorId())
                    && (shown.status() == null || statuses.covers(shown.status()));
        }
    }

    private Future<Around> context(Call call, List<Shown> items) {
        List<Status> about =
                items.stream().map(Shown::status).filter(Objects::nonNull).toList();
        Future<Map<Long, Account>> actors = accounts.load(items.stream()
                .map(shown -> shown.notification().actorId())
                .distinct()
                .toList());
        Future<RenderContext> statuses = renderer.load(about, call.viewer());
        return Future.all(actors, statuses).map(both -> new Around(actors.result(), statuses.result()));
    }

    private void array(JsonGenerator json, List<Shown> items, Around context) throws IOException {
        json.writeStartArray();
        for (Shown shown : items) {
            if (context.covers(shown)) {
                write(json, shown, context);
            }
        }
        json.writeEndArray();
    }

    private void write(JsonGenerator json, Shown shown, Around context) throws IOException {
        Account actor = context.actors().get(shown.notification().actorId());
        views.notifications()
                .write(json, shown.notification(), actor, shown.status(), shown.warning(), context.statuses());
    }

    private Future<Answer> show(Call call) {
        return notifications
                .find(call.viewer(), call.id(), /* aside= */ true)
                .map(found -> found.orElseThrow(Refusal::unknown))
                .compose(shown -> context(call, List.of(shown)).map(context -> one(shown, context)));
    }

    private Answer one(Shown shown, Around context) {
        if (!context.covers(shown)) {
            throw Refusal.unknown();
        }
        return Answer.json(json -> write(json, shown, context));
    }

    private Future<Answer> clear(Call call) {
        return notifications.clear(call.viewer()).map(Answer.EMPTY_OBJECT);
    }

    private Future<Answer> dismiss(Call call) {
        return notifications
                .find(call.viewer(), call.id(), /* aside= */ true)
                .map(found -> found.orElseThrow(Refusal::unknown))
                .compose(shown -> notifications.dismiss(call.viewer(), call.id()))
                .map(Answer.EMPTY_OBJECT);
    }

    /** Counts the notifications newer than the last read one, see {@link MarkerRoutes}. */
    private Future<Answer> unreadCount(Call call) {
        int max = call.parameters().number("limit", UNREAD, 1, UNREAD_MAX);
        return lastRead(markers, call.viewer())
                .compose(read -> notifications.count(
                        call.viewer(), read, max, wanted(call.parameters()), aside(call.parameters())))
                .map(NotificationRoutes::count);
    }

    /** How many there are. */
    static Answer count(int count) {
        return Answer.json(json -> {
            json.writeStartObject();
            json.writeNumberField("count", count);
            json.writeEndObject();
        });
    }

    /** The newest notification that the viewer has read; 0 = no client has said so. */
    static Future<Long> lastRead(Markers markers, long viewer) {
        Future<Map<Timeline, Marker>> set = markers.of(viewer, List.of(Timeline.NOTIFICATIONS));
        return set.map(found -> found.containsKey(Timeline.NOTIFICATIONS)
                ? found.get(Timeline.NOTIFICATIONS).lastRead()
                : 0);
    }
}

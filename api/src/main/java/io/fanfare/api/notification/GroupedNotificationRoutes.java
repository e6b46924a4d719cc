package io.fanfare.api.notification;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.notification.NotificationGroups.Group;
import io.fanfare.api.notification.NotificationGroups.Wanted;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.NotificationGroupKey;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Warning;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.fanfare.server.http.Parameters;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Notifications of the viewer, several of a kind as one: the entity GroupedNotificationsResults, in which an account
 * and a status stand once, however many groups name them.
 */
public final class GroupedNotificationRoutes {
    private static final int LIMIT = 40;
    private static final int UNREAD = 100;
    private static final int UNREAD_MAX = 1000;

    /** The accounts that a group names; the others are a request of their own. */
    private static final int SAMPLE = 8;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Notifications notifications;
    private final NotificationGroups groups;
    private final Markers markers;
    private final Accounts accounts;
    private final StatusRenderer renderer;
    private final AccountRenderer accountRenderer;
    private final Views views;

    public GroupedNotificationRoutes(
            Settings.Limits limits,
            String publicUrl,
            Notifications notifications,
            NotificationGroups groups,
            Markers markers,
            Accounts accounts,
            StatusRenderer renderer,
            AccountRenderer accountRenderer,
            Views views) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.notifications = notifications;
        this.groups = groups;
        this.markers = markers;
        this.accounts = accounts;
        this.renderer = renderer;
        this.accountRenderer = accountRenderer;
        this.views = views;
    }

    /** Fixed paths stand before {@code :name}, which would match them as well. */
    public List<Endpoint> endpoints() {
        Access read = Access.user("read:notifications");
        Access write = Access.user("write:notifications");
        return List.of(
                get("/api/v2/notifications", read, this::list),
                get("/api/v2/notifications/unread_count", read, this::unreadCount),
                get("/api/v2/notifications/:name", read, this::show),
                get("/api/v2/notifications/:name/accounts", read, this::accounts),
                post("/api/v2/notifications/:name/dismiss", write, this::dismiss)
                        .withoutBody());
    }

    private Future<Answer> list(Call call) {
        boolean partial = partialAvatars(call.parameters());
        return groups.page(call.viewer(), call.parameters().page(LIMIT, limits.pageMax()), wanted(call.parameters()))
                .compose(page -> results(call, page.page().items(), partial, OptionalLong.of(page.low()))
                        .map(answer -> answer.link(Links.of(publicUrl, call, page.page()))));
    }

    private static boolean partialAvatars(Parameters parameters) {
        String how = parameters.text("expand_accounts", "full");
        return switch (how) {
            case "full" -> false;
            case "partial_avatars" -> true;
            default ->
                throw new Refusal(
                        Refusal.Reason.MALFORMED, "The parameter expand_accounts must be full or partial_avatars.");
        };
    }

    private static Wanted wanted(Parameters parameters) {
        Set<String> named = Set.copyOf(parameters.all("grouped_types"));
        Set<Notification.Type> grouped = named.isEmpty()
                ? NotificationGroupKey.GROUPED
                : NotificationGroupKey.GROUPED.stream()
                        .filter(type -> named.contains(type.wire()))
                        .collect(Collectors.toSet());
        return new Wanted(NotificationRoutes.wanted(parameters), grouped, NotificationRoutes.aside(parameters));
    }

    /** @param low the lowest id that the page reaches down to; empty = it is no page */
    private Future<Answer> results(Call call, List<Group> page, boolean partial, OptionalLong low) {
        Set<Long> people = new LinkedHashSet<>();
        page.forEach(group -> people.addAll(sample(group)));
        Map<Long, Status> about = new LinkedHashMap<>();
        page.stream().map(Group::status).filter(Objects::nonNull).forEach(status -> about.put(status.id(), status));
        Future<Map<Long, Account>> actors = accounts.load(people);
        Future<RenderContext> statuses = renderer.load(about.values(), call.viewer());
        Future<Map<Long, Warning>> warned = notifications.warnings(
                call.viewer(), page.stream().map(Group::newest).toList());
        return Future.all(actors, statuses, warned)
                .map(all -> new Results(
                        page, about.values(), actors.result(), statuses.result(), warned.result(), partial, low))
                .map(results -> Answer.json(json -> write(json, results)));
    }

    private static List<Long> sample(Group group) {
        return group.members().stream().limit(SAMPLE).map(Notification::actorId).toList();
    }

    /** Everything that an answer shows. */
    private record Results(
            List<Group> page,
            Collection<Status> about,
            Map<Long, Account> actors,
            RenderContext context,
            Map<Long, Warning> warned,
            boolean partial,
            OptionalLong low) {
        /** The groups with at least one actor left to show. */
        List<Group> groups() {
            return page.stream()
                    .filter(group ->
                            !sampled(group).isEmpty() && (group.status() == null || context.covers(group.status())))
                    .filter(group -> group.newest().type() != Notification.Type.MODERATION_WARNING
                            || warned.containsKey(group.newest().id()))
                    .toList();
        }

        List<Long> sampled(Group group) {
            return sample(group).stream().filter(actors::containsKey).toList();
        }

        /** In the order in which the groups name them: the newest of each group, and whose the statuses are. */
        Set<Long> inFull() {
            return groups().stream()
                    .flatMap(group -> {
                        Stream<Long> named = sampled(group).stream().limit(partial ? 1 : SAMPLE);
                        return group.status() == null
                                ? named
                                : Stream.concat(named, Stream.of(group.status().authorId()));
                    })
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        Set<Long> inPart() {
            Set<Long> inPart = groups().stream()
                    .flatMap(group -> sampled(group).stream())
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            inPart.removeAll(inFull());
            return inPart;
        }

        Account account(long id) {
            return actors.getOrDefault(id, context.accounts().get(id));
        }
    }

    private void write(JsonGenerator json, Results results) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("accounts");
        for (long id : results.inFull()) {
            views.accounts().write(json, results.account(id));
        }
        json.writeEndArray();
        if (results.partial()) {
            json.writeArrayFieldStart("partial_accounts");
            for (long id : results.inPart()) {
                views.accounts().partial(json, results.account(id));
            }
            json.writeEndArray();
        }
        json.writeFieldName("statuses");
        renderer.array(json, results.about(), results.context());
        json.writeArrayFieldStart("notification_groups");
        for (Group group : results.groups()) {
            write(json, group, results);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** The entity NotificationGroup. Mastodon spells the id of the newest as a number, and clients read it so. */
    private void write(JsonGenerator json, Group group, Results results) throws IOException {
        long newest = group.newest().id();
        json.writeStartObject();
        json.writeStringField("group_key", group.key().wire());
        json.writeNumberField("notifications_count", group.members().size());
        json.writeStringField("type", group.newest().type().wire());
        json.writeNumberField("most_recent_notification_id", newest);
        if (results.low().isPresent()) {
            long low = results.low().getAsLong();
            long oldest = group.members().stream()
                    .mapToLong(Notification::id)
                    .filter(id -> id >= low)
                    .min()
                    .orElse(newest);
            json.writeStringField("page_min_id", Long.toString(oldest));
            json.writeStringField("page_max_id", Long.toString(newest));
            json.writeStringField("latest_page_notification_at", Timestamps.time(Id.epochMillis(newest)));
        }
        json.writeArrayFieldStart("sample_account_ids");
        for (long id : results.sampled(group)) {
            json.writeString(Long.toString(id));
        }
        json.writeEndArray();
        if (group.status() != null) {
            json.writeStringField("status_id", Long.toString(group.status().id()));
        }
        Warning warning = results.warned().get(newest);
        if (warning != null) {
            json.writeFieldName("moderation_warning");
            views.warnings().write(json, warning, results.account(warning.account()));
        }
        json.writeEndObject();
    }

    /** Counts the groups with a notification newer than the last read one, see {@link MarkerRoutes}. */
    private Future<Answer> unreadCount(Call call) {
        int max = call.parameters().number("limit", UNREAD, 1, UNREAD_MAX);
        Wanted wanted = wanted(call.parameters());
        return NotificationRoutes.lastRead(markers, call.viewer())
                .compose(read -> groups.count(call.viewer(), read, max, wanted))
                .map(NotificationRoutes::count);
    }

    private Future<Answer> show(Call call) {
        return find(call)
                .map(found -> found.orElseThrow(Refusal::unknown))
                .compose(group -> results(call, List.of(group), false, OptionalLong.empty()));
    }

    private Future<Optional<Group>> find(Call call) {
        return NotificationGroupKey.parse(call.pathName())
                .map(key -> groups.find(call.viewer(), key))
                .orElse(Future.succeededFuture(Optional.empty()));
    }

    /** The accounts of a group; an empty list if there is no such group, as in Mastodon. */
    private Future<Answer> accounts(Call call) {
        return find(call)
                .map(found -> found.map(group -> NotificationGroups.members(
                                group, call.parameters().page(LIMIT, limits.pageMax())))
                        .orElse(new Page<>(List.of(), 0, 0)))
                .compose(page -> accountRenderer.own(call, edges(page), AccountRenderer.NOTHING_MORE));
    }

    private static Page<Edge> edges(Page<Notification> page) {
        return new Page<>(
                page.items().stream()
                        .map(member -> new Edge(member.actorId(), member.id()))
                        .toList(),
                page.next(),
                page.prev());
    }

    /** Nothing to throw away is no mistake, as in Mastodon: another client may have been faster. */
    private Future<Answer> dismiss(Call call) {
        return NotificationGroupKey.parse(call.pathName())
                .map(key -> notifications.dismiss(call.viewer(), key))
                .orElse(Future.succeededFuture())
                .map(Answer.EMPTY_OBJECT);
    }
}

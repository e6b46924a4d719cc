package io.fanfare.api.notification;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.NotificationPolicy;
import io.fanfare.common.model.NotificationPolicy.Choice;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.MemoryPager;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Statuses.Reachable;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The notifications that an account's {@link NotificationPolicy} sets aside, by sender: computed at each read of all
 * that {@link Notifications} keeps of the account, so that nothing is stored for it. A suspended sender has none. While
 * the archive is away, a notification about a status that only the archive knows counts as if that status lived.
 */
public class NotificationRequests {
    private final Notifications notifications;
    private final Accounts accounts;
    private final Statuses statuses;
    private final ViewerRelationshipsReader viewerRelationships;

    public NotificationRequests(
            Notifications notifications,
            Accounts accounts,
            Statuses statuses,
            ViewerRelationshipsReader viewerRelationships) {
        this.notifications = notifications;
        this.accounts = accounts;
        this.statuses = statuses;
        this.viewerRelationships = viewerRelationships;
    }

    /**
     * The notifications of one sender.
     *
     * @param aside newest first, at least one
     * @param last the newest status that one of them is about; null = they are about none that can be read
     */
    public record Request(long sender, List<Notification> aside, Status last) {
        public Request {
            aside = List.copyOf(aside);
        }

        public long newest() {
            return aside.get(0).id();
        }

        public long oldest() {
            return aside.get(aside.size() - 1).id();
        }
    }

    /** All of them, by their newest notifications, newest first. */
    public Future<List<Request>> all(long account) {
        return notifications
                .policies()
                .of(account)
                .compose(policy -> policy.filters() ? aside(account) : Future.succeededFuture(List.of()))
                .compose(aside -> requests(account, aside));
    }

    private Future<List<Notification>> aside(long account) {
        return notifications.between(account, 0, Id.MAX).compose(all -> {
            Set<Long> actors = new HashSet<>();
            all.forEach(each -> actors.add(each.actorId()));
            Future<NotificationPolicy> policy = notifications.policies().over(account, actors);
            Future<ViewerRelationships> people = viewerRelationships.of(account, actors);
            Future<Set<Long>> active = accounts.activeAmong(actors);
            return Future.all(policy, people, active).map(answers -> all.stream()
                    .filter(each -> active.result().contains(each.actorId())
                            && people.result().notifies(each.actorId())
                            && policy.result().of(each, people.result()) == Choice.FILTER)
                    .toList());
        });
    }

    private Future<List<Request>> requests(long account, List<Notification> aside) {
        List<Long> about = aside.stream()
                .map(Notification::statusId)
                .filter(id -> id > 0)
                .distinct()
                .toList();
        Future<Set<Long>> muted = notifications.mutedConversations(account);
        Future<Reachable> known = statuses.reachable(about, Redis.NOW);
        return Future.all(muted, known)
                .compose(both -> viewerRelationships.over(
                        account, known.result().living().values()))
                .map(relationships -> requests(
                        aside,
                        known.result(),
                        status ->
                                relationships.maySee(status) && !muted.result().contains(status.conversationId())));
    }

    private static List<Request> requests(List<Notification> aside, Reachable known, Predicate<Status> visible) {
        Map<Long, Status> living = known.living();
        Map<Long, List<Notification>> bySender = new LinkedHashMap<>();
        for (Notification each : aside) {
            Status status = living.get(each.statusId());
            boolean there = each.statusId() == 0 || known.unreachable().contains(each.statusId());
            if (there || (status != null && visible.test(status))) {
                bySender.computeIfAbsent(each.actorId(), first -> new ArrayList<>())
                        .add(each);
            }
        }
        return bySender.entrySet().stream()
                .map(each -> new Request(each.getKey(), each.getValue(), last(each.getValue(), living)))
                .toList();
    }

    private static Status last(List<Notification> aside, Map<Long, Status> living) {
        return aside.stream()
                .filter(each -> each.statusId() > 0)
                .findFirst()
                .map(each -> living.get(each.statusId()))
                .orElse(null);
    }

    /** Cursors are the ids of the newest notifications. */
    public Future<Page<Request>> page(long account, PageRequest page) {
        return all(account).map(all -> MemoryPager.page(all, Request::newest, page));
    }

    /** The requests of these senders; a sender without notifications has none. */
    public Future<List<Request>> of(long account, Collection<Long> senders) {
        return all(account).map(all -> all.stream()
                .filter(request -> senders.contains(request.sender()))
                .toList());
    }

    /** The one of an account, if there is one. */
    public Future<Optional<Request>> find(long account, long sender) {
        return of(account, List.of(sender)).map(found -> found.stream().findFirst());
    }

    /** Their senders are accepted from now on, also what they did before. */
    public Future<Void> accept(long account, List<Request> requests) {
        return notifications
                .policies()
                .accept(account, requests.stream().map(Request::sender).toList());
    }

    /** Discards the notifications of these requests; later ones of their senders are set aside again. */
    public Future<Void> dismiss(long account, List<Request> requests) {
        return notifications.dismiss(
                account,
                requests.stream().flatMap(request -> request.aside().stream()).toList());
    }
}

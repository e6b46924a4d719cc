package io.fanfare.api.notification;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.NotificationGroupKey;
import io.fanfare.common.model.NotificationPolicy;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.MemoryPager;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Notifications in groups, as {@link NotificationGroupKey} says, made at each read of what {@link Notifications} keeps.
 *
 * <p>A group stands where its newest notification stands that is shown, and there alone. So a walk from page to page,
 * in either direction, meets each group once and whole, however many pages its notifications would reach over; what
 * comes meanwhile takes its group to the top, where {@code min_id} finds it. What accounts that are suspended did
 * counts nowhere.
 *
 * <p>No group reaches over the end of a half day, so that a page reads whole half days: those between its bounds. A
 * page without a lower bound reads all that the account has below its upper one, at most
 * {@code limits.notifications-max}.
 */
public class NotificationGroups {
    /** Least groups looked at in a turn, times the number of the turn: what is hidden costs few turns. */
    private static final int READ_MIN = 20;

    private static final Comparator<Candidate> NEWEST_FIRST =
            Comparator.comparingLong(Candidate::newest).reversed();

    private final Notifications notifications;
    private final Accounts accounts;
    private final Statuses statuses;
    private final ViewerRelationshipsReader viewerRelationships;

    public NotificationGroups(
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
     * Some that are shown as one.
     *
     * @param members newest first, at least one
     * @param status what all of them are about; null = nothing
     */
    public record Group(NotificationGroupKey key, List<Notification> members, Status status) {
        public Group {
            members = List.copyOf(members);
        }

        public Notification newest() {
            return members.get(0);
        }
    }

    /**
     * Which notifications count, and how they are grouped.
     *
     * @param grouped the types that are; any other stands alone
     * @param aside whether also those count that the account's policy sets aside
     */
    public record Wanted(Predicate<Notification> which, Set<Notification.Type> grouped, boolean aside) {
        private NotificationGroupKey key(Notification notification) {
            return grouped.contains(notification.type())
                    ? NotificationGroupKey.of(notification)
                    : NotificationGroupKey.alone(notification.id());
        }
    }

    /**
     * A page of groups, by their newest notifications.
     *
     * @param low the lowest id that the page reaches down to
     */
    public record Groups(Page<Group> page, long low) {}

    /** The newest first; cursors are the ids of the groups' newest notifications. */
    public Future<Groups> page(long account, PageRequest page, Wanted wanted) {
        return walk(
                account,
                page,
                wanted,
                NotificationGroupKey.firstBeside(page.floor()),
                NotificationGroupKey.lastBeside(page.maxId()));
    }

    private Future<Groups> walk(long account, PageRequest page, Wanted wanted, long low, long high) {
        return notifications
                .between(account, low, high)
                .compose(all -> new Walk(account, page, wanted.aside(), candidates(all, wanted)).start());
    }

    /** How many there are with notifications that have higher ids than {@code after}, counted up to {@code max}. */
    public Future<Integer> count(long account, long after, int max, Wanted wanted) {
        return page(account, new PageRequest(Id.MAX, after, 0, max), wanted)
                .map(groups -> groups.page().items().size());
    }

    /** One by its key, if anything of it can be shown; only if nothing else can, what is set aside of it. */
    public Future<Optional<Group>> find(long account, NotificationGroupKey key) {
        return find(account, key, /* aside= */ false)
                .compose(found ->
                        found.isPresent() ? Future.succeededFuture(found) : find(account, key, /* aside= */ true));
    }

    private Future<Optional<Group>> find(long account, NotificationGroupKey key, boolean aside) {
        Wanted wanted = new Wanted(key::has, key.type() == null ? Set.of() : Set.of(key.type()), aside);
        return walk(account, PageRequest.newest(1), wanted, key.first(), key.last())
                .map(groups -> groups.page().items().stream().findFirst());
    }

    /** The notifications of a group, newest first; cursors are their ids. */
    public static Page<Notification> members(Group group, PageRequest page) {
        return MemoryPager.page(group.members(), Notification::id, page);
    }

    /** A group of which it is not known yet what is shown. */
    private record Candidate(NotificationGroupKey key, List<Notification> members) {
        long newest() {
            return members.get(0).id();
        }

        long statusId() {
            return members.get(0).statusId();
        }
    }

    /** By half days, each by its first id. */
    private static NavigableMap<Long, List<Candidate>> candidates(List<Notification> all, Wanted wanted) {
        Map<NotificationGroupKey, List<Notification>> groups = new LinkedHashMap<>();
        for (Notification notification : all) {
            if (wanted.which().test(notification)) {
                groups.computeIfAbsent(wanted.key(notification), first -> new ArrayList<>())
                        .add(notification);
            }
        }
        NavigableMap<Long, List<Candidate>> halfDays = new TreeMap<>();
        groups.forEach((key, members) -> {
            long halfDay = NotificationGroupKey.firstBeside(members.get(0).id());
            halfDays.computeIfAbsent(halfDay, first -> new ArrayList<>()).add(new Candidate(key, members));
        });
        return halfDays;
    }

    /** One page that is being read. One use; one event loop. */
    private final class Walk {
        private final long account;
        private final PageRequest page;
        private final boolean up;
        private final boolean aside;
        private final Deque<List<Candidate>> halfDays;
        private final Deque<Candidate> waiting = new ArrayDeque<>();
        private final List<Group> found = new ArrayList<>();
        private final Promise<Groups> answer = Promise.promise();
        private int turns;

        Walk(long account, PageRequest page, boolean aside, NavigableMap<Long, List<Candidate>> halfDays) {
            this.aside = aside;
            this.account = account;
            this.page = page;
            this.up = page.minId() > 0;
            this.halfDays = new ArrayDeque<>((up ? halfDays : halfDays.descendingMap()).values());
        }

        Future<Groups> start() {
            turn();
            return answer.future();
        }

        private void turn() {
            boolean ended = waiting.isEmpty() && halfDays.isEmpty();
            if (found.size() >= wanted() || ended) {
                answer.complete(up ? above() : below());
            } else {
                turns++;
                Future<Void> step = waiting.isEmpty() ? askForActors() : askForStatuses();
                step.onComplete(done -> turn(), answer::fail);
            }
        }

        /** Downward, one more than asked for tells whether there is more. */
        private int wanted() {
            return up ? page.limit() : page.limit() + 1;
        }

        private int atOnce() {
            return Math.max(wanted() - found.size(), READ_MIN * turns);
        }

        /** Reads the actors of whole half days, since the place of a group depends on who is shown. */
        private Future<Void> askForActors() {
            List<Candidate> candidates = new ArrayList<>();
            while (!halfDays.isEmpty() && candidates.size() < atOnce()) {
                candidates.addAll(halfDays.removeFirst());
            }
            Set<Long> actors = new HashSet<>();
            candidates.forEach(candidate -> candidate.members().forEach(member -> actors.add(member.actorId())));
            Future<NotificationPolicy> policy = notifications.policies().over(account, actors);
            Future<ViewerRelationships> people = viewerRelationships.of(account, actors);
            Future<Set<Long>> active = accounts.activeAmong(actors);
            return Future.all(policy, people, active).map(all -> {
                List<Candidate> standing = new ArrayList<>();
                Notifications.Listener listener = new Notifications.Listener(policy.result(), people.result(), aside);
                for (Candidate candidate : candidates) {
                    Candidate accepted = accepted(candidate, listener, active.result());
                    if (!accepted.members().isEmpty() && stands(accepted.newest())) {
                        standing.add(accepted);
                    }
                }
                standing.sort(up ? NEWEST_FIRST.reversed() : NEWEST_FIRST);
                waiting.addAll(standing);
                return null;
            });
        }

        private static Candidate accepted(Candidate candidate, Notifications.Listener listener, Set<Long> active) {
            List<Notification> members = candidate.members().stream()
                    .filter(member -> active.contains(member.actorId()) && listener.accepts(member))
                    .toList();
            return new Candidate(candidate.key(), members);
        }

        private boolean stands(long newest) {
            return newest < page.maxId() && newest > page.floor();
        }

        private Future<Void> askForStatuses() {
            List<Candidate> candidates = new ArrayList<>();
            for (int left = atOnce(); left > 0 && !waiting.isEmpty(); left--) {
                candidates.add(waiting.removeFirst());
            }
            List<Long> about = candidates.stream()
                    .map(Candidate::statusId)
                    .filter(id -> id > 0)
                    .distinct()
                    .toList();
            Future<Set<Long>> muted = notifications.mutedConversations(account);
            Future<Map<Long, Status>> living = statuses.load(about);
            return Future.all(muted, living)
                    .compose(both ->
                            viewerRelationships.over(account, living.result().values()))
                    .map(relationships -> {
                        Predicate<Status> visible = status ->
                                relationships.maySee(status) && !muted.result().contains(status.conversationId());
                        candidates.stream()
                                .map(candidate ->
                                        shown(candidate, living.result().get(candidate.statusId()), visible))
                                .filter(Objects::nonNull)
                                .forEach(found::add);
                        return null;
                    });
        }

        /** Null = it is not: its status is gone, may not be seen, or is of a muted conversation. */
        private Group shown(Candidate candidate, Status status, Predicate<Status> visible) {
            boolean there = candidate.statusId() == 0 || (status != null && visible.test(status));
            return there ? new Group(candidate.key(), candidate.members(), status) : null;
        }

        private Groups below() {
            boolean full = found.size() > page.limit();
            List<Group> shown = found.subList(0, Math.min(found.size(), page.limit()));
            long prev = shown.isEmpty() ? 0 : shown.get(0).newest().id();
            long end = page.floor() == 0 ? 0 : page.floor() + 1;
            long low = full ? shown.get(shown.size() - 1).newest().id() : end;
            return new Groups(new Page<>(shown, low, prev), low);
        }

        private Groups above() {
            List<Group> shown = new ArrayList<>(found.subList(0, Math.min(found.size(), page.limit())));
            Collections.reverse(shown);
            long prev = shown.isEmpty() ? 0 : shown.get(0).newest().id();
            long low = page.minId() + 1;
            return new Groups(new Page<>(shown, low, prev), low);
        }
    }
}

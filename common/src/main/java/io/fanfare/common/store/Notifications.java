package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.NotificationGroupKey;
import io.fanfare.common.model.NotificationPolicy;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.model.Warning;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Owns {@code notifications} keys: a ZSET by notification id, of which the newest {@code limits.notifications-max}
 * stay. Most are written with the mark that they tell of, see {@link SubjectEdges}. What is shown is asked at each
 * read: the status lives and may be seen, and the viewer wants to hear of the actor and of the conversation, see
 * {@link NotificationPolicy} and {@link MutedConversations}.
 */
public class Notifications {
    private static final Script NOTIFY = Script.load("notify");
    private static final Script NOTIFY_AGAIN = Script.load("notify_again");
    private static final Script DISMISS = Script.load("dismiss");
    private static final Script DISMISS_SOME = Script.load("dismiss_some");

    /** For how long dismissed ones are remembered: far longer than an ordinary job is under way. */
    private static final long DISMISSED_MILLIS = Duration.ofDays(1).toMillis();

    private final Redis redis;
    private final Settings settings;
    private final Statuses statuses;
    private final ViewerRelationshipsReader viewerRelationships;
    private final NotificationPolicies policies;
    private final Warnings warnings;

    public Notifications(
            Redis redis, Settings settings, Statuses statuses, ViewerRelationshipsReader viewerRelationships) {
        this.redis = redis;
        this.settings = settings;
        this.statuses = statuses;
        this.viewerRelationships = viewerRelationships;
        this.policies = new NotificationPolicies(redis);
        this.warnings = new Warnings(redis, settings);
    }

    /** The policies of accounts about the notifications that they want. */
    public NotificationPolicies policies() {
        return policies;
    }

    /** The warnings of which some notify. */
    public Warnings warnings() {
        return warnings;
    }

    /** One that can be shown; {@code status} and {@code warning} are null when it is about none. */
    public record Shown(Notification notification, Status status, Warning warning) {}

    /** How a notification is spelled in its ZSET, where its id is the score. That of a warning has its id twice. */
    public static String member(Notification notification) {
        long about = notification.type() == Notification.Type.MODERATION_WARNING
                ? notification.id()
                : notification.statusId();
        return notification.type().wire() + " " + notification.actorId() + " " + about;
    }

    private static Notification notification(SortedSetPager.Member member) {
        String[] words = member.name().split(" ", 3);
        Notification.Type type = Notification.Type.of(words[0]);
        long status = type == Notification.Type.MODERATION_WARNING ? 0 : Long.parseLong(words[2]);
        return new Notification(member.score(), type, Long.parseLong(words[1]), status);
    }

    /**
     * Tells an account of something that leaves no mark, once, however often it is told; of what it has done itself, or
     * an account that it blocks, it is told nothing, and neither is an account that is deleted. Answers its id; 0 =
     * there is none, or none any more.
     */
    public Future<Long> add(long account, Notification notification) {
        return add(account, notification, notification.statusId());
    }

    /**
     * The same of something that happened to a status later.
     *
     * @param time the id of what happened; 0 = it may be told at any time. When all notifications that are kept are
     *     newer, word of it has been pushed out
     */
    public Future<Long> add(long account, Notification notification, long time) {
        return notification.actorId() == account ? Future.succeededFuture(0L) : addOwn(account, notification, time);
    }

    /**
     * The same of something that may happen again: word of it takes the place of word of an earlier time.
     *
     * @param time the id of what happened, such as an edit: of each it is told once
     */
    public Future<Long> addAgain(long account, Notification notification, long time) {
        if (notification.actorId() == account) {
            return Future.succeededFuture(0L);
        }
        return redis.send(NOTIFY_AGAIN.call(notifying(account), whatOf(account, notification, time)))
                .map(Reply::asLong);
    }

    /** Tells an account of what is its own, such as the end of its poll; otherwise as {@link #add}. */
    public Future<Long> addOwn(long account, Notification notification, long time) {
        return redis.send(NOTIFY.call(notifying(account), whatOf(account, notification, time)))
                .map(Reply::asLong);
    }

    private static List<String> notifying(long account) {
        int shard = Id.shard(account);
        return List.of(
                Keys.notifications(account),
                dismissed(account),
                Keys.notificationIds(shard),
                Keys.blocks(account),
                Keys.ids(shard),
                Keys.push(account),
                Keys.queueStats(shard),
                Keys.lane(shard, PushSubscriptions.LANE.key()),
                Keys.delayed(shard),
                Keys.user(account));
    }

    private Object[] whatOf(long account, Notification notification, long time) {
        return new Object[] {
            "", Id.shard(account), member(notification), settings.limits().notificationsMax(), time == 0 ? "" : time
        };
    }

    /**
     * Tells an account that a status names it. A private or direct status is told of only to those who may see it now:
     * whoever may not could else be flooded by what is never shown.
     */
    public Future<Long> addMention(long account, Status status) {
        return addMention(account, status, status.id());
    }

    /** The same of an edit that names it, by the id of the edit. */
    public Future<Long> addMention(long account, Status status, long time) {
        Notification mention = Notification.of(Notification.Type.MENTION, status.authorId(), status.id());
        if (!status.visibility().isRestricted()) {
            return addOfLiving(account, mention, time);
        }
        return viewerRelationships
                .over(account, List.of(status))
                .compose(relationships -> relationships.maySee(status)
                        ? addOfLiving(account, mention, time)
                        : Future.succeededFuture(0L));
    }

    /**
     * Adds a notification about a living status. A delete of the status takes back the notifications that are there by
     * then. One that is added after that is taken back here, by a look at the status afterwards.
     */
    private Future<Long> addOfLiving(long account, Notification notification, long time) {
        return add(account, notification, time)
                .compose(id -> redis.send(Command.of("HEXISTS", Keys.status(notification.statusId()), "gone"))
                        .compose(gone -> gone.asLong() == 0
                                ? Future.succeededFuture(id)
                                : remove(account, notification).map(0L)));
    }

    /** Takes one back: what it told of is gone. */
    public Future<Void> remove(long account, Notification notification) {
        return redis.send(Command.of("ZREM", Keys.notifications(account), member(notification)))
                .mapEmpty();
    }

    /** Takes the same one back from each of these; those that cannot be reached keep it from no other. */
    public Future<Void> remove(Collection<Long> accounts, Notification notification) {
        List<Command> removals = accounts.stream()
                .map(account -> Command.of("ZREM", Keys.notifications(account), member(notification)))
                .toList();
        return BatchedPipeline.sendEach(redis, removals).compose(BatchedPipeline::check);
    }

    /**
     * The newest first; cursors are notification ids.
     *
     * @param wanted which of them
     */
    public Future<Page<Shown>> page(long account, PageRequest page, Predicate<Notification> wanted) {
        return page(account, page, wanted, /* aside= */ false);
    }

    /**
     * The same, on demand with what is set aside.
     *
     * @param aside whether also those that the account's policy sets aside
     */
    public Future<Page<Shown>> page(long account, PageRequest page, Predicate<Notification> wanted, boolean aside) {
        return SortedSetPager.page(
                redis, Keys.notifications(account), page, members -> shown(account, members, wanted, aside));
    }

    /** All of them with ids from {@code low} to {@code high}, shown or not, the newest first. */
    public Future<List<Notification>> between(long account, long low, long high) {
        Command range = Command.of("ZRANGE", Keys.notifications(account), high, low, "BYSCORE", "REV", "WITHSCORES");
        // One of a type that only newer versions know is theirs to show.
        return redis.send(range).map(reply -> SortedSetPager.members(reply).stream()
                .map(Notifications::notification)
                .filter(notification -> notification.type() != null)
                .toList());
    }

    /** One by its id, if it can be shown and is not set aside. */
    public Future<Optional<Shown>> find(long account, long id) {
        return find(account, id, /* aside= */ false);
    }

    /**
     * The same, on demand if it is set aside.
     *
     * @param aside whether also one that the account's policy sets aside
     */
    public Future<Optional<Shown>> find(long account, long id, boolean aside) {
        return page(account, new PageRequest(id + 1, id - 1, 0, 1), any -> true, aside)
                .map(page -> page.items().stream().findFirst());
    }

    private Future<Map<String, Shown>> shown(
            long account, List<SortedSetPager.Member> members, Predicate<Notification> wanted, boolean aside) {
        Map<String, Notification> requested = new HashMap<>();
        for (SortedSetPager.Member member : members) {
            Notification notification = notification(member);
            // One of a type that only newer versions know is theirs to show.
            if (notification.type() != null && wanted.test(notification)) {
                requested.put(member.name(), notification);
            }
        }
        List<Long> about = requested.values().stream()
                .map(Notification::statusId)
                .filter(id -> id > 0)
                .distinct()
                .toList();
        Set<Long> actors = new HashSet<>();
        requested.values().forEach(notification -> actors.add(notification.actorId()));
        Future<NotificationPolicy> policy = policies.over(account, actors);
        Future<Set<Long>> muted = mutedConversations(account);
        Future<Map<Long, Status>> living = statuses.load(about);
        Future<Map<Long, Warning>> warned = warnings(account, requested.values());
        return Future.all(policy, muted, living, warned)
                .compose(all -> viewerRelationships.of(account, people(requested, living.result())))
                .map(relationships -> shown(
                        requested,
                        living.result(),
                        warned.result(),
                        new Listener(policy.result(), relationships, aside),
                        muted.result()));
    }

    /** The warnings of those of these that are about one, by their ids; no command when none is. */
    public Future<Map<Long, Warning>> warnings(long account, Collection<Notification> notifications) {
        return warnings.load(
                account,
                notifications.stream()
                        .filter(each -> each.type() == Notification.Type.MODERATION_WARNING)
                        .map(Notification::id)
                        .toList());
    }

    /** The statuses with which conversations began that the account wants to hear no more of. */
    public Future<Set<Long>> mutedConversations(long account) {
        return redis.send(MutedConversations.read(account)).map(MutedConversations::of);
    }

    private static Set<Long> people(Map<String, Notification> requested, Map<Long, Status> living) {
        Set<Long> people = new HashSet<>(ViewerRelationships.people(living.values()));
        requested.values().forEach(notification -> people.add(notification.actorId()));
        return people;
    }

    private static Map<String, Shown> shown(
            Map<String, Notification> requested,
            Map<Long, Status> living,
            Map<Long, Warning> warned,
            Listener listener,
            Set<Long> mutedConversations) {
        Map<String, Shown> shown = new HashMap<>();
        requested.forEach((member, notification) -> {
            Status status = living.get(notification.statusId());
            boolean there = notification.statusId() == 0
                    || (status != null
                            && listener.relationships().maySee(status)
                            && stands(notification, status)
                            && !mutedConversations.contains(status.conversationId()));
            Warning warning = warned.get(notification.id());
            boolean whole = warning != null || notification.type() != Notification.Type.MODERATION_WARNING;
            if (there && whole && listener.accepts(notification)) {
                shown.put(member, new Shown(notification, status, warning));
            }
        });
        return shown;
    }

    /**
     * Whether the notification still holds: an author who has taken a status out of a quote has nothing to do with the
     * quote any more.
     */
    private static boolean stands(Notification notification, Status about) {
        return notification.type() != Notification.Type.QUOTED_UPDATE
                || about.post().shown() != null;
    }

    /**
     * An account that is told.
     *
     * @param aside whether also of what its policy sets aside
     */
    public record Listener(NotificationPolicy policy, ViewerRelationships relationships, boolean aside) {
        public boolean accepts(Notification notification) {
            return relationships.notifies(notification.actorId())
                    && switch (policy.of(notification, relationships)) {
                        case ACCEPT -> true;
                        case FILTER -> aside;
                        case DROP -> false;
                    };
        }
    }

    /**
     * How many there are with higher ids than {@code after}, counted up to {@code max}.
     *
     * @param aside whether also those that the account's policy sets aside
     */
    public Future<Integer> count(long account, long after, int max, Predicate<Notification> wanted, boolean aside) {
        return page(account, new PageRequest(Id.MAX, after, 0, max), wanted, aside)
                .map(page -> page.items().size());
    }

    /** Throws one away; nothing when it is not there. */
    public Future<Void> dismiss(long account, long id) {
        return dismiss(account, Long.toString(id), Long.toString(id), "", "");
    }

    /** Throws a group of them away, shown or not; nothing when there is none. */
    public Future<Void> dismiss(long account, NotificationGroupKey key) {
        return key.type() == null
                ? dismiss(account, key.subject())
                : dismiss(
                        account,
                        Long.toString(key.first()),
                        Long.toString(key.last()),
                        key.type().wire(),
                        Long.toString(key.subject()));
    }

    /** Throws these away. */
    public Future<Void> dismiss(long account, List<Notification> notifications) {
        if (notifications.isEmpty()) {
            return Future.succeededFuture();
        }
        List<Object> args =
                new ArrayList<>(List.of(DISMISSED_MILLIS, settings.limits().notificationsMax()));
        notifications.forEach(each -> args.add(member(each)));
        List<String> keys = List.of(Keys.notifications(account), dismissed(account));
        return redis.send(DISMISS_SOME.call(keys, args.toArray())).mapEmpty();
    }

    /** Throws all of them away. */
    public Future<Void> clear(long account) {
        return dismiss(account, "-inf", "+inf", "", "");
    }

    private Future<Void> dismiss(long account, String low, String high, String type, String status) {
        List<String> keys = List.of(Keys.notifications(account), dismissed(account));
        int keep = settings.limits().notificationsMax();
        return redis.send(DISMISS.call(keys, low, high, DISMISSED_MILLIS, keep, type, status))
                .mapEmpty();
    }

    private static String dismissed(long account) {
        return Keys.ended("notifications", account);
    }
}

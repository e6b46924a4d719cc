package io.fanfare.core.conversation;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.NotificationPolicy;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.store.NotificationPolicies;
import io.fanfare.common.store.SortedSetPager;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Owns {@code conversations}, {@code conversation-lines} and {@code ended-conversations} keys: for each account the
 * direct messages that it takes part in, one conversation for each status with which they began and each set of other
 * participants, as in Mastodon. {@value #MAX} conversations stay, each with its newest {@value #STATUSES_MAX} statuses:
 * of more, the oldest goes in which the account has written nothing, or else the oldest. Jobs write them, so that all
 * is as if each status were added once and taken out once.
 *
 * <p>What is shown is asked at each read: a status that lives, that the account may see, and of whose author it wants
 * to hear (blocks, mutes with their notifications, {@link NotificationPolicy}). A conversation is not shown when there
 * is no such status, or when its account blocks or mutes all others.
 */
public class Conversations {
    /** Conversations of an account. */
    public static final int MAX = 500;

    /** Statuses that are kept of a conversation: those of before are in its thread. */
    public static final int STATUSES_MAX = 20;

    /** Statuses that have been taken out and are remembered, of an account. */
    private static final int ENDED_MAX = 1000;

    /** For how long: far longer than an ordinary job is under way. */
    private static final long ENDED_MILLIS = Duration.ofDays(1).toMillis();

    private static final String NOBODY = "-";

    private static final Script ADD = Script.load("conversation_add");
    private static final Script REMOVE = Script.load("conversation_remove");
    private static final Script READ = Script.load("conversation_read");
    private static final Script DROP = Script.load("conversation_drop");

    private final Redis redis;
    private final Statuses statuses;
    private final ViewerRelationshipsReader viewerRelationships;
    private final NotificationPolicies policies;

    public Conversations(Redis redis, Statuses statuses, ViewerRelationshipsReader viewerRelationships) {
        this.redis = redis;
        this.statuses = statuses;
        this.viewerRelationships = viewerRelationships;
        this.policies = new NotificationPolicies(redis);
    }

    /**
     * A change of a conversation.
     *
     * @param id of the conversation
     * @param change a new id for each change, by which it is sent once; 0 = nothing to send
     * @param added the status that has come; 0 = the conversation has been marked as read or unread
     */
    public record Change(long id, long change, long added) {}

    /**
     * A conversation as its account is shown it.
     *
     * @param change id of the newest change
     * @param others who takes part besides the account; nobody when it writes to itself
     * @param last the newest status that is shown
     */
    public record Shown(long id, long change, boolean unread, List<Long> others, Status last) {}

    /** Everybody who takes part in a direct message. */
    public static List<Long> participants(Status direct) {
        return Stream.concat(Stream.of(direct.authorId()), direct.post().recipients().stream())
                .distinct()
                .toList();
    }

    private static String others(long account, Status direct) {
        String others = participants(direct).stream()
                .filter(other -> other != account)
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        return others.isEmpty() ? NOBODY : others;
    }

    /**
     * Adds a direct message for one of its {@link #participants}; of a deleted account nothing. Doing it again changes
     * nothing.
     */
    public Future<Change> add(long account, Status direct) {
        int shard = Id.shard(account);
        List<String> keys = List.of(
                Keys.conversations(account),
                Keys.conversationLines(account),
                ended(account),
                Keys.ids(shard),
                Keys.user(account));
        return redis.send(ADD.call(
                        keys,
                        Script.CHECKED_NOW,
                        shard,
                        direct.id(),
                        direct.authorId() == account ? 1 : 0,
                        direct.conversationId(),
                        others(account, direct),
                        MAX,
                        STATUSES_MAX,
                        ENDED_MAX,
                        ENDED_MILLIS))
                .map(reply -> new Change(
                        reply.items().get(0).asLong(), reply.items().get(1).asLong(), direct.id()));
    }

    /** Takes a deleted one out again, for good; a tombstone is enough. */
    public Future<Void> remove(long account, Status direct) {
        List<String> keys = List.of(Keys.conversations(account), Keys.conversationLines(account), ended(account));
        return redis.sendSafely(REMOVE.call(
                        keys, direct.id(), direct.conversationId(), others(account, direct), ENDED_MAX, ENDED_MILLIS))
                .mapEmpty();
    }

    /** Marks one as read. Fails with {@link Refusal#unknown} when the account has none of that id. */
    public Future<Change> read(long account, long id) {
        return mark(account, id, /* unread= */ false);
    }

    /** Marks one as unread, all of it. Fails with {@link Refusal#unknown} when the account has none of that id. */
    public Future<Change> unread(long account, long id) {
        return mark(account, id, /* unread= */ true);
    }

    private Future<Change> mark(long account, long id, boolean unread) {
        int shard = Id.shard(account);
        List<String> keys = List.of(Keys.conversations(account), Keys.conversationLines(account), Keys.ids(shard));
        return redis.send(READ.call(keys, Script.CHECKED_NOW, shard, id, unread ? 1 : 0))
                .map(reply -> {
                    if (reply.isNil()) {
                        throw Refusal.unknown();
                    }
                    return new Change(id, reply.asLong(), /* added= */ 0);
                });
    }

    /** Takes one off the list of its account alone. Fails with {@link Refusal#unknown} when there is none. */
    public Future<Void> drop(long account, long id) {
        List<String> keys = List.of(Keys.conversations(account), Keys.conversationLines(account), ended(account));
        return redis.sendSafely(DROP.call(keys, id, ENDED_MAX, ENDED_MILLIS)).map(reply -> {
            if (reply.asLong() == 0) {
                throw Refusal.unknown();
            }
            return null;
        });
    }

    private static String ended(long account) {
        return Keys.ended("conversations", account);
    }

    /** The one with the newest status first; cursors are ids of statuses, as in Mastodon. */
    public Future<Page<Shown>> page(long account, PageRequest page) {
        return SortedSetPager.page(
                redis,
                Keys.conversations(account),
                page,
                members -> shown(
                        account, members.stream().map(SortedSetPager.Member::id).toList()));
    }

    /** One by its id, if it can be shown. */
    public Future<Optional<Shown>> find(long account, long id) {
        return shown(account, List.of(id)).map(found -> Optional.ofNullable(found.get(Long.toString(id))));
    }

    /**
     * A conversation as it lies in Redis.
     *
     * @param read the newest status that its account has read or written
     */
    private record Line(long id, long change, long read, List<Long> others, List<Long> statuses) {
        /** Null when it is none. */
        static Line of(long id, Reply reply) {
            String[] words = reply.isNil() ? new String[0] : reply.asString().split(" ", -1);
            return words.length < 6
                    ? null
                    : new Line(
                            id,
                            Long.parseLong(words[0]),
                            Long.parseLong(words[1]),
                            words[4].equals(NOBODY) ? List.of() : longs(words[4]),
                            longs(words[5]));
        }

        private static List<Long> longs(String list) {
            return Stream.of(list.split(",", -1)).map(Long::parseLong).toList();
        }

        long newest() {
            return statuses.get(statuses.size() - 1);
        }
    }

    /** The statuses that are kept of some conversations of an account, whoever has written them. */
    public Future<List<Long>> statuses(long account, List<Long> ids) {
        return lines(account, ids)
                .map(lines ->
                        lines.stream().flatMap(line -> line.statuses().stream()).toList());
    }

    private Future<List<Line>> lines(long account, List<Long> ids) {
        return redis.send(Command.of("HMGET", Keys.conversationLines(account), ids.toArray()))
                .map(reply -> {
                    List<Line> lines = new ArrayList<>();
                    for (int i = 0; i < ids.size(); i++) {
                        Line line = Line.of(ids.get(i), reply.items().get(i));
                        if (line != null) {
                            lines.add(line);
                        }
                    }
                    return lines;
                });
    }

    private Future<Map<String, Shown>> shown(long account, List<Long> ids) {
        return lines(account, ids).compose(lines -> sight(account, lines).compose(sight -> shown(lines, sight)));
    }

    private Future<Sight> sight(long account, List<Line> lines) {
        Set<Long> people = new HashSet<>();
        lines.forEach(line -> people.addAll(line.others()));
        Future<ViewerRelationships> relationships = viewerRelationships.of(account, people);
        Future<NotificationPolicy> policy = policies.over(account, people);
        return Future.all(relationships, policy)
                .map(read -> new Sight(account, relationships.result(), policy.result()));
    }

    /** Mostly the newest status is shown; all others are read only where it is not. */
    private Future<Map<String, Shown>> shown(List<Line> lines, Sight sight) {
        List<Line> wanted = lines.stream().filter(sight::wants).toList();
        return shown(wanted, sight, line -> List.of(line.newest())).compose(found -> {
            List<Line> left = wanted.stream()
                    .filter(line -> !found.containsKey(Long.toString(line.id())))
                    .toList();
            return left.isEmpty()
                    ? Future.succeededFuture(found)
                    : shown(left, sight, Line::statuses).map(more -> {
                        found.putAll(more);
                        return found;
                    });
        });
    }

    private Future<Map<String, Shown>> shown(List<Line> lines, Sight sight, Function<Line, List<Long>> statusIds) {
        List<Long> ids =
                lines.stream().flatMap(line -> statusIds.apply(line).stream()).toList();
        return statuses.load(ids).map(living -> {
            Map<String, Shown> shown = new HashMap<>();
            for (Line line : lines) {
                sight.newest(statusIds.apply(line), living)
                        .ifPresent(last -> shown.put(
                                Long.toString(line.id()),
                                new Shown(line.id(), line.change(), last.id() > line.read(), line.others(), last)));
            }
            return shown;
        });
    }

    /** The rules by which an account sees its conversations. */
    private record Sight(long account, ViewerRelationships relationships, NotificationPolicy policy) {
        boolean wants(Line line) {
            return line.others().isEmpty() || line.others().stream().anyMatch(relationships::notifies);
        }

        Optional<Status> newest(List<Long> ids, Map<Long, Status> living) {
            for (int i = ids.size() - 1; i >= 0; i--) {
                Status status = living.get(ids.get(i));
                if (status != null && shows(status)) {
                    return Optional.of(status);
                }
            }
            return Optional.empty();
        }

        private boolean shows(Status status) {
            long author = status.authorId();
            return relationships.maySee(status)
                    && (author == account || (relationships.notifies(author) && accepts(status)));
        }

        private boolean accepts(Status status) {
            Notification mention =
                    new Notification(status.id(), Notification.Type.MENTION, status.authorId(), status.id());
            return policy.of(mention, relationships) == NotificationPolicy.Choice.ACCEPT;
        }
    }

    /** The accounts of these, without repeats. */
    public static Set<Long> people(long account, Collection<Shown> entries) {
        Set<Long> people = new HashSet<>();
        entries.forEach(shown -> people.addAll(shown.others().isEmpty() ? List.of(account) : shown.others()));
        return people;
    }
}

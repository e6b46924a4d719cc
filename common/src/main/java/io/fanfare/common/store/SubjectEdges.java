package io.fanfare.common.store;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Notification;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.LinkScript.ArgName;
import io.fanfare.common.store.LinkScript.KeyName;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The far side of what accounts do to a status or to each other: the set of those who did it, in the slot of the
 * subject, with its counter and the notification to the subject's owner (who shares that slot). The near side, in the
 * slot of the account that does it, decides; the far side follows it, and a job finishes what a crash has cut. An
 * <em>edge</em> is the id that the near side gave to the act: unique and time-ordered.
 */
public class SubjectEdges {
    private static final Script UNLINK = Script.load("unlink");

    /**
     * For how long after its beginning the end of an edge is remembered, ms: far longer than any process stands still
     * and then goes on.
     */
    private static final long ENDS_MILLIS = Duration.ofDays(1).toMillis();

    /** Ends that are remembered of one set, about 100 KB. */
    private static final int ENDS_MAX = 1000;

    /** The answer of the scripts when Redis does not have the subject. */
    private static final long ABSENT = -2;

    /** Members in one call of a script: what Lua's patience allows. */
    static final int BULK = 90;

    /** The kinds of edges, each with the counter of its set. */
    public enum Kind {
        FOLLOW("followers"),
        BLOCK(""),
        /** Somebody asks to follow. */
        REQUEST(""),
        LIKE("likes"),
        REPOST("reposts"),
        QUOTE("quotes"),
        COMMENT("comments");

        private final String counter;

        /** @param counter field of the subject's HASH that holds the size of the set, empty = it is not counted */
        Kind(String counter) {
            this.counter = counter;
        }

        /** The key of the set at a subject: ZSET member by edge id. */
        public String set(long subject) {
            return switch (this) {
                case FOLLOW -> Keys.followers(subject);
                case BLOCK -> Keys.blockedBy(subject);
                case REQUEST -> Keys.requests(subject);
                case LIKE -> Keys.likes(subject);
                case REPOST -> Keys.reposts(subject);
                case QUOTE -> Keys.quotes(subject);
                case COMMENT -> Keys.comments(subject);
            };
        }

        /** The key of what has ended there: ZSET member by the edge that has ended. */
        public String ended(long subject) {
            return switch (this) {
                case FOLLOW -> Keys.unlinked(subject);
                case BLOCK -> Keys.ended("blockedby", subject);
                case REQUEST -> Keys.ended("requests", subject);
                case LIKE, REPOST, QUOTE, COMMENT -> Keys.ended(counter, subject);
            };
        }

        private boolean ofAccount() {
            return this == FOLLOW || this == BLOCK || this == REQUEST;
        }

        private String subject(long subject) {
            return ofAccount() ? Keys.user(subject) : Keys.status(subject);
        }

        /** A field that the subject has while it is there; empty for accounts, which stay. */
        private String living() {
            return ofAccount() ? "" : "uid";
        }
    }

    /**
     * The state of an edge on the far side.
     *
     * @param notification the id of the notification, also when it was there; 0 = there is none, or none any more
     * @param hasEnded an end of this edge or of a later one has kept it from being added
     * @param deleted the subject is an account that is deleted: nothing was added, and the near side has to end
     */
    public record Linked(long notification, boolean hasEnded, boolean deleted) {
        static final Linked HAS_ENDED = new Linked(0, true, false);
        static final Linked DELETED = new Linked(0, false, true);

        /** No notification is to be announced. */
        public static final Linked QUIET = new Linked(0, false, false);
    }

    private final Redis redis;
    private final Settings settings;
    private final ArchivedStatuses archived;

    /** @param archived where subjects are that are not in Redis */
    public SubjectEdges(Redis redis, Settings settings, ArchivedStatuses archived) {
        this.redis = redis;
        this.settings = settings;
        this.archived = archived;
    }

    /** Without an archive: what is not in Redis may be there, and can then not be written to. */
    public SubjectEdges(Redis redis, Settings settings) {
        this(redis, settings, new ArchivedStatuses(redis, settings, Archive.none()));
    }

    /** Sends the call again when its subject is archived; answers 0 when the subject is gone. */
    private Future<Long> send(long subject, Command call) {
        return archived.write(subject, () -> redis.send(call).map(Reply::asLong), answer -> answer == ABSENT)
                .map(answer -> answer == ABSENT ? 0 : answer);
    }

    /**
     * Adds the far side of an edge: set, counter and, when it was not there yet, the notification - one script. Keeps
     * the greater edge of a member. Does nothing when {@link #unlink} has ended this edge or a later one, or when the
     * subject is a status that is gone or an account that is deleted.
     *
     * @param member what the set holds: an account (FOLLOW, BLOCK, REQUEST, LIKE, REPOST) or a status (QUOTE, COMMENT)
     * @param edge of a quote and a comment the status's own id, of a repost the repost's
     * @param owner the subject's owner: the account itself, or the status's author
     * @param notification to the owner; null = none. Of what owners do themselves they are told nothing
     */
    public Future<Linked> link(Kind kind, long subject, long owner, long member, long edge, Notification notification) {
        return send(subject, link(kind, subject, owner, List.of(member, edge), encoded(notification, owner)))
                .map(LinkScript::result);
    }

    /**
     * The edge by which the far side lists a member although the near side does not have it; 0 = none. An edge begins
     * on the near side and ends there first, so that such a one is over: its end is on its way, or a failover has lost
     * it.
     *
     * @param stands whether the near side has an edge
     */
    public Future<Long> oneSided(Kind kind, long subject, long member, LongFunction<Future<Boolean>> stands) {
        return redis.send(Command.of("ZSCORE", kind.set(subject), member)).compose(score -> {
            long edge = score.isNil() ? 0 : score.asLong();
            return edge == 0 ? Future.succeededFuture(0L) : stands.apply(edge).map(there -> there ? 0L : edge);
        });
    }

    /** The edges of a subject by accounts, the oldest first, behind one (0 = from the first on). */
    public Future<List<Edge>> after(Kind kind, long subject, long edge, int limit) {
        return redis.send(Edges.upward(kind.set(subject), edge, Id.MAX, limit)).map(Edges::of);
    }

    /** Adds the far sides of many edges, without notifications. */
    Future<Void> linkAll(Kind kind, List<Many> subjects) {
        List<Command> calls = new ArrayList<>();
        for (Many many : subjects) {
            List<Long> pairs = many.membersAndEdges();
            for (int from = 0; from < pairs.size(); from += 2 * BULK) {
                List<Long> chunk = pairs.subList(from, Math.min(from + 2 * BULK, pairs.size()));
                calls.add(link(kind, many.subject(), many.owner(), chunk, ""));
            }
        }
        return BatchedPipeline.send(redis, calls).mapEmpty();
    }

    /** Edges of one subject: member, edge, member, edge and so on. */
    record Many(long subject, long owner, List<Long> membersAndEdges) {}

    private Command link(Kind kind, long subject, long owner, List<Long> membersAndEdges, String notification) {
        int shard = Id.shard(owner);
        return LinkScript.LINK
                .call()
                .key(KeyName.SUBJECT, kind.subject(subject))
                .key(KeyName.SET, kind.set(subject))
                .key(KeyName.ENDED, kind.ended(subject))
                .key(KeyName.NOTIFICATIONS, Keys.notifications(owner))
                .key(KeyName.IDS, Keys.notificationIds(shard))
                .key(KeyName.BLOCKS, Keys.blocks(owner))
                .key(KeyName.FORMER, Keys.ids(shard))
                .key(KeyName.SUBSCRIPTIONS, Keys.push(owner))
                .key(KeyName.STATS, Keys.queueStats(shard))
                .key(KeyName.LANE, Keys.lane(shard, PushSubscriptions.LANE.key()))
                .key(KeyName.DELAYED, Keys.delayed(shard))
                .arg(ArgName.NOW, "")
                .arg(ArgName.SHARD, shard)
                .arg(ArgName.LIVING, kind.living())
                .arg(ArgName.COUNTER, kind.counter)
                .arg(ArgName.NOTIFICATION, notification)
                .arg(ArgName.MAX, settings.limits().notificationsMax())
                .moreArgs(membersAndEdges)
                .command();
    }

    /**
     * Takes the far side back if it is still this edge, with its notification, and keeps it from coming back. Only for
     * an edge that has ended on the near side.
     */
    public Future<Void> unlink(Kind kind, long subject, long owner, long member, long edge, Notification notification) {
        List<String> keys =
                List.of(kind.subject(subject), kind.set(subject), kind.ended(subject), Keys.notifications(owner));
        Command call =
                UNLINK.call(keys, "", kind.counter, encoded(notification, owner), ENDS_MILLIS, ENDS_MAX, member, edge);
        return send(subject, call).mapEmpty();
    }

    private static String encoded(Notification notification, long owner) {
        return notification == null || notification.actorId() == owner ? "" : Notifications.member(notification);
    }
}

package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Notification;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.redis.Script;
import io.fanfare.common.settings.Settings;
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
    private static final Script LINK = Script.load("link");
    private static final Script UNLINK = Script.load("unlink");

    /**
     * For how long after its beginning the end of an edge is remembered, ms: far longer than any process stands still
     * and then goes on.
     */
    private static final long ENDS_MILLIS = Duration.ofDays(1).toMillis();

    /** Ends that are remembered of one set, about 100 KB. */
    private static final int ENDS_MAX = 1000;

    /** The answer of {@link #link} for an edge that is remembered as ended. */
    public static final long ENDED = -1;

    /** Members in one call of a script: what Lua's patience allows. */
    static final int BULK = 90;

    /** What can be done, by what its set counts. */
    public enum Kind {
        FOLLOW("followers"),
        BLOCK(""),
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
                case LIKE, REPOST, QUOTE, COMMENT -> Keys.ended(counter, subject);
            };
        }

        private boolean ofAccount() {
            return this == FOLLOW || this == BLOCK;
        }

        private String subject(long subject) {
            return ofAccount() ? Keys.user(subject) : Keys.status(subject);
        }

        /** A field that the subject has while it is there; empty for accounts, which stay. */
        private String living() {
            return ofAccount() ? "" : "uid";
        }
    }

    private final Redis redis;
    private final Settings settings;

    public SubjectEdges(Redis redis, Settings settings) {
        this.redis = redis;
        this.settings = settings;
    }

    /**
     * Adds the far side of an edge: set, counter and, when it was not there yet, the notification - one script. Keeps
     * the greater edge of a member. Does nothing when {@link #unlink} has ended this edge or a later one, or when the
     * subject is a status that is gone.
     *
     * <p>Answers the id of the notification, also when it was there; 0 = there is none, or none any more;
     * {@link #ENDED} when an end has kept it from being added.
     *
     * @param member what the set holds: an account (FOLLOW, BLOCK, LIKE, REPOST) or a status (QUOTE, COMMENT)
     * @param edge of a quote and a comment the status's own id, of a repost the repost's
     * @param owner the subject's owner: the account itself, or the status's author
     * @param notification to the owner; null = none. Of what owners do themselves they are told nothing
     */
    public Future<Long> link(Kind kind, long subject, long owner, long member, long edge, Notification notification) {
        return redis.send(link(kind, subject, owner, List.of(member, edge), word(notification, owner)))
                .map(Reply::asLong);
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

    /** Adds the far sides of many edges, without notifications. */
    Future<Void> linkAll(Kind kind, List<Many> subjects) {
        List<Command> calls = new ArrayList<>();
        for (Many many : subjects) {
            List<Long> pairs = many.membersAndEdges();
            for (int from = 0; from < pairs.size(); from += 2 * BULK) {
                List<Long> some = pairs.subList(from, Math.min(from + 2 * BULK, pairs.size()));
                calls.add(link(kind, many.subject(), many.owner(), some, ""));
            }
        }
        return BatchedPipeline.send(redis, calls).mapEmpty();
    }

    /** Edges of one subject: member, edge, member, edge and so on. */
    record Many(long subject, long owner, List<Long> membersAndEdges) {}

    private Command link(Kind kind, long subject, long owner, List<Long> membersAndEdges, String notification) {
        int shard = Id.shard(owner);
        List<String> keys = List.of(
                kind.subject(subject),
                kind.set(subject),
                kind.ended(subject),
                Keys.notifications(owner),
                Keys.notificationIds(shard),
                Keys.blocks(owner),
                Keys.ids(shard));
        List<Object> args = new ArrayList<>(List.of(
                "",
                shard,
                kind.living(),
                kind.counter,
                notification,
                settings.limits().notificationsMax()));
        args.addAll(membersAndEdges);
        return LINK.call(keys, args.toArray());
    }

    /**
     * Takes the far side back if it is still this edge, with its notification, and keeps it from coming back. Only for
     * an edge that has ended on the near side.
     */
    public Future<Void> unlink(Kind kind, long subject, long owner, long member, long edge, Notification notification) {
        List<String> keys =
                List.of(kind.subject(subject), kind.set(subject), kind.ended(subject), Keys.notifications(owner));
        return redis.send(UNLINK.call(
                        keys, "", kind.counter, word(notification, owner), ENDS_MILLIS, ENDS_MAX, member, edge))
                .mapEmpty();
    }

    private static String word(Notification notification, long owner) {
        return notification == null || notification.actorId() == owner ? "" : Notifications.member(notification);
    }
}

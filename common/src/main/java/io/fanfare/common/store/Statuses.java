package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Post.Kind;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.Status;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.redis.Script;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.view.RenderCache;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Owns {@code status} (fields: {@link StatusCodec}), {@code profile}, {@code outbox}, {@code reblogged},
 * {@code comments-by} and {@code idem} keys.
 *
 * <p>A profile holds every living post: it is not cut at its thousand newest before there is an archive to take the
 * rest, or posts would be lost. For the same reason {@code archived}, the highest id that has left a profile for the
 * archive, is read as 0. An outbox is always the newest {@code feeds.outbox-max} of its profile.
 */
public class Statuses {
    private static final Script POST = Script.load("post");
    private static final Script DELETE = Script.load("delete");
    private static final Script DIAL_END = Script.load("dial_end");
    private static final Duration IDEMPOTENCY = Duration.ofHours(1);

    /** How long readers are told of an author to pull before the first post is left to them. */
    public static final Duration DIAL_LEASE = Duration.ofSeconds(10);

    /** The part of a home that a catch-up delivers at most; older posts of the time are read on the profile. */
    private static final int CATCH_UP_PART = 10;

    private final Redis redis;
    private final Settings settings;
    private final RenderCache cache;
    private final Duration dialLease;

    public Statuses(Redis redis, Settings settings) {
        this(redis, settings, RenderCache.none());
    }

    /** @param cache what is in there is not read again; only whether it still lives, and its counters */
    public Statuses(Redis redis, Settings settings, RenderCache cache) {
        this(redis, settings, cache, DIAL_LEASE);
    }

    /** The same with another lease than {@link #DIAL_LEASE}: for tests. */
    protected Statuses(Redis redis, Settings settings, RenderCache cache, Duration dialLease) {
        this.redis = redis;
        this.settings = settings;
        this.cache = cache;
        this.dialLease = dialLease;
    }

    /**
     * What posting answered.
     *
     * @param repeated the Idempotency-Key had been used or the original reposted, this is the status made then
     * @param author its author as of that moment; null = has to be read
     */
    public record Posted(Status status, boolean repeated, Account author) {
        Posted(Status status, boolean repeated) {
            this(status, repeated, null);
        }
    }

    /**
     * Publishes: one script assigns the id, stores the status, adds it to profile, outbox and own home, counts it and
     * enqueues its fan-out job - all or nothing. A comment is in the list of its author's comments instead and not
     * counted; a repost of what its author has reposted already answers that repost.
     *
     * <p>Fails with {@code Refusal(FORBIDDEN)} when the author has no active account, {@code Refusal(OVERLOADED)} when
     * {@code queue.depth-max} jobs wait already, and a {@link io.fanfare.common.redis.RedisError} when Redis is away or
     * full. After {@code LOST} the status may have been published: repeat with the same idempotency key.
     *
     * @param once null = a new status whatever was published before. When its key was used within an hour to ask for
     *     something else: {@code Refusal(INVALID)}; after the status made with it was deleted:
     *     {@code Refusal(NOT_FOUND)}
     */
    public Future<Posted> post(Post post, IdempotentRequest once) {
        return send(post, once, "").map(Optional::orElseThrow);
    }

    /**
     * The same for an author who has changed nothing of the account since it was at {@code rev}; else empty, and
     * nothing is done.
     */
    public Future<Optional<Posted>> post(Post post, IdempotentRequest once, long rev) {
        return send(post, once, rev);
    }

    /**
     * What the same request has published within the last hour; empty = nothing so far, which {@link #post(Post,
     * IdempotentRequest)} asks again. Fails as that does for the key. For whoever must read what the request refers to
     * before there is a draft: it may be gone by now.
     */
    public Future<Optional<Posted>> earlier(long author, IdempotentRequest once) {
        return redis.send(Command.of("GET", idempotency(author, once)))
                .compose(record ->
                        record.isNil() ? Future.succeededFuture(Optional.empty()) : earlier(record.asString(), once));
    }

    /** @param record as post.lua writes it */
    private Future<Optional<Posted>> earlier(String record, IdempotentRequest once) {
        int space = record.indexOf(' ');
        return record.substring(space + 1).equals(digest(once.asked()))
                ? find(Long.parseLong(record.substring(0, space))).compose(Statuses::repeated)
                : conflict();
    }

    private static String idempotency(long author, IdempotentRequest once) {
        return Keys.idempotency(author, digest(List.of(once.key())));
    }

    /** @param rev a number; empty = any */
    private Future<Optional<Posted>> send(Post post, IdempotentRequest once, Object rev) {
        return redis.send(postCall(post, once, rev)).compose(reply -> posted(post, once, rev, reply.items()));
    }

    private Command postCall(Post post, IdempotentRequest once, Object rev) {
        long author = post.authorId();
        int shard = Id.shard(author);
        List<String> keys = new ArrayList<>(List.of(
                Keys.user(author),
                Keys.ids(shard),
                Keys.profile(author),
                Keys.outbox(author),
                Keys.home(author),
                Keys.queueStats(shard)));
        for (Lane lane : List.of(Lane.HIGH, Lane.NORMAL, Lane.LOW)) {
            keys.add(Keys.lane(shard, lane.key()));
        }
        keys.add(Keys.reblogged(author));
        keys.add(Keys.counts(shard));
        keys.add(Keys.commentsBy(author));
        keys.add(Keys.pulledAuthors(shard));
        if (once != null) {
            keys.add(idempotency(author, once));
        }
        Settings.Feeds feeds = settings.feeds();
        List<Object> args = new ArrayList<>(List.of(
                Script.CHECKED_NOW,
                shard,
                author,
                Keys.statusPrefix(author),
                feeds.outboxMax(),
                feeds.homeMax(),
                feeds.homeSlack(),
                feeds.fanOutPage(),
                Lane.NORMAL_MAX,
                settings.queue().depthMax(),
                once == null ? "" : digest(once.asked()),
                IDEMPOTENCY.toSeconds(),
                StatusCodec.word(post.kind()),
                post.kind() == Kind.REPOST ? post.original().statusId() : "",
                rev,
                feeds.pushMaxFollowers(),
                dialLease.toMillis()));
        args.addAll(StatusCodec.fields(post));
        return POST.call(keys, args.toArray());
    }

    private Future<Optional<Posted>> posted(Post post, IdempotentRequest once, Object rev, List<Reply> answer) {
        return switch (answer.get(0).asString()) {
            case "posted" -> Future.succeededFuture(Optional.of(posted(post, answer)));
            case "outdated" -> Future.succeededFuture(Optional.empty());
            case "repeated" -> find(answer.get(1).asLong()).compose(Statuses::repeated);
            // When the earlier repost has been taken back meanwhile, there is none any more that stands in the way.
            case "reposted" ->
                find(answer.get(1).asLong())
                        .compose(earlier -> earlier.isPresent() ? repeated(earlier) : send(post, once, rev));
            case "conflict" -> conflict();
            case "inactive" -> refuse(Reason.FORBIDDEN, "This account cannot post.");
            case "full" ->
                refuse(
                        Reason.OVERLOADED,
                        "Too many posts are still on their way to their readers: try again in a few seconds.");
            default -> throw new IllegalStateException("post answered " + answer + " to " + post.authorId());
        };
    }

    private Posted posted(Post post, List<Reply> answer) {
        Account known = cache.account(post.authorId());
        boolean holds = known != null && known.rev() == answer.get(2).asLong();
        Account author =
                holds ? Accounts.counted(known, answer.get(3), answer.get(4), answer.get(5), answer.get(6)) : null;
        return new Posted(new Status(answer.get(1).asLong(), post, Counters.NONE), false, author);
    }

    private static Future<Optional<Posted>> repeated(Optional<Status> status) {
        return status.isPresent()
                ? Future.succeededFuture(Optional.of(new Posted(status.get(), true)))
                : refuse(
                        Reason.NOT_FOUND,
                        "The status made with this Idempotency-Key has been deleted: post it with a new one.");
    }

    private static <T> Future<T> conflict() {
        return refuse(
                Reason.INVALID,
                "This Idempotency-Key was used for another status within the last hour: use a new one.");
    }

    private static <T> Future<T> refuse(Reason reason, String message) {
        return Future.failedFuture(new Refusal(reason, message));
    }

    /**
     * What an author has posted while readers pulled: the newest ids of that time, as many as a catch-up delivers.
     *
     * @param from the first of them
     * @param to the first that is pushed again
     */
    public Future<IdRange> pulled(long author, long from, long to) {
        int limit = Math.max(1, settings.feeds().homeMax() / CATCH_UP_PART);
        return redis.send(between(author, from - 1, to, limit)).map(reply -> older(reply, limit));
    }

    /**
     * Ends the pulling of an author whose followers' homes have caught up with the posts between these ids; false when
     * the dial has turned since.
     */
    public Future<Boolean> endPull(long author, long from, long to) {
        return redis.send(DIAL_END.call(
                        List.of(Keys.user(author), Keys.pulledAuthors(Id.shard(author))), author, from, to))
                .map(ended -> ended.asLong() == 1);
    }

    /** The status, if it exists and is not deleted. Says nothing about who may see it. */
    public Future<Optional<Status>> find(long id) {
        Post known = cache.post(id);
        return redis.send(read(id, known)).map(reply -> living(id, known, reply));
    }

    /**
     * What is left of a deleted status: id, author, visibility, kind and the statuses it refers to. Empty when it
     * lives, never existed, or was deleted more than {@code feeds.tombstone-days} ago.
     */
    public Future<Optional<Status>> findDeleted(long id) {
        return redis.send(Command.of("HGETALL", Keys.status(id))).map(reply -> StatusCodec.gone(id, reply));
    }

    /** The living ones among these, by id; one round trip per node. */
    public Future<Map<Long, Status>> load(Collection<Long> ids) {
        return load(ids, Redis.NOW);
    }

    /** The same as they were at any instant since a moment: see {@link Redis#pipeline(List, long)}. */
    public Future<Map<Long, Status>> load(Collection<Long> ids, long since) {
        List<Long> wanted = List.copyOf(ids);
        List<Post> known = new ArrayList<>(wanted.size());
        List<Command> commands = new ArrayList<>(wanted.size());
        for (long id : wanted) {
            Post post = cache.post(id);
            known.add(post);
            commands.add(read(id, post));
        }
        return BatchedPipeline.send(redis, commands, since).map(replies -> living(wanted, known, replies));
    }

    /** What never changes of a status; null when it is not remembered. Says nothing about whether it still lives. */
    public Post recall(long id) {
        return cache.post(id);
    }

    /**
     * Deletes the author's status: tombstone, author's lists, counters and clean-up job in one script. Answers the
     * status as it was; empty when there is none, when it is deleted already, or when it is somebody else's.
     */
    public Future<Optional<Status>> delete(long author, long id) {
        if (Id.shard(author) != Id.shard(id)) {
            // Somebody else's, as its id tells; and the script must not name keys of two slots.
            return Future.succeededFuture(Optional.empty());
        }
        int shard = Id.shard(author);
        List<String> keys = new ArrayList<>(List.of(
                Keys.user(author),
                Keys.status(id),
                Keys.profile(author),
                Keys.outbox(author),
                Keys.home(author),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()),
                Keys.reblogged(author),
                Keys.counts(shard),
                Keys.commentsBy(author)));
        keys.addAll(keptAbout(id));
        Duration tombstone = Duration.ofDays(settings.feeds().tombstoneDays());
        return redis.send(DELETE.call(
                        keys,
                        "",
                        author,
                        id,
                        tombstone.toSeconds(),
                        settings.feeds().outboxMax()))
                .map(reply -> StatusCodec.living(id, reply));
    }

    /** What was done to a status; it goes with it. */
    private static List<String> keptAbout(long id) {
        List<String> keys =
                new ArrayList<>(List.of(Keys.likes(id), Keys.reposts(id), Keys.quotes(id), Keys.comments(id)));
        for (String family : List.of("likes", "reposts", "quotes", "comments")) {
            keys.add(Keys.ended(family, id));
        }
        return keys;
    }

    /** The account's repost of a status; empty when it has not reposted it. */
    public Future<Optional<Long>> repostOf(long original, long account) {
        return redis.send(Command.of("ZSCORE", Keys.reblogged(account), original))
                .map(repost -> repost.isNil() ? Optional.empty() : Optional.of(repost.asLong()));
    }

    /**
     * The author's newest posts, as many as a home could hold of them: what a backfill merges and a clean-up takes out.
     */
    public Future<IdRange> recent(long author) {
        int limit = settings.feeds().homeMax();
        return redis.send(older(author, Id.MAX, limit)).map(reply -> older(reply, limit));
    }

    /** Reads an author's posts below an id, newest first. */
    public static Command older(long author, long below, int limit) {
        return Command.of("ZRANGE", Keys.profile(author), "(" + below, "0", "BYSCORE", "REV", "LIMIT", 0, limit);
    }

    /** The answer to {@link #older(long, long, int)} with the same limit. */
    public static IdRange older(Reply reply, int limit) {
        List<Long> ids = longs(reply);
        return new IdRange(ids, ids.size() == limit ? ids.get(limit - 1) - 1 : 0);
    }

    /** Reads an author's posts between two ids, both exclusive, newest first. */
    public static Command between(long author, long above, long below, int limit) {
        return Command.of(
                "ZRANGE", Keys.profile(author), "(" + below, "(" + above, "BYSCORE", "REV", "LIMIT", 0, limit);
    }

    /** Reads an author's posts between two ids, both exclusive, oldest first. */
    public static Command newer(long author, long above, long below, int limit) {
        return Command.of("ZRANGE", Keys.profile(author), "(" + above, "(" + below, "BYSCORE", "LIMIT", 0, limit);
    }

    public static List<Long> longs(Reply reply) {
        List<Long> values = new ArrayList<>(reply.items().size());
        for (Reply item : reply.items()) {
            values.add(item.asLong());
        }
        return values;
    }

    private static Command read(long id, Post known) {
        return known == null
                ? Command.of("HGETALL", Keys.status(id))
                : Command.tracked("HMGET", Keys.status(id), StatusCodec.CHANGING);
    }

    private static Optional<Status> living(long id, Post known, Reply reply) {
        return known == null ? StatusCodec.living(id, reply) : StatusCodec.living(id, known, reply);
    }

    private static Map<Long, Status> living(List<Long> ids, List<Post> known, List<Reply> replies) {
        Map<Long, Status> statuses = new HashMap<>(ids.size() * 2);
        for (int i = 0; i < ids.size(); i++) {
            living(ids.get(i), known.get(i), replies.get(i)).ifPresent(status -> statuses.put(status.id(), status));
        }
        return statuses;
    }

    /**
     * 128 bits are plenty: keys of one author are compared with each other only. Lengths keep neighbouring texts apart.
     */
    private static String digest(List<String> parts) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (String part : parts) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                sha.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
                sha.update(bytes);
            }
            return HexFormat.of().formatHex(sha.digest(), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

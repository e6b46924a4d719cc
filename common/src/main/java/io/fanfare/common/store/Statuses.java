package io.fanfare.common.store;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Post.Kind;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Status;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.PostScript.ArgName;
import io.fanfare.common.store.PostScript.KeyName;
import io.fanfare.common.store.PostScript.Result;
import io.fanfare.common.view.RenderCache;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
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
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Owns {@code status} (fields: {@link StatusCodec}), {@code profile}, {@code outbox}, {@code reblogged},
 * {@code comments-by} and {@code idem} keys.
 *
 * <p>A profile holds the living posts above its author's border; those up to it are in the archive, see
 * {@link ArchivedStatuses}. An outbox is always the newest {@code feeds.outbox-max} of its profile.
 */
public class Statuses {
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
    private final byte[] limits;
    private final ArchivedStatuses archived;

    public Statuses(Redis redis, Settings settings) {
        this(redis, settings, RenderCache.none());
    }

    /** @param cache what is in there is not read again; only whether it still lives, and its counters */
    public Statuses(Redis redis, Settings settings, RenderCache cache) {
        this(redis, settings, cache, DIAL_LEASE, Archive.none());
    }

    /** @param archive where statuses are that have left Redis */
    public Statuses(Redis redis, Settings settings, RenderCache cache, Archive archive) {
        this(redis, settings, cache, DIAL_LEASE, archive);
    }

    /** The same with another lease than {@link #DIAL_LEASE}: for tests. */
    protected Statuses(Redis redis, Settings settings, RenderCache cache, Duration dialLease, Archive archive) {
        this.redis = redis;
        this.settings = settings;
        this.cache = cache;
        this.limits = limits(settings, dialLease);
        this.archived = new ArchivedStatuses(redis, settings, archive);
    }

    /** The statuses that have left Redis. */
    public ArchivedStatuses archived() {
        return archived;
    }

    /**
     * The result of posting.
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
     * enqueues its fan-out job - all or nothing. A comment is in the list of its author's comments instead, a direct
     * message in none, and neither is counted; a repost of what its author has reposted already answers that repost.
     *
     * <p>Fails with {@code Refusal(FORBIDDEN)} when the author has no active account, {@code Refusal(OVERLOADED)} when
     * {@code queue.depth-max} jobs wait already, and a {@link io.fanfare.redis.RedisError} when Redis is away or full.
     * After {@code LOST} the status may have been published: repeat with the same idempotency key.
     *
     * @param once null = a new status whatever was published before. When its key was used within an hour to ask for
     *     something else: {@code Refusal(INVALID)}; after the status made with it was deleted:
     *     {@code Refusal(NOT_FOUND)}
     */
    public Future<Posted> post(Post post, IdempotentRequest once) {
        return send(post, once, "").map(Optional::orElseThrow);
    }

    /** The same of an author whom no moderator has restricted; else empty, and nothing is done. */
    public Future<Optional<Posted>> postUnrestricted(Post post, IdempotentRequest once) {
        return send(post, once, "");
    }

    /**
     * The same for an author who has changed nothing of the account since it was at {@code rev}; else empty, and
     * nothing is done.
     */
    public Future<Optional<Posted>> post(Post post, IdempotentRequest once, long rev) {
        return send(post, once, rev);
    }

    /**
     * Publishes what its author has scheduled, which is kept no longer from the same moment on: it becomes one status,
     * however often this is called. Fails with {@code Refusal(OVERLOADED)} when the account has changed since it was at
     * {@code rev}.
     *
     * @return empty = it is not scheduled for that moment, or not any more, and nothing is done. Fails as
     *     {@link #post(Post, IdempotentRequest)} does
     */
    public Future<Optional<Posted>> postScheduled(Post post, ScheduledStatus scheduled, long rev) {
        IdempotentRequest once = IdempotentRequest.of("\n" + scheduled.id(), scheduled.dueMillis());
        return redis.send(postCall(post, once, rev, scheduled)).compose(reply -> {
            Result result = Result.of(reply);
            return result.outcome() == PostScript.Outcome.OUTDATED
                    ? refuse(Reason.OVERLOADED, "The account has changed meanwhile: the post is made again.")
                    : posted(post, once, rev, result);
        });
    }

    /**
     * The status that the same request has published within the last hour; empty = none so far, which
     * {@link #post(Post, IdempotentRequest)} checks again. Fails as that does for the key. For callers that must read
     * the subjects of the request before there is a draft: they may be gone by now.
     */
    public Future<Optional<Posted>> earlier(long author, IdempotentRequest once) {
        return redis.send(Command.of("GET", idempotency(author, once)))
                .compose(record ->
                        record.isNil() ? Future.succeededFuture(Optional.empty()) : earlier(record.asString(), once));
    }

    /** @param record as post.lua writes it */
    private Future<Optional<Posted>> earlier(String record, IdempotentRequest once) {
        int space = record.indexOf(' ');
        return record.substring(space + 1).equals(digest(once.values()))
                ? find(Long.parseLong(record.substring(0, space))).compose(Statuses::repeated)
                : conflict();
    }

    public static String idempotency(long author, IdempotentRequest once) {
        return Keys.idempotency(author, digest(List.of(once.key())));
    }

    /** @param rev a number; empty = any */
    private Future<Optional<Posted>> send(Post post, IdempotentRequest once, Object rev) {
        return redis.send(postCall(post, once, rev, null)).compose(reply -> posted(post, once, rev, Result.of(reply)));
    }

    /** @param scheduled null = it is new; else there is a {@code once} */
    private Command postCall(Post post, IdempotentRequest once, Object rev, ScheduledStatus scheduled) {
        long author = post.authorId();
        int shard = Id.shard(author);
        boolean isRepost = post.kind() == Kind.REPOST;
        boolean isListed = isRepost || post.kind() == Kind.POST;
        boolean takesUploads =
                scheduled == null && !post.content().attachments().isEmpty();
        Poll poll = post.content().poll();
        return PostScript.POST
                .call()
                .key(KeyName.USER, Keys.user(author))
                .key(KeyName.IDS, Keys.ids(shard))
                .key(KeyName.PROFILE, Keys.profile(author))
                .key(KeyName.OUTBOX, Keys.outbox(author))
                .key(KeyName.HOME, Keys.home(author))
                .key(KeyName.STATS, Keys.queueStats(shard))
                .key(KeyName.HIGH, Keys.lane(shard, Lane.HIGH.key()))
                .key(KeyName.NORMAL, Keys.lane(shard, Lane.NORMAL.key()))
                .key(KeyName.LOW, Keys.lane(shard, Lane.LOW.key()))
                .key(KeyName.COUNTS, Keys.counts(shard))
                .key(KeyName.PULLED_AUTHORS, Keys.pulledAuthors(shard))
                .key(KeyName.ARCHIVE_DUE, Keys.archiveDue(shard))
                .optionalKey(KeyName.IDEM, once == null ? null : idempotency(author, once))
                .optionalKey(KeyName.REBLOGGED, isRepost ? Keys.reblogged(author) : null)
                .optionalKey(KeyName.COMMENTS_BY, isListed ? null : Keys.commentsBy(author))
                .optionalKey(KeyName.UPLOADS, takesUploads ? Keys.uploads(author) : null)
                .optionalKey(KeyName.MEDIA_DUE, takesUploads ? Keys.mediaDue(shard) : null)
                .optionalKey(KeyName.TIMERS, poll == null ? null : Keys.timers(shard))
                .optionalKey(KeyName.SCHEDULED, scheduled == null ? null : Keys.scheduled(author))
                .optionalKey(KeyName.SCHEDULED_WORDS, scheduled == null ? null : Keys.scheduledWords(author))
                .arg(ArgName.NOW, Script.CHECKED_NOW)
                .arg(ArgName.SHARD, shard)
                .arg(ArgName.AUTHOR, author)
                .arg(ArgName.PREFIX, new Command.Named(Keys.statusPrefix(author)))
                .arg(ArgName.LIMITS, limits)
                .arg(ArgName.OUTBOX_END, -1 - settings.feeds().outboxMax())
                .arg(ArgName.KIND, StatusCodec.wire(post.kind()))
                .arg(ArgName.REV, rev)
                .arg(ArgName.DIGEST, once == null ? "" : digest(once.values()))
                .arg(ArgName.ORIGINAL, isRepost ? post.original().statusId() : "")
                .arg(ArgName.MEDIA, takesUploads ? mediaIds(post) : "")
                .arg(ArgName.POLL_ENDS, poll == null ? "" : poll.endsMillis())
                .arg(ArgName.DUE, scheduled == null ? "" : scheduled.id() + " " + scheduled.dueMillis())
                .moreArgs(StatusCodec.fields(post))
                .command();
    }

    /** In the order of post.lua's header. */
    private static byte[] limits(Settings settings, Duration dialLease) {
        Settings.Feeds feeds = settings.feeds();
        return PostScript.limits(
                feeds.homeMax(),
                feeds.homeSlack(),
                feeds.fanOutPage(),
                Lane.NORMAL_MAX,
                settings.queue().depthMax(),
                feeds.pushMaxFollowers(),
                dialLease.toMillis(),
                profileCap(settings.archive()),
                settings.archive().age().toMillis(),
                IDEMPOTENCY.toSeconds());
    }

    /** A twentieth more than what stays, so that statuses move many at a time, and memory stays within that of it. */
    private static int profileCap(Settings.Archive archive) {
        int most = archive.profileMax();
        return most + most / 20;
    }

    private static String mediaIds(Post post) {
        return post.content().attachments().stream()
                .map(attachment -> Long.toString(attachment.id()))
                .collect(Collectors.joining(" "));
    }

    private Future<Optional<Posted>> posted(Post post, IdempotentRequest once, Object rev, Result result) {
        return switch (result.outcome()) {
            case POSTED -> Future.succeededFuture(Optional.of(posted(post, result)));
            case OUTDATED, UNSCHEDULED -> Future.succeededFuture(Optional.empty());
            case REPEATED -> find(result.id()).compose(Statuses::repeated);
            // When the earlier repost has been taken back meanwhile, there is none any more that stands in the way.
            case REPOSTED ->
                find(result.id()).compose(earlier -> earlier.isPresent() ? repeated(earlier) : send(post, once, rev));
            case CONFLICT -> conflict();
            case INACTIVE -> refuse(Reason.FORBIDDEN, "This account cannot post.");
            case MEDIA -> Future.failedFuture(Uploads.unknown());
            case FULL ->
                refuse(
                        Reason.OVERLOADED,
                        "Too many posts are still on their way to their readers: try again in a few seconds.");
        };
    }

    private Posted posted(Post post, Result result) {
        PostScript.Author now = result.author();
        Account known = cache.account(post.authorId());
        Account author = known != null && known.rev() == now.rev()
                ? Accounts.counted(known, now.followers(), now.following(), now.posts(), now.last())
                : null;
        return new Posted(new Status(result.id(), post, Counters.NONE), false, author);
    }

    private static Future<Optional<Posted>> repeated(Optional<Status> status) {
        return status.isPresent()
                ? Future.succeededFuture(Optional.of(new Posted(status.get(), true)))
                : refuse(
                        Reason.NOT_FOUND,
                        "The status made with this Idempotency-Key has been deleted: post it with a new one.");
    }

    public static <T> Future<T> conflict() {
        return refuse(
                Reason.INVALID,
                "This Idempotency-Key was used for another status within the last hour: use a new one.");
    }

    private static <T> Future<T> refuse(Reason reason, String message) {
        return Future.failedFuture(new Refusal(reason, message));
    }

    /**
     * The posts of an author while readers pulled: the newest ids of that time, as many as a catch-up delivers.
     *
     * @param from the first of them
     * @param to the first that is pushed again
     */
    public Future<IdRange> pulled(long author, long from, long to) {
        int limit = Math.max(1, settings.feeds().homeMax() / CATCH_UP_PART);
        return honest(author, redis.send(between(author, from - 1, to, limit)).map(reply -> older(reply, limit)));
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
        return redis.send(read(id, known)).compose(reply -> {
            if (known != null && StatusCodec.isOutdated(known, reply)) {
                return redis.send(read(id, null)).compose(whole -> found(id, null, whole));
            }
            return found(id, known, reply);
        });
    }

    private Future<Optional<Status>> found(long id, Post known, Reply reply) {
        Optional<Status> living = living(id, known, reply);
        return living.isPresent() || !isMissing(known, reply)
                ? Future.succeededFuture(living)
                : archived.load(List.of(id))
                        .compose(Statuses::reached)
                        .map(found -> Optional.ofNullable(found.get(id)));
    }

    private static Future<Map<Long, Status>> reached(ArchivedStatuses.Loaded loaded) {
        return loaded.unreachable().isEmpty()
                ? Future.succeededFuture(loaded.found())
                : Future.failedFuture(Archive.AWAY);
    }

    /** Whether Redis has nothing at all, which it has of what is archived. */
    private static boolean isMissing(Post known, Reply reply) {
        return known == null
                ? reply.items().isEmpty()
                : reply.items().get(0).isNil() && reply.items().get(1).isNil();
    }

    /**
     * The rest of a deleted status: id, author, visibility, kind and the statuses it refers to. Empty when it lives,
     * never existed, or was deleted more than {@code feeds.tombstone-days} ago.
     */
    public Future<Optional<Status>> findDeleted(long id) {
        return redis.send(Command.of("HGETALL", Keys.status(id))).map(reply -> StatusCodec.gone(id, reply));
    }

    /**
     * The living ones among these, by id; one round trip per node. Fails with {@link Archive#AWAY} when it cannot be
     * told of one, since who does not find it may take it for deleted.
     */
    public Future<Map<Long, Status>> load(Collection<Long> ids) {
        return reachable(ids, Redis.NOW)
                .compose(loaded -> loaded.unreachable().isEmpty()
                        ? Future.succeededFuture(loaded.living())
                        : Future.failedFuture(Archive.AWAY));
    }

    /**
     * The known ones of some statuses.
     *
     * @param unreachable those of which only the archive knows, while it does not answer
     */
    public record Reachable(Map<Long, Status> living, Set<Long> unreachable) {}

    /** The same as they were at any instant since a moment: see {@link Redis#pipeline(List, long)}. */
    public Future<Reachable> reachable(Collection<Long> ids, long since) {
        List<Long> wanted = List.copyOf(ids);
        List<Post> known = new ArrayList<>(wanted.size());
        List<Command> commands = new ArrayList<>(wanted.size());
        for (long id : wanted) {
            Post post = cache.post(id);
            known.add(post);
            commands.add(read(id, post));
        }
        return BatchedPipeline.send(redis, commands, since).compose(replies -> {
            Map<Long, Status> living = living(wanted, known, replies);
            List<Long> outdated = outdated(wanted, known, replies);
            Future<Map<Long, Status>> whole =
                    outdated.isEmpty() ? Future.succeededFuture(living) : reload(outdated, living);
            List<Long> missing = new ArrayList<>();
            for (int i = 0; i < wanted.size(); i++) {
                if (isMissing(known.get(i), replies.get(i))) {
                    missing.add(wanted.get(i));
                }
            }
            return whole.compose(current -> missing.isEmpty()
                    ? Future.succeededFuture(new Reachable(current, Set.of()))
                    : archived.load(missing).map(loaded -> {
                        current.putAll(loaded.found());
                        return new Reachable(current, loaded.unreachable());
                    }));
        });
    }

    private static List<Long> outdated(List<Long> ids, List<Post> known, List<Reply> replies) {
        List<Long> outdated = new ArrayList<>(0);
        for (int i = 0; i < ids.size(); i++) {
            if (known.get(i) != null && StatusCodec.isOutdated(known.get(i), replies.get(i))) {
                outdated.add(ids.get(i));
            }
        }
        return outdated;
    }

    /**
     * Reads those anew that were edited since they were remembered: once each, since they are remembered as they are.
     */
    private Future<Map<Long, Status>> reload(List<Long> outdated, Map<Long, Status> living) {
        List<Command> commands =
                outdated.stream().map(id -> read(id, /* known= */ null)).toList();
        return BatchedPipeline.send(redis, commands).map(replies -> {
            for (int i = 0; i < outdated.size(); i++) {
                long id = outdated.get(i);
                living.remove(id);
                StatusCodec.living(id, replies.get(i)).ifPresent(status -> living.put(id, status));
            }
            return living;
        });
    }

    /**
     * A status as it was when it was remembered; null when it is not. Says nothing about whether it still lives, nor
     * about edits since: for what never changes.
     */
    public Post recall(long id) {
        return cache.post(id);
    }

    /**
     * Deletes the author's status: tombstone, author's lists, counters and clean-up job in one script. Answers the
     * status as it was; empty when there is none, when it is deleted already, or when it is somebody else's. The files
     * of its pictures are deleted by and by.
     */
    public Future<Optional<Status>> delete(long author, long id) {
        return delete(author, id, false);
    }

    /**
     * The same.
     *
     * @param keepsPictures whether its pictures become uploads again for a day, so that they can be posted with other
     *     words; those for which there is no room among the author's uploads are deleted all the same
     */
    public Future<Optional<Status>> delete(long author, long id, boolean keepsPictures) {
        if (Id.shard(author) != Id.shard(id)) {
            // Somebody else's, as its id tells; and the script must not name keys of two slots.
            return Future.succeededFuture(Optional.empty());
        }
        return archived.write(id, () -> deleteHere(author, id, keepsPictures), Reply::isNil)
                .map(reply -> StatusCodec.living(id, reply));
    }

    /** Nil = it is not in Redis. */
    private Future<Reply> deleteHere(long author, long id, boolean keepsPictures) {
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
                Keys.commentsBy(author),
                Keys.mediaDue(shard),
                Keys.archived(shard),
                Keys.archiveGone(shard),
                Keys.thawed(author),
                Keys.pins(author),
                Keys.uploads(author),
                Keys.mediaBytes(author)));
        keys.addAll(keptAbout(id));
        Duration tombstone = Duration.ofDays(settings.feeds().tombstoneDays());
        return redis.sendSafely(DELETE.call(
                keys,
                "",
                author,
                id,
                tombstone.toSeconds(),
                settings.feeds().outboxMax(),
                keepsPictures ? Uploads.LIFE.toMillis() : 0,
                Uploads.WAITING_MAX));
    }

    /** The keys about a status that go with it. */
    private static List<String> keptAbout(long id) {
        List<String> keys = new ArrayList<>(List.of(
                Keys.likes(id),
                Keys.reposts(id),
                Keys.quotes(id),
                Keys.comments(id),
                Keys.edits(id),
                Keys.pollVotes(id)));
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
        return honest(author, redis.send(older(author, Id.MAX, limit)).map(reply -> older(reply, limit)));
    }

    private Future<IdRange> honest(long author, Future<IdRange> range) {
        return range.compose(read -> honest(List.of(author), List.of(read))).map(ranges -> ranges.get(0));
    }

    /**
     * The same ranges of these authors' profiles with honest bounds: one that goes down to the end of its profile is
     * complete above the border of its author.
     */
    public Future<List<IdRange>> honest(List<Long> authors, List<IdRange> ranges) {
        List<Long> ended = new ArrayList<>();
        for (int i = 0; i < authors.size(); i++) {
            if (ranges.get(i).bound() == 0) {
                ended.add(authors.get(i));
            }
        }
        if (ended.isEmpty()) {
            return Future.succeededFuture(ranges);
        }
        return archived.borders(ended).map(borders -> {
            List<IdRange> honest = new ArrayList<>();
            int next = 0;
            for (IdRange range : ranges) {
                honest.add(range.bound() == 0 ? new IdRange(range.ids(), borders.get(next++)) : range);
            }
            return honest;
        });
    }

    /** Reads an author's posts below an id, newest first. */
    public static Command older(long author, long below, int limit) {
        return older(Keys.profile(author), below, limit);
    }

    /** The same of any set of statuses by their own ids. */
    public static Command older(String key, long below, int limit) {
        return Command.of("ZRANGE", key, "(" + below, "0", "BYSCORE", "REV", "LIMIT", 0, limit);
    }

    /** The answer to {@link #older(long, long, int)} with the same limit; see {@link #honest(List, List)}. */
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
    public static String digest(List<String> parts) {
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

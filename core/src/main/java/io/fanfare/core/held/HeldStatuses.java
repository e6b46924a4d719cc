package io.fanfare.core.held;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.WakeTokens;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Uploads;
import io.fanfare.core.LoopStores;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.schedule.ScheduledCodec;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns {@code held} and {@code held-words} keys: posts that wait for a moderator. They lie in the slot of their author,
 * as scheduled posts do; an approved one becomes a scheduled post in one step, which is published once. The
 * {@link HeldList} for moderators lies in another slot. A job of each post writes it again, ends the post after
 * {@link #LIFE}, and delivers the message to its author. Confined to the event loop of its stores.
 */
public final class HeldStatuses {
    /** Posts of an account that wait at most. */
    public static final int MAX = 10;

    /**
     * Posts in the list for moderators with which no further post begins to wait; posts that begin at once may go a few
     * beyond. Those of suspended accounts do not count, and come back when the suspension is lifted.
     */
    public static final int SITE_MAX = 2000;

    /** How long a post waits. */
    public static final Duration LIFE = Duration.ofDays(14);

    /**
     * After this time, or minutes later where the shard has other timers, the job makes sure that moderators see it.
     */
    private static final Duration LOOK = Duration.ofMinutes(1);

    /** The pause between two checks whether a suspension is lifted. */
    static final Duration SUSPENDED_LOOK = Duration.ofHours(1);

    /** Characters of a post by which a message to its author names it. */
    private static final int EXCERPT_MAX = 60;

    private static final Logger LOG = LoggerFactory.getLogger(HeldStatuses.class);
    private static final Script ADD = Script.load("held_add");
    private static final Script APPROVE = Script.load("held_approve");
    private static final Script END = Script.load("held_end");

    private final Redis redis;
    private final WakeTokens wake;
    private final HeldList list;
    private final UnpublishedNotices notices;
    private final InstantSource clock;
    private final int siteMax;

    public HeldStatuses(LoopStores stores) {
        this(stores, SITE_MAX);
    }

    HeldStatuses(LoopStores stores, int siteMax) {
        this.redis = stores.redis();
        this.wake = new WakeTokens(redis);
        this.list = new HeldList(redis, stores.accounts(), this);
        this.notices = new UnpublishedNotices(stores);
        this.clock = stores.parts().clock();
        this.siteMax = siteMax;
    }

    /**
     * Keeps a post until a moderator decides, with its pictures, which are no uploads any more. The same request again
     * keeps nothing. Fails with {@code Refusal(INVALID)} at the limits and when a picture is not there any more, and
     * with {@code Refusal(FORBIDDEN)} without an active account.
     *
     * @param status its id is ignored; 0 as its time = at once
     * @param digest of the request, without spaces
     */
    public Future<Void> hold(long author, ScheduledStatus status, Signal signal, String digest) {
        String media = status.attachments().stream()
                .map(Attachment::id)
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
        int shard = Id.shard(author);
        List<String> keys = List.of(
                Keys.user(author),
                Keys.ids(shard),
                Keys.held(author),
                Keys.heldWords(author),
                Keys.timers(shard),
                Keys.uploads(author),
                Keys.mediaDue(shard));
        return requireRoom(author, digest)
                .compose(room -> redis.send(ADD.call(
                        keys,
                        Script.CHECKED_NOW,
                        shard,
                        author,
                        signal.wire(),
                        digest,
                        status.dueMillis(),
                        ScheduledCodec.write(status),
                        media,
                        MAX,
                        LOOK.toMillis())))
                .compose(reply -> switch (reply.items().get(0).asString()) {
                    case "held" -> listed(author, reply.items().get(1).asLong());
                    case "repeated" -> Future.succeededFuture();
                    case "inactive" -> refuse(Reason.FORBIDDEN, "This account cannot post.");
                    case "full" ->
                        refuse(
                                Reason.INVALID,
                                MAX + " posts of yours wait for a moderator: wait until some are decided, or withdraw"
                                        + " some.");
                    case "media" -> Future.failedFuture(Uploads.unknown());
                    default -> Future.failedFuture(new IllegalStateException("held_add answered " + reply.items()));
                });
    }

    /** A request that waits already needs none. Posts of suspended accounts give their room to a later request. */
    private Future<Void> requireRoom(long author, String digest) {
        return count(redis)
                .compose(waiting -> waiting < siteMax
                        ? Future.succeededFuture(true)
                        : waiting(author, digest)
                                .compose(same -> same.isPresent()
                                        ? Future.succeededFuture(true)
                                        : list.sweep()
                                                .compose(swept -> count(redis))
                                                .map(left -> left < siteMax)))
                .compose(has -> has
                        ? Future.succeededFuture()
                        : refuse(
                                Reason.INVALID,
                                "Your post would have to wait for a moderator, and as many posts wait as this server"
                                        + " keeps: try again later."));
    }

    /** Never fails: the job of the post does it otherwise. */
    private Future<Void> listed(long author, long id) {
        return list.add(author, id).recover(cause -> {
            LOG.debug("held post left to its job cause={}", cause.toString());
            return Future.succeededFuture();
        });
    }

    /** Never fails: the list is a hint, and a page drops what does not wait. */
    private Future<Void> unlisted(long author, long id) {
        return list.remove(author, id).otherwiseEmpty();
    }

    /** The signal by which the same request waits; empty = it does not wait. */
    public Future<Optional<Signal>> waiting(long author, String digest) {
        return redis.send(Command.of("HGET", Keys.heldWords(author), "=" + digest))
                .compose(id -> id.isNil() ? Future.succeededFuture(Optional.empty()) : find(author, id.asLong()))
                .map(found -> found.map(HeldStatus::signal));
    }

    /** One of the author's. */
    public Future<Optional<HeldStatus>> find(long author, long id) {
        return load(author, List.of(id)).map(found -> found.stream().findFirst());
    }

    /** All of the author's, the newest first. */
    public Future<List<HeldStatus>> all(long author) {
        return redis.send(Command.of("ZRANGE", Keys.held(author), 0, -1, "REV"))
                .compose(ids -> load(author, Statuses.longs(ids)));
    }

    Future<List<HeldStatus>> load(long author, List<Long> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        return redis.send(Command.of("HMGET", Keys.heldWords(author), ids.toArray()))
                .map(reply -> {
                    List<HeldStatus> found = new ArrayList<>();
                    for (int i = 0; i < ids.size(); i++) {
                        if (!reply.items().get(i).isNil()) {
                            found.add(read(
                                    author, ids.get(i), reply.items().get(i).asString()));
                        }
                    }
                    return found;
                });
    }

    /** Reads a line of held_add.lua. */
    private static HeldStatus read(long author, long id, String line) {
        String[] parts = line.split(" ", 4);
        return new HeldStatus(author, ScheduledCodec.read(id, Long.parseLong(parts[2]), parts[3]), Signal.of(parts[0]));
    }

    /** One of all accounts, which moderators see: not those of suspended accounts. */
    public Future<Optional<HeldStatus>> find(long id) {
        return list.author(id)
                .compose(
                        author -> author.isEmpty() ? Future.succeededFuture(Optional.empty()) : find(author.get(), id));
    }

    /** The number of posts that moderators see. */
    public static Future<Long> count(Redis redis) {
        return HeldList.count(redis);
    }

    /**
     * A page of those of all accounts, the newest first. Cursors are their ids. Posts of an account that is suspended
     * leave the list, where they would take the room of others; their jobs write it again when the suspension is
     * lifted.
     */
    public Future<Page<HeldStatus>> page(PageRequest request) {
        return list.page(request);
    }

    /**
     * Approves a post. A job publishes it at once, or at the time that its author has chosen. Fails with
     * {@link Refusal#unknown} when it does not wait, and with {@code Refusal(INVALID)} when its author is suspended.
     *
     * @param trust whether no later post of the account waits
     */
    public Future<Void> approve(long author, long id, boolean trust) {
        int shard = Id.shard(author);
        List<String> keys = List.of(
                Keys.user(author),
                Keys.held(author),
                Keys.heldWords(author),
                Keys.scheduled(author),
                Keys.scheduledWords(author),
                Keys.timers(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.NORMAL.key()));
        return redis.send(APPROVE.call(keys, Script.CHECKED_NOW, author, id, trust ? "1" : ""))
                .compose(answer -> switch (answer.asString()) {
                    // Without the wake-up a worker finds the job when it polls.
                    case "approved" -> wake.wake(shard).otherwiseEmpty().compose(woken -> unlisted(author, id));
                    case "inactive" ->
                        refuse(
                                Reason.INVALID,
                                "The account is suspended: lift the suspension first, or reject the post.");
                    default -> Future.failedFuture(Refusal.unknown());
                });
    }

    /**
     * Ends a post, with a message to its author. Fails with {@link Refusal#unknown} when it does not wait. Also when
     * memory is full.
     *
     * @param text of the moderator; may be empty
     */
    public Future<Void> reject(long author, long id, String text) {
        return find(author, id)
                .map(found -> found.orElseThrow(Refusal::unknown))
                .compose(held -> end(held, text.isEmpty() ? "a moderator has rejected it." : text))
                .map(ended -> {
                    if (!ended) {
                        throw Refusal.unknown();
                    }
                    return null;
                });
    }

    /** Ends a post that its author does not want any more; false when it does not wait. */
    public Future<Boolean> withdraw(long author, long id) {
        return end(author, id, "").compose(ended -> unlisted(author, id).map(ended));
    }

    private Future<Boolean> end(HeldStatus held, String why) {
        String message = UnpublishedNotices.message(held.status(), EXCERPT_MAX, why);
        return end(held.author(), held.id(), message)
                // The job of the post does it otherwise.
                .compose(
                        ended -> look(held.author(), held.id()).otherwiseEmpty().map(ended));
    }

    private Future<Boolean> end(long author, long id, String message) {
        int shard = Id.shard(author);
        return redis.sendSafely(END.call(
                        List.of(
                                Keys.held(author),
                                Keys.heldWords(author),
                                Keys.timers(shard),
                                Keys.uploads(author),
                                Keys.mediaDue(shard),
                                Keys.queueStats(shard),
                                Keys.lane(shard, Lane.NORMAL.key())),
                        "",
                        author,
                        id,
                        Uploads.LIFE.toMillis(),
                        message))
                .map(reply -> reply.asLong() == 1);
    }

    /**
     * The steps of the job of a post, each of which may run again: moderators see a post that waits, one that has
     * waited for {@link #LIFE} ends, and its author gets the message about one that has ended.
     */
    public Future<Void> look(long author, long id) {
        String message = "-" + id;
        return redis.send(Command.of("HMGET", Keys.heldWords(author), id, message))
                .map(Reply::items)
                .compose(fields -> {
                    if (!fields.get(0).isNil()) {
                        return waits(read(author, id, fields.get(0).asString()));
                    }
                    Future<Void> delivered = fields.get(1).isNil()
                            ? Future.succeededFuture()
                            : notices.send(author, id, 0, fields.get(1).asString())
                                    .compose(done -> redis.send(Command.of("HDEL", Keys.heldWords(author), message)))
                                    .mapEmpty();
                    return delivered
                            .compose(done -> redis.send(Command.of("ZREM", Keys.held(author), id)))
                            .compose(done -> list.remove(author, id));
                });
    }

    private Future<Void> waits(HeldStatus held) {
        if (clock.millis() >= held.endsMillis()) {
            return end(
                            held,
                            "no moderator has decided about it within " + LIFE.toDays()
                                    + " days. You may post it again.")
                    .mapEmpty();
        }
        return list.shows(held.author())
                .compose(shown -> shown
                        ? lookAt(held, held.endsMillis()).compose(done -> list.add(held.author(), held.id()))
                        : lookLater(held).compose(done -> list.remove(held.author(), held.id())));
    }

    /** The job of a post that is not listed checks its author again. */
    Future<Void> lookLater(HeldStatus held) {
        return lookAt(held, Math.min(clock.millis() + SUSPENDED_LOOK.toMillis(), held.endsMillis()));
    }

    private Future<Void> lookAt(HeldStatus held, long millis) {
        Job job = new Job.Repair(JobType.HELD, held.author(), held.author(), held.id());
        return redis.send(Command.of("ZADD", Keys.timers(Id.shard(held.author())), millis, JobCodec.encode(job)))
                .mapEmpty();
    }

    private static Future<Void> refuse(Reason reason, String sentence) {
        return Future.failedFuture(new Refusal(reason, sentence));
    }
}

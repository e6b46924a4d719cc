package io.fanfare.core.schedule;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.store.MemoryPager;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Uploads;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Owns {@code scheduled} and {@code scheduled-words} keys: what accounts want to be published later. Each entry has a
 * job among the {@code timers} of its shard from the same moment on; {@link Statuses} publishes it, which ends it.
 */
public final class ScheduledStatuses {
    /** How far ahead the time must be. */
    public static final Duration AHEAD = Duration.ofMinutes(5);

    /** The most scheduled statuses of an account. */
    public static final int MAX = 300;

    /** The most of these for one day (UTC). */
    public static final int DAY_MAX = 25;

    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
    private static final Duration IDEMPOTENCY = Duration.ofHours(1);

    private static final Script SCHEDULE = Script.load("schedule");
    private static final Script RESCHEDULE = Script.load("reschedule");
    private static final Script UNSCHEDULE = Script.load("unschedule");

    private final Redis redis;

    public ScheduledStatuses(Redis redis) {
        this.redis = redis;
    }

    /**
     * Keeps a status that is to be published later, with its pictures, which are no uploads any more, and its job.
     * Fails with {@code Refusal(INVALID)} when its time is less than {@link #AHEAD} away, at the limits, when a picture
     * is not there any more, and when the key was used to ask for something else; with {@code Refusal(FORBIDDEN)}
     * without an active account; with {@code Refusal(NOT_FOUND)} when the same request has scheduled what is not
     * scheduled any more.
     *
     * @param status its id is ignored
     * @param once null = a new one each time
     * @return it with its id; what the same request has scheduled within the last hour
     */
    public Future<ScheduledStatus> schedule(long author, ScheduledStatus status, IdempotentRequest once) {
        int shard = Id.shard(author);
        List<String> keys = new ArrayList<>(List.of(
                Keys.user(author),
                Keys.ids(shard),
                Keys.scheduled(author),
                Keys.scheduledWords(author),
                Keys.timers(shard),
                Keys.uploads(author),
                Keys.mediaDue(shard)));
        if (once != null) {
            keys.add(Statuses.idempotency(author, once));
        }
        String media = status.attachments().stream()
                .map(Attachment::id)
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
        return redis.send(SCHEDULE.call(
                        keys,
                        Script.CHECKED_NOW,
                        shard,
                        author,
                        status.dueMillis(),
                        ScheduledCodec.write(status),
                        media,
                        AHEAD.toMillis(),
                        MAX,
                        DAY_MAX,
                        day(status.dueMillis()),
                        once == null ? "" : Statuses.digest(once.values()),
                        IDEMPOTENCY.toSeconds()))
                .compose(reply -> {
                    List<Reply> answer = reply.items();
                    String outcome = answer.get(0).asString();
                    return switch (outcome) {
                        case "scheduled" ->
                            Future.succeededFuture(status.with(answer.get(1).asLong(), status.dueMillis()));
                        case "repeated" ->
                            find(author, answer.get(1).asLong()).map(found -> found.orElseThrow(this::ended));
                        default -> Future.failedFuture(refusal(outcome));
                    };
                });
    }

    private Refusal ended() {
        return new Refusal(
                Reason.NOT_FOUND,
                "What was scheduled with this Idempotency-Key is published or cancelled: use a new one.");
    }

    private static Throwable refusal(String outcome) {
        return switch (outcome) {
            case "conflict" -> Statuses.conflict().cause();
            case "inactive" -> new Refusal(Reason.FORBIDDEN, "This account cannot post.");
            case "soon" ->
                new Refusal(
                        Reason.INVALID,
                        "Validation failed: Scheduled at must be at least " + AHEAD.toMinutes()
                                + " minutes in the future.");
            case "full" ->
                new Refusal(
                        Reason.INVALID,
                        "Validation failed: at most " + MAX + " posts may be scheduled: cancel some, or wait.");
            case "day" ->
                new Refusal(
                        Reason.INVALID,
                        "Validation failed: at most " + DAY_MAX
                                + " posts may be scheduled for one day: take another day.");
            case "media" -> Uploads.unknown();
            case "absent" -> Refusal.unknown();
            default -> new IllegalStateException("a script answered " + outcome);
        };
    }

    private static long day(long millis) {
        return millis - millis % DAY_MILLIS;
    }

    /**
     * The status that the same request has scheduled within the last hour; empty = none so far, which {@link #schedule}
     * checks again. Fails as that does for the key.
     */
    public Future<Optional<ScheduledStatus>> earlier(long author, IdempotentRequest once) {
        return redis.send(Command.of("GET", Statuses.idempotency(author, once))).compose(record -> {
            if (record.isNil()) {
                return Future.succeededFuture(Optional.empty());
            }
            String[] words = record.asString().split(" ", 2);
            return words[1].equals(Statuses.digest(once.values()))
                    ? find(author, Long.parseLong(words[0])).map(found -> Optional.of(found.orElseThrow(this::ended)))
                    : Statuses.conflict();
        });
    }

    /** One of the author's. */
    public Future<Optional<ScheduledStatus>> find(long author, long id) {
        return BatchedPipeline.send(
                        redis,
                        List.of(
                                Command.of("ZSCORE", Keys.scheduled(author), id),
                                Command.of("HGET", Keys.scheduledWords(author), id)))
                .map(replies -> replies.get(0).isNil() || replies.get(1).isNil()
                        ? Optional.empty()
                        : Optional.of(ScheduledCodec.read(
                                id, replies.get(0).asLong(), replies.get(1).asString())));
    }

    /** A page of the author's, the highest id first. */
    public Future<Page<ScheduledStatus>> page(long author, PageRequest request) {
        return redis.send(Command.of("ZRANGE", Keys.scheduled(author), 0, MAX - 1, "WITHSCORES"))
                .compose(reply -> {
                    List<Reply> pairs = reply.flat();
                    List<Entry> all = new ArrayList<>();
                    for (int i = 0; i < pairs.size(); i += 2) {
                        all.add(new Entry(
                                pairs.get(i).asLong(), pairs.get(i + 1).asLong()));
                    }
                    all.sort(Comparator.comparingLong(Entry::id).reversed());
                    return words(author, MemoryPager.page(all, Entry::id, request));
                });
    }

    private record Entry(long id, long dueMillis) {}

    private Future<Page<ScheduledStatus>> words(long author, Page<Entry> page) {
        if (page.items().isEmpty()) {
            return Future.succeededFuture(new Page<>(List.of(), page.next(), page.prev()));
        }
        Object[] ids = page.items().stream().map(Entry::id).toArray();
        return redis.send(Command.of("HMGET", Keys.scheduledWords(author), ids)).map(reply -> {
            List<ScheduledStatus> found = new ArrayList<>();
            for (int i = 0; i < ids.length; i++) {
                Entry entry = page.items().get(i);
                Reply words = reply.items().get(i);
                if (!words.isNil()) {
                    found.add(ScheduledCodec.read(entry.id(), entry.dueMillis(), words.asString()));
                }
            }
            return new Page<>(found, page.next(), page.prev());
        });
    }

    /**
     * Has it published at another time, and no failover brings the former one back. Fails with {@link Refusal#unknown}
     * when there is none, and for the time as {@link #schedule} does.
     */
    public Future<ScheduledStatus> move(long author, long id, long dueMillis) {
        return redis.sendSafely(RESCHEDULE.call(
                        List.of(Keys.scheduled(author), Keys.scheduledWords(author), Keys.timers(Id.shard(author))),
                        Script.CHECKED_NOW,
                        author,
                        id,
                        dueMillis,
                        AHEAD.toMillis(),
                        DAY_MAX,
                        day(dueMillis)))
                .compose(reply -> {
                    String outcome = reply.items().get(0).asString();
                    return outcome.equals("scheduled")
                            ? Future.succeededFuture(ScheduledCodec.read(
                                    id, dueMillis, reply.items().get(1).asString()))
                            : Future.failedFuture(refusal(outcome));
                });
    }

    /** Forgets it; its pictures are uploads again, for a day. False when there is none. */
    public Future<Boolean> cancel(long author, long id) {
        return unschedule(author, id, "");
    }

    /** The same, unless it is scheduled for another time by now. */
    public Future<Boolean> drop(long author, ScheduledStatus status) {
        return unschedule(author, status.id(), status.dueMillis());
    }

    private Future<Boolean> unschedule(long author, long id, Object due) {
        int shard = Id.shard(author);
        return redis.sendSafely(UNSCHEDULE.call(
                        List.of(
                                Keys.scheduled(author),
                                Keys.scheduledWords(author),
                                Keys.timers(shard),
                                Keys.uploads(author),
                                Keys.mediaDue(shard)),
                        "",
                        author,
                        id,
                        due,
                        Uploads.LIFE.toMillis()))
                .map(reply -> reply.asLong() == 1);
    }
}

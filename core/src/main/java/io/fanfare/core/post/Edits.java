package io.fanfare.core.post;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.Status;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.ArchivedStatuses;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.StatusCodec;
import io.fanfare.common.store.Uploads;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Owns {@code edits} keys, and changes the words of a {@code status}: what it was before each edit is kept beside it
 * and goes with it. Of a status the first version and the newest {@value #VERSIONS_MAX} are kept, as far as they take
 * no more than {@value #BYTES_MAX} bytes; the edits between are forgotten. Other terms of its quotes are no version.
 */
public class Edits {
    private static final Script EDIT = Script.load("edit");
    private static final Script QUOTE_TERMS = Script.load("quote_terms");

    /** Former versions of a status, the first among them. */
    static final int VERSIONS_MAX = 50;

    /** The bytes that versions may take in Redis; the first and the last stay in any case. */
    static final int BYTES_MAX = 128 << 10;

    private final Redis redis;
    private final Settings settings;
    private final ArchivedStatuses archived;

    /** Without an archive: what is not in Redis may be there, and can then not be edited. */
    public Edits(Redis redis, Settings settings) {
        this(redis, settings, new ArchivedStatuses(redis, settings, Archive.none()));
    }

    /** @param archived where statuses are that are not in Redis */
    public Edits(Redis redis, Settings settings, ArchivedStatuses archived) {
        this.redis = redis;
        this.settings = settings;
        this.archived = archived;
    }

    /**
     * The result of an edit.
     *
     * @param status as it is now
     * @param changed false = it was like that already: there is no new version
     */
    public record Edited(Status status, boolean changed) {}

    /**
     * Gives a status of the author's other words: one script keeps the former ones, writes these, and enqueues the job
     * of the edit. Of the content the place, and what makes an article, stay as they are. Doing it again changes
     * nothing. Of two at once each becomes a version.
     *
     * <p>The pictures of the content that are uploads are taken over, and those that the status has no more are uploads
     * again. Fails with {@code Refusal(INVALID)} when one is neither the status's nor an upload.
     *
     * <p>Empty when there is no such status, when it is deleted, or when it is somebody else's. Fails with
     * {@code Refusal(FORBIDDEN)} when the author has no active account, and {@code Refusal(OVERLOADED)} when
     * {@code queue.depth-max} jobs wait already.
     */
    public Future<Optional<Edited>> edit(long author, long id, Content content) {
        if (Id.shard(author) != Id.shard(id)) {
            // Somebody else's, as its id tells; and the script must not name keys of two slots.
            return Future.succeededFuture(Optional.empty());
        }
        int shard = Id.shard(author);
        List<String> keys = List.of(
                Keys.user(author),
                Keys.status(id),
                Keys.edits(id),
                Keys.ids(shard),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()),
                Keys.uploads(author),
                Keys.mediaDue(shard),
                Keys.mediaBytes(author));
        List<Object> args = new ArrayList<>(List.of(
                Script.CHECKED_NOW,
                shard,
                author,
                id,
                settings.queue().depthMax(),
                VERSIONS_MAX,
                BYTES_MAX,
                Uploads.LIFE.toMillis(),
                Uploads.WAITING_MAX,
                StatusCodec.DECISIVE));
        args.addAll(StatusCodec.editable(content));
        Command call = EDIT.call(keys, args.toArray());
        // One that is archived is edited in Redis, and moves again.
        return archived.write(id, () -> redis.send(call), Edits::isAbsent).compose(reply -> edited(id, reply.items()));
    }

    private static boolean isAbsent(Reply reply) {
        return reply.items().get(0).asString().equals("absent");
    }

    private static Future<Optional<Edited>> edited(long id, List<Reply> answer) {
        String outcome = answer.get(0).asString();
        return switch (outcome) {
            case "edited", "same" ->
                Future.succeededFuture(
                        StatusCodec.living(id, answer.get(1)).map(now -> new Edited(now, outcome.equals("edited"))));
            case "absent", "gone" -> Future.succeededFuture(Optional.empty());
            case "inactive" -> refuse(Reason.FORBIDDEN, "This account cannot post.");
            case "busy" -> busy();
            case "media" -> Future.failedFuture(Uploads.unknown());
            default -> throw new IllegalStateException("edit answered " + answer + " to " + id);
        };
    }

    private static <T> Future<T> busy() {
        return refuse(Reason.OVERLOADED, "Too many changes are still on their way: try again in a few seconds.");
    }

    private static <T> Future<T> refuse(Reason reason, String message) {
        return Future.failedFuture(new Refusal(reason, message));
    }

    /**
     * The result of other quote terms.
     *
     * @param status as it is now
     * @param change the id of the change; 0 = it was like that already
     */
    public record Turned(Status status, long change) {}

    /**
     * Says who may quote a status of the author's from now on; one script writes it and enqueues its job. Doing it
     * again changes nothing. Empty when there is no such status, or when it is somebody else's. Fails with
     * {@code Refusal(OVERLOADED)} when {@code queue.depth-max} jobs wait already.
     */
    public Future<Optional<Turned>> quotableBy(QuotePolicy policy, Reference status) {
        return turn(status, "quoters", policy == QuotePolicy.PUBLIC ? "" : policy.wire(), "");
    }

    /**
     * Marks a status as sensitive for good, whatever its author chooses, or takes that back; otherwise as
     * {@link #quotableBy}, but never busy.
     */
    public Future<Optional<Turned>> mark(Reference status, boolean on) {
        return turn(status, StatusCodec.MARKED, on ? "1" : "0", "");
    }

    /**
     * Says of a quote that it shows what it quotes no more; otherwise as {@link #quotableBy}.
     *
     * @param quoted empty also when it does not quote this status
     */
    public Future<Optional<Turned>> unquote(Reference quote, long quoted) {
        return turn(quote, "unquoted", "1", quoted);
    }

    private Future<Optional<Turned>> turn(Reference status, String field, String value, Object quoted) {
        long id = status.statusId();
        int shard = Id.shard(id);
        List<String> keys =
                List.of(Keys.status(id), Keys.ids(shard), Keys.queueStats(shard), Keys.lane(shard, Lane.HIGH.key()));
        Command call = QUOTE_TERMS.call(
                keys,
                Script.CHECKED_NOW,
                shard,
                status.accountId(),
                id,
                settings.queue().depthMax(),
                field,
                value,
                quoted);
        return archived.write(id, () -> redis.send(call), Edits::isAbsent).compose(reply -> turned(id, reply.items()));
    }

    private static Future<Optional<Turned>> turned(long id, List<Reply> answer) {
        String outcome = answer.get(0).asString();
        return switch (outcome) {
            case "changed", "same" ->
                Future.succeededFuture(StatusCodec.living(id, answer.get(2))
                        .map(now -> new Turned(now, answer.get(1).asLong())));
            case "absent", "gone" -> Future.succeededFuture(Optional.empty());
            case "busy" -> busy();
            default -> throw new IllegalStateException("quote_terms answered " + answer + " to " + id);
        };
    }

    /**
     * A status as it was before each edit, the oldest first, and as it is now; one round trip. Empty when there is no
     * such status, or none any more.
     */
    public Future<List<Status>> versions(long id) {
        List<Command> commands =
                List.of(Command.of("HGETALL", Keys.status(id)), Command.of("ZRANGE", Keys.edits(id), 0, -1));
        return BatchedPipeline.send(redis, commands).compose(replies -> current(id, replies.get(0))
                .map(now -> now.map(status -> versions(status, replies.get(1).items()))
                        .orElse(List.of())));
    }

    private Future<Optional<Status>> current(long id, Reply hash) {
        return hash.items().isEmpty()
                ? archived.load(List.of(id))
                        .map(loaded -> Optional.ofNullable(loaded.found().get(id)))
                : Future.succeededFuture(StatusCodec.living(id, hash));
    }

    private static List<Status> versions(Status now, List<Reply> former) {
        List<Status> versions = new ArrayList<>(former.size() + 1);
        for (Reply each : former) {
            Status version = StatusCodec.version(now, each.asString());
            // An edit between the two reads has made a former version of what the first has read.
            if (version.post().edit() < now.post().edit()) {
                versions.add(version);
            }
        }
        versions.add(now);
        return versions;
    }
}

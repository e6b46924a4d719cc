package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Owns {@code uploads} and {@code media-due} keys: pictures that are uploaded and not posted yet, and the files that
 * are to be deleted. The script that posts takes an upload over, the one that deletes a status gives it back or hands
 * over files, as the one does that changes an account. A file is named by an upload, a status or an account, or it is
 * due: each of these steps is one script.
 */
public final class Uploads {
    /** How long a picture waits to be posted. */
    static final Duration LIFE = Duration.ofDays(1);

    /** Uploads of one account that wait to be posted. */
    public static final int WAITING_MAX = 100;

    /** Newest statuses that are asked for a picture; enough for an app that has just posted it. */
    private static final int LOOKED_AT = 20;

    private static final Script ADD = Script.load("media_add");
    private static final Script RESERVE = Script.load("media_reserve");
    private static final Script DESCRIBE = Script.load("media_describe");
    private static final Script REMOVE = Script.load("media_remove");
    private static final Script CLAIM = Script.load("media_claim");

    private final Redis redis;

    public Uploads(Redis redis) {
        this.redis = redis;
    }

    /** What somebody says who posts a picture that is not there. */
    static Refusal unknown() {
        return new Refusal(
                Refusal.Reason.INVALID,
                "A picture of media_ids is not there: it was posted already, is older than a day, or somebody else's. Upload it again.");
    }

    /** Keeps a picture, whose id is ignored; answers it with the one that it is given. */
    public Future<Attachment> add(long owner, Attachment picture) {
        int shard = Id.shard(owner);
        return redis.send(ADD.call(
                        List.of(Keys.user(owner), Keys.ids(shard), Keys.uploads(owner), Keys.mediaDue(shard)),
                        Script.CHECKED_NOW,
                        shard,
                        owner,
                        picture.name(),
                        picture.lineWithoutId(),
                        LIFE.toMillis(),
                        WAITING_MAX))
                .compose(reply -> added(picture, reply.items()));
    }

    private static Future<Attachment> added(Attachment picture, List<Reply> answer) {
        return switch (answer.get(0).asString()) {
            case "added" ->
                Future.succeededFuture(Attachment.of(answer.get(1).asLong() + " " + picture.lineWithoutId())
                        .orElseThrow());
            case "inactive" ->
                Future.failedFuture(new Refusal(Refusal.Reason.FORBIDDEN, "This account cannot upload pictures."));
            default ->
                Future.failedFuture(new Refusal(
                        Refusal.Reason.INVALID,
                        "At most " + WAITING_MAX
                                + " uploaded pictures may wait to be posted: post some, or wait a day."));
        };
    }

    /** Notes the file of a profile's picture, so that it is deleted if the account does not take it. */
    public Future<Void> reserve(long owner, String name) {
        return redis.send(RESERVE.call(
                        List.of(Keys.mediaDue(Id.shard(owner))), Script.CHECKED_NOW, name, LIFE.toMillis()))
                .mapEmpty();
    }

    /** An upload of the owner's. */
    public Future<Optional<Attachment>> find(long owner, long id) {
        return redis.send(Command.of("HGET", Keys.uploads(owner), id)).map(Uploads::attachment);
    }

    /** Uploads of the owner's in this order; fails with {@code Refusal(INVALID)} when one is not there. */
    public Future<List<Attachment>> require(long owner, List<Long> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        return redis.send(Command.of("HMGET", Keys.uploads(owner), ids.toArray()))
                .map(reply -> {
                    List<Attachment> attachments = new ArrayList<>(ids.size());
                    for (Reply line : reply.items()) {
                        attachments.add(attachment(line).orElseThrow(Uploads::unknown));
                    }
                    return Collections.unmodifiableList(attachments);
                });
    }

    /**
     * Changes what is said of an upload; null = as before. Empty when there is no such upload.
     *
     * @param description empty = none
     */
    public Future<Optional<Attachment>> describe(long owner, long id, String description, Attachment.Focus focus) {
        return redis.send(DESCRIBE.call(
                        List.of(Keys.uploads(owner)),
                        id,
                        focus == null ? "" : focus.words(),
                        description == null ? 0 : 1,
                        description == null ? "" : description))
                .map(Uploads::attachment);
    }

    /** Forgets an upload; its files are deleted by and by. False when there is none. */
    public Future<Boolean> remove(long owner, long id) {
        return redis.send(REMOVE.call(List.of(Keys.uploads(owner), Keys.mediaDue(Id.shard(owner))), owner, id))
                .map(removed -> removed.asLong() == 1);
    }

    /**
     * Whether one of the owner's newest statuses has this picture, which is no upload then. Of older ones, and of
     * direct messages, it is not known. Two round trips, the second for what the first answers: each status has a slot
     * of its own.
     */
    public Future<Boolean> isPosted(long owner, long id) {
        return redis.send(Command.of("ZRANGE", Keys.profile(owner), 0, LOOKED_AT - 1, "REV"))
                .compose(newest -> BatchedPipeline.send(
                        redis,
                        newest.items().stream()
                                .map(status -> Command.of(
                                        "HMGET", Keys.status(status.asLong()), "media1", "media2", "media3", "media4"))
                                .toList()))
                .map(statuses -> statuses.stream()
                        .flatMap(fields -> fields.items().stream())
                        .flatMap(line -> attachment(line).stream())
                        .anyMatch(picture -> picture.id() == id));
    }

    private static Optional<Attachment> attachment(Reply line) {
        return line.isNil() ? Optional.empty() : Attachment.of(line.asString());
    }

    /** Some pictures of a shard whose files are to be deleted by now, those that are due first before others. */
    public Future<List<Due>> due(int shard, long nowMillis, int limit) {
        return redis.send(Command.of("ZRANGE", Keys.mediaDue(shard), "-inf", nowMillis, "BYSCORE", "LIMIT", 0, limit))
                .map(reply -> reply.items().stream()
                        .map(member -> new Due(shard, member.asString()))
                        .toList());
    }

    /** A picture whose files are to be deleted. */
    public record Due(int shard, String member) {
        public String name() {
            return words()[0];
        }

        private String[] words() {
            return member.split(" ");
        }
    }

    /** Ends what is left of its record. False when it has been posted meanwhile: then its files stay. */
    public Future<Boolean> claim(Due due) {
        String[] words = due.words();
        String queue = Keys.mediaDue(due.shard());
        Command call = words.length == 3
                ? CLAIM.call(List.of(queue, Keys.uploads(Long.parseLong(words[1]))), due.member(), words[2])
                : CLAIM.call(List.of(queue), due.member());
        return redis.send(call).map(claimed -> claimed.asLong() == 1);
    }

    /** Its files are gone. */
    public Future<Void> deleted(Due due) {
        return redis.send(Command.of("ZREM", Keys.mediaDue(due.shard()), due.member()))
                .mapEmpty();
    }
}

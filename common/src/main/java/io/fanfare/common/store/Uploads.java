package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Upload;
import io.fanfare.common.queue.Lane;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Owns {@code uploads} and {@code media-due} keys: pictures, videos and sounds that are uploaded and not posted yet,
 * some of them still to be made, and the files that are to be deleted. The script that posts takes an upload over, the
 * one that deletes a status gives it back or hands over files, as the one does that changes an account. A file is named
 * by an upload, a status or an account, or it is due: each of these steps is one script.
 */
public final class Uploads {
    /** How long a picture waits to be posted. */
    public static final Duration LIFE = Duration.ofDays(1);

    /** How long a file is kept whose record is being made. */
    private static final Duration MAKING = Duration.ofHours(1);

    /** Uploads of one account that wait to be posted. */
    public static final int WAITING_MAX = 100;

    private static final long RETRY_SECONDS = 5;

    /** Newest statuses that are asked for a picture; enough for an app that has just posted it. */
    private static final int LOOKED_AT = 20;

    private static final Script ADD = Script.load("media_add");
    private static final Script BEGIN = Script.load("media_begin");
    private static final Script MADE = Script.load("media_made");
    private static final Script FAIL = Script.load("media_fail");
    private static final Script RESERVE = Script.load("media_reserve");
    private static final Script DESCRIBE = Script.load("media_describe");
    private static final Script REMOVE = Script.load("media_remove");
    private static final Script CLAIM = Script.load("media_claim");

    /** The arguments of media_made for the record of an upload that is still made, and of one that is ready. */
    private static final int PENDING = 0;

    private static final int READY = 1;

    private final Redis redis;
    private final long accountBytesMax;

    /** The uploads of a process that makes and deletes files, and takes none. */
    public Uploads(Redis redis) {
        this(redis, 0);
    }

    /** @param accountBytesMax bytes of files that one account may have; 0 = any */
    public Uploads(Redis redis, long accountBytesMax) {
        this.redis = redis;
        this.accountBytesMax = accountBytesMax;
    }

    /** The refusal of a post with a picture that does not exist. */
    public static Refusal unknown() {
        return new Refusal(
                Refusal.Reason.INVALID,
                "A picture of media_ids is not there: it was posted already, is older than a day, or somebody else's. Upload it again.");
    }

    /** The refusal of a post with a picture that is still made, word for word as Mastodon: clients look for it. */
    public static Refusal unfinished() {
        return new Refusal(
                Refusal.Reason.INVALID,
                "Cannot attach files that have not finished processing. Try again in a moment!");
    }

    private static Refusal failed() {
        return new Refusal(Refusal.Reason.INVALID, "A picture of media_ids could not be processed: post without it.");
    }

    /** The refusal of a video or sound beside another file; the words are Mastodon's, which apps look for. */
    private static Refusal mixed() {
        return new Refusal(
                Refusal.Reason.INVALID, "Cannot attach a video to a post that already contains images: post it alone.");
    }

    /**
     * Keeps a picture, whose id is ignored; answers it with the one that it is given. Fails with
     * {@code Refusal(INVALID)} when the account would have too many, or too many bytes.
     *
     * @param bytes of its files
     */
    public Future<Attachment> add(long owner, Attachment picture, long bytes) {
        int shard = Id.shard(owner);
        return redis.send(ADD.call(
                        List.of(
                                Keys.user(owner),
                                Keys.ids(shard),
                                Keys.uploads(owner),
                                Keys.mediaDue(shard),
                                Keys.mediaBytes(owner)),
                        Script.CHECKED_NOW,
                        shard,
                        owner,
                        picture.name(),
                        picture.lineWithoutId(),
                        LIFE.toMillis(),
                        WAITING_MAX,
                        bytes,
                        accountBytesMax))
                .compose(reply -> added(picture, bytes, reply.items()));
    }

    private Future<Attachment> added(Attachment picture, long bytes, List<Reply> answer) {
        return answer.get(0).asString().equals("added")
                ? Future.succeededFuture(Attachment.of(answer.get(1).asLong() + " " + picture.lineWithoutId())
                        .orElseThrow())
                : Future.failedFuture(refusal(answer, bytes));
    }

    private Refusal refusal(List<Reply> answer, long bytes) {
        return switch (answer.get(0).asString()) {
            case "inactive" -> new Refusal(Refusal.Reason.FORBIDDEN, "This account cannot upload pictures.");
            case "full" ->
                new Refusal(
                        Refusal.Reason.INVALID,
                        "At most " + WAITING_MAX
                                + " uploaded pictures may wait to be posted: post some, or wait a day.");
            case "bytes" ->
                new Refusal(
                        Refusal.Reason.INVALID,
                        "This account has " + answer.get(1).asLong()
                                + " bytes of pictures, videos and sounds, and may have "
                                + accountBytesMax + ": there is no room for " + bytes
                                + " more. Delete posts with pictures: what they had counts for another day, or with delete_media"
                                + " no more.");
            case "busy" ->
                Refusal.overloaded(
                        "Too many large pictures wait to be processed: try again in a few seconds.", RETRY_SECONDS);
            case "gone" -> Refusal.overloaded("The upload took too long: try again.", RETRY_SECONDS);
            default ->
                throw new IllegalStateException(
                        "an upload was answered " + answer.get(0).asString());
        };
    }

    /** Notes a file that is about to be there and then named by a record: else it goes in an hour. */
    public Future<Void> making(long owner, String name) {
        return reserve(owner, name, MAKING);
    }

    /** Has a file deleted that no record names, and that is noted. */
    public Future<Void> drop(long owner, String name) {
        return reserve(owner, name, Duration.ZERO);
    }

    /**
     * Keeps a picture that is still to be made of a source, which is there and noted, together with its job.
     *
     * @param pending its id is ignored
     * @param bytes of the source
     * @param depthMax jobs that may wait
     */
    public Future<Upload.Pending> begin(long owner, Upload.Pending pending, long bytes, int depthMax) {
        int shard = Id.shard(owner);
        return redis.send(BEGIN.call(
                        List.of(
                                Keys.user(owner),
                                Keys.ids(shard),
                                Keys.uploads(owner),
                                Keys.mediaDue(shard),
                                Keys.queueStats(shard),
                                Keys.lane(shard, Lane.NORMAL.key()),
                                Keys.mediaBytes(owner)),
                        Script.CHECKED_NOW,
                        shard,
                        owner,
                        pending.source(),
                        pending.lineWithoutId(),
                        LIFE.toMillis(),
                        WAITING_MAX,
                        depthMax,
                        bytes,
                        accountBytesMax))
                .compose(reply -> {
                    List<Reply> answer = reply.items();
                    return answer.get(0).asString().equals("begun")
                            ? Future.succeededFuture(new Upload.Pending(
                                    answer.get(1).asLong(),
                                    pending.source(),
                                    pending.orientation(),
                                    pending.focus(),
                                    pending.description()))
                            : Future.failedFuture(refusal(answer, bytes));
                });
    }

    /**
     * Puts what was made in the place of its source, whose file is due then. False when there is no such source any
     * more, or the files of the picture are about to go: then nothing is changed.
     *
     * @param picture its files are there and noted; what its owner says of it is ignored, as is its id
     * @param bytes of its files, which count in place of those of the source; nothing is refused here
     */
    public Future<Boolean> made(long owner, Upload.Pending pending, Attachment picture, long bytes) {
        return redis.send(MADE.call(
                        List.of(Keys.uploads(owner), Keys.mediaDue(Id.shard(owner)), Keys.mediaBytes(owner)),
                        Script.CHECKED_NOW,
                        owner,
                        pending.id(),
                        pending.source(),
                        picture.name(),
                        picture.picture(),
                        LIFE.toMillis(),
                        bytes,
                        PENDING))
                .map(reply -> reply.asLong() == 1);
    }

    /**
     * Puts a copy with another preview in the place of an upload's files, which are due then. False when the upload is
     * gone or has other files by now, or those of the copy are about to go: then nothing is changed.
     *
     * @param before the upload as it was
     * @param copy its files are there and noted; what its owner says of it is ignored, as is its id
     * @param bytes of its files, which count in place of those of the upload; nothing is refused here
     */
    public Future<Boolean> replace(long owner, Attachment before, Attachment copy, long bytes) {
        return redis.send(MADE.call(
                        List.of(Keys.uploads(owner), Keys.mediaDue(Id.shard(owner)), Keys.mediaBytes(owner)),
                        Script.CHECKED_NOW,
                        owner,
                        before.id(),
                        before.name(),
                        copy.name(),
                        copy.picture(),
                        LIFE.toMillis(),
                        bytes,
                        READY))
                .map(reply -> reply.asLong() == 1);
    }

    /** Notes that a picture cannot be made; its source is due then. False when there is no such source any more. */
    public Future<Boolean> fail(long owner, Upload.Pending pending, Upload.Cause cause) {
        return redis.send(FAIL.call(
                        List.of(Keys.uploads(owner), Keys.mediaDue(Id.shard(owner)), Keys.mediaBytes(owner)),
                        pending.id(),
                        pending.source(),
                        cause.wire()))
                .map(reply -> reply.asLong() == 1);
    }

    /** Notes the file of a profile's picture, so that it is deleted if the account does not take it. */
    public Future<Void> reserve(long owner, String name) {
        return reserve(owner, name, LIFE);
    }

    private Future<Void> reserve(long owner, String name, Duration life) {
        return redis.send(RESERVE.call(
                        List.of(Keys.mediaDue(Id.shard(owner))), Script.CHECKED_NOW, name, life.toMillis()))
                .mapEmpty();
    }

    /** An upload of the owner's. */
    public Future<Optional<Upload>> find(long owner, long id) {
        return redis.send(Command.of("HGET", Keys.uploads(owner), id)).map(Uploads::upload);
    }

    /**
     * Uploads of the owner's in this order, which can be posted; fails with {@code Refusal(INVALID)} when one is not
     * there, or not ready, or when they cannot stand together.
     *
     * @param nowMillis what was to be made long before is given up
     */
    public Future<List<Attachment>> require(long owner, List<Long> ids, long nowMillis) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        return redis.send(Command.of("HMGET", Keys.uploads(owner), ids.toArray()))
                .map(reply -> {
                    List<Attachment> attachments = new ArrayList<>(ids.size());
                    for (Reply line : reply.items()) {
                        attachments.add(ready(upload(line).orElseThrow(Uploads::unknown), nowMillis));
                    }
                    return together(attachments);
                });
    }

    /** These of one status; refuses ({@code Refusal(INVALID)}) what cannot stand together. */
    public static List<Attachment> together(List<Attachment> attachments) {
        if (attachments.size() > 1 && attachments.stream().anyMatch(Attachment::isClip)) {
            throw mixed();
        }
        return List.copyOf(attachments);
    }

    /**
     * Changes what is said of an upload; null = as before. Empty when there is no such upload.
     *
     * @param description empty = none
     */
    public Future<Optional<Upload>> describe(long owner, long id, String description, Attachment.Focus focus) {
        return redis.send(DESCRIBE.call(
                        List.of(Keys.uploads(owner)),
                        id,
                        focus == null ? "" : focus.words(),
                        description == null ? 0 : 1,
                        description == null ? "" : description))
                .map(Uploads::upload);
    }

    /** Forgets an upload; its files are deleted by and by. False when there is none. */
    public Future<Boolean> remove(long owner, long id) {
        return redis.send(REMOVE.call(
                        List.of(Keys.uploads(owner), Keys.mediaDue(Id.shard(owner)), Keys.mediaBytes(owner)),
                        owner,
                        id))
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

    private static Attachment ready(Upload upload, long nowMillis) {
        if (upload instanceof Upload.Ready ready) {
            return ready.picture();
        }
        throw upload instanceof Upload.Pending pending && !pending.isOverdue(nowMillis) ? unfinished() : failed();
    }

    private static Optional<Upload> upload(Reply line) {
        return line.isNil() ? Optional.empty() : Upload.of(line.asString());
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
                ? CLAIM.call(ofUpload(queue, Long.parseLong(words[1])), due.member(), words[2])
                : CLAIM.call(List.of(queue), due.member());
        return redis.send(call).map(claimed -> claimed.asLong() == 1);
    }

    private static List<String> ofUpload(String queue, long owner) {
        return List.of(queue, Keys.uploads(owner), Keys.mediaBytes(owner));
    }

    /** Its files are gone. */
    public Future<Void> deleted(Due due) {
        return redis.send(Command.of("ZREM", Keys.mediaDue(due.shard()), due.member()))
                .mapEmpty();
    }
}

package io.fanfare.core.emoji;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.CustomEmoji;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Uploads;
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
 * Owns {@code emojis}: the custom emojis that the operator has added ({@code ./fanfare admin emojis}). Their files are
 * pictures like others: one that no emoji has is in the {@code media-due} of the same shard.
 */
public final class Emojis {
    /** Emojis of the server: each about 200 bytes of the answer that lists them. */
    public static final int MAX = 1000;

    /** Bytes of a file of which an emoji is made, as in Mastodon. */
    public static final int FILE_BYTES_MAX = 256 << 10;

    /** No process shows a removed emoji for longer than this, so that nobody looks for its file then. */
    static final Duration REST = Duration.ofMinutes(1);

    /** There is one in every data set. */
    private static final int SHARD = 0;

    /** The field that is no shortcode. */
    private static final String VERSION = "-";

    private static final Script ADD = Script.load("emoji_add");
    private static final Script REMOVE = Script.load("emoji_remove");
    private static final Script RESERVE = Script.load("media_reserve");

    private final Redis redis;

    public Emojis(Redis redis) {
        this.redis = redis;
    }

    /** Fails as {@link #add} would now, so that no picture is made for nothing. */
    public Future<Void> check(String shortcode, boolean replace) {
        return load().map(known -> {
            List<CustomEmoji> all = known.all();
            boolean taken = all.stream().anyMatch(emoji -> emoji.shortcode().equals(shortcode));
            if (taken && !replace) {
                throw taken(shortcode);
            }
            if (!taken && all.size() >= MAX) {
                throw full();
            }
            return null;
        });
    }

    private static Refusal taken(String shortcode) {
        return new Refusal(
                Refusal.Reason.INVALID,
                "There is an emoji :" + shortcode
                        + ": already. Choose another shortcode, or replace it with --replace.");
    }

    private static Refusal full() {
        return new Refusal(
                Refusal.Reason.INVALID,
                "There are " + MAX + " emojis, which is the most that is allowed. Remove one first.");
    }

    /** Notes the file of a picture before it is there, so that it is deleted if no emoji takes it. */
    public Future<Void> reserve(String file) {
        return redis.send(
                        RESERVE.call(List.of(Keys.mediaDue(SHARD)), Script.CHECKED_NOW, file, Uploads.LIFE.toMillis()))
                .mapEmpty();
    }

    /**
     * Adds an emoji, whose file must be reserved and there; whether it takes the place of another one with this
     * shortcode, whose file is deleted by and by.
     *
     * @param replace whether it may; if not, {@code Refusal(INVALID)}, and likewise when there are {@link #MAX}
     */
    public Future<Boolean> add(CustomEmoji emoji, boolean replace) {
        return redis.send(ADD.call(
                        List.of(Keys.emojis(SHARD), Keys.mediaDue(SHARD)),
                        Script.CHECKED_NOW,
                        emoji.shortcode(),
                        emoji.file(),
                        emoji.category(),
                        MAX,
                        replace ? 1 : 0,
                        REST.toMillis()))
                .map(answer -> added(emoji, answer.asString()));
    }

    private static boolean added(CustomEmoji emoji, String answer) {
        return switch (answer) {
            case "new", "replaced" -> answer.equals("replaced");
            case "taken" -> throw taken(emoji.shortcode());
            case "full" -> throw full();
            default ->
                throw new Refusal(
                        Refusal.Reason.INVALID, "The picture was deleted meanwhile. Add the emoji once more.");
        };
    }

    /** Removes an emoji; whether there was one. Its file is deleted when no process shows it any more. */
    public Future<Boolean> remove(String shortcode) {
        return redis.send(REMOVE.call(
                        List.of(Keys.emojis(SHARD), Keys.mediaDue(SHARD)),
                        Script.CHECKED_NOW,
                        shortcode,
                        REST.toMillis()))
                .map(removed -> removed.asLong() == 1);
    }

    /** All of them. */
    public Future<CustomEmojis> load() {
        return redis.send(Command.of("HGETALL", Keys.emojis(SHARD))).map(Emojis::emojis);
    }

    /** All of them, if they have changed since those that are known. */
    public Future<Optional<CustomEmojis>> news(CustomEmojis known) {
        return redis.send(Command.of("HGET", Keys.emojis(SHARD), VERSION)).compose(version -> {
            long now = version.isNil() ? 0 : version.asLong();
            return now == known.version() ? Future.succeededFuture(Optional.empty()) : load().map(Optional::of);
        });
    }

    private static CustomEmojis emojis(Reply reply) {
        List<Reply> fields = reply.flat();
        List<CustomEmoji> all = new ArrayList<>(fields.size() / 2);
        long version = 0;
        for (int i = 0; i < fields.size(); i += 2) {
            String field = fields.get(i).asString();
            if (field.equals(VERSION)) {
                version = fields.get(i + 1).asLong();
            } else {
                String[] line = fields.get(i + 1).asString().split(" ", 2);
                all.add(new CustomEmoji(field, line[0], line.length > 1 ? line[1] : ""));
            }
        }
        return new CustomEmojis(version, all);
    }
}

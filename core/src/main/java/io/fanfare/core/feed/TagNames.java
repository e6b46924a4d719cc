package io.fanfare.core.feed;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Owns the names of hashtags in {@code {trends}}: those that public statuses have had lately, to be found by how they
 * begin. They are hints: a tag's timeline decides whether it is used. Confined to one event loop.
 */
final class TagNames {
    /** Names that are kept, those used last. */
    static final int MAX = 20_000;

    /** Names of one answer. */
    static final int FOUND_MAX = 60;

    /** How many of the most used names of all are searched for this prefix. */
    static final int MOST_USED = 500;

    /** How many names with this prefix are read in the order of their letters. */
    static final int IN_ORDER = 1000;

    private static final Script NOTE = Script.load("tag_names");
    private static final Script COMPLETE = Script.load("tag_complete");
    private static final List<String> ALL = List.of(Keys.TAG_NAMES, Keys.TAG_SCORES, Keys.TAG_DAYS);

    private final Redis redis;
    private final Duration life;
    private final int max;

    /** @param life since the last use, as that of the timelines of tags */
    TagNames(Redis redis, Duration life) {
        this(redis, life, MAX);
    }

    TagNames(Redis redis, Duration life, int max) {
        this.redis = redis;
        this.life = life;
        this.max = max;
    }

    /** How many accounts have used a tag, folded, on a day of Unix time. */
    record Used(String tag, long day, long accounts) {}

    Future<Void> note(Collection<Used> uses, long today) {
        if (uses.isEmpty()) {
            return Future.succeededFuture();
        }
        List<Object> arguments = new ArrayList<>(List.of(max, today - life.toDays(), life.toSeconds()));
        uses.forEach(use -> arguments.addAll(List.of(use.tag(), use.day(), use.accounts())));
        return redis.send(NOTE.call(ALL, arguments.toArray())).mapEmpty();
    }

    /** Names that begin with these folded letters, the most used first. */
    Future<List<String>> beginningWith(String prefix) {
        return redis.send(
                        COMPLETE.call(List.of(Keys.TAG_NAMES, Keys.TAG_SCORES), prefix, MOST_USED, IN_ORDER, FOUND_MAX))
                .map(found -> found.items().stream().map(Reply::asString).toList());
    }

    /** Forgets names that no timeline has any more. */
    Future<Void> forget(Collection<String> tags) {
        if (tags.isEmpty()) {
            return Future.succeededFuture();
        }
        return redis.pipeline(ALL.stream()
                        .map(key -> Command.of("ZREM", key, tags.toArray()))
                        .toList())
                .mapEmpty();
    }
}

package io.fanfare.common.queue;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.redis.Script;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * The jobs that were given up, for operators: look, give a new life, let go. Confined to the event loop of its link;
 * made by {@link JobQueue#deadLetters}.
 */
public final class DeadLetters {
    /** Letters that can be asked for at once. */
    public static final int LIST_MAX = 10_000;

    /** Letters that one script looks at: a few milliseconds. */
    static final int PORTION = 500;

    private static final Script REPLAY = Script.load("replay");
    private static final Script DROP = Script.load("dead_drop");

    private final RedisLink redis;
    private final Shards shards;
    private final Supplier<Object> now;

    /** @param now the scripts' argument of that name */
    DeadLetters(RedisLink redis, Shards shards, Supplier<Object> now) {
        this.redis = redis;
        this.shards = shards;
        this.now = now;
    }

    /** Up to {@code max} letters of a shard, the newest first, after passing over {@code from}. */
    public Future<List<DeadLetter>> page(int shard, int from, int max) {
        requireListable(max);
        String key = Keys.dead(shard);
        return redis.send(Command.of("ZRANGE", key, from, from + max - 1, "REV", "WITHSCORES"))
                .map(reply -> letters(shard, reply));
    }

    /**
     * The newest {@code max} letters of all shards, the newest first. Asks one shard after the other, so that never
     * more than twice as many are in memory.
     */
    public Future<List<DeadLetter>> newest(int max) {
        requireListable(max);
        Promise<List<DeadLetter>> promise = Promise.promise();
        newest(0, max, List.of(), promise);
        return promise.future();
    }

    private void newest(int shard, int max, List<DeadLetter> found, Promise<List<DeadLetter>> promise) {
        if (shard == shards.count()) {
            promise.complete(found);
            return;
        }
        page(shard, 0, max)
                .onComplete(page -> newest(shard + 1, max, newestOf(found, page, max), promise), promise::fail);
    }

    private static List<DeadLetter> newestOf(List<DeadLetter> some, List<DeadLetter> others, int max) {
        List<DeadLetter> all = new ArrayList<>(some);
        all.addAll(others);
        all.sort(Comparator.comparingLong(DeadLetter::diedAtMillis).reversed());
        return List.copyOf(all.subList(0, Math.min(max, all.size())));
    }

    /**
     * Lets up to {@code max} letters of a shard, the longest dead first, wait again as if new; answers how many. Passes
     * over what does not decode. When it fails half way, those that were taken wait.
     */
    public Future<Integer> replay(int shard, int max) {
        Promise<Integer> promise = Promise.promise();
        replay(shard, 0, 0, max, promise);
        return promise.future();
    }

    private void replay(int shard, int replayed, int skip, int max, Promise<Integer> promise) {
        int portion = Math.min(PORTION, max - replayed);
        if (portion <= 0) {
            promise.complete(replayed);
            return;
        }
        List<String> keys = List.of(Keys.dead(shard), Keys.lane(shard, Lane.NORMAL.key()), Keys.queueStats(shard));
        redis.send(REPLAY.call(keys, now.get(), skip, portion))
                .onComplete(
                        reply -> {
                            int more = (int) reply.items().get(0).asLong();
                            int kept = (int) reply.items().get(1).asLong();
                            int enough = more + kept < portion ? replayed + more : max;
                            replay(shard, replayed + more, skip + kept, enough, promise);
                        },
                        promise::fail);
    }

    /** Lets go of up to {@code max} letters of a shard for good, the longest dead first; answers how many. */
    public Future<Integer> drop(int shard, int max) {
        if (max < 1) {
            return Future.succeededFuture(0);
        }
        return redis.send(DROP.call(List.of(Keys.dead(shard), Keys.queueStats(shard)), max))
                .map(reply -> (int) reply.asLong());
    }

    private static List<DeadLetter> letters(int shard, Reply reply) {
        List<Reply> pairs = reply.flat();
        List<DeadLetter> letters = new ArrayList<>(pairs.size() / 2);
        for (int i = 0; i < pairs.size(); i += 2) {
            String letter = pairs.get(i).asString();
            int tab = letter.indexOf('\t');
            long died = (long) Double.parseDouble(pairs.get(i + 1).asString());
            letters.add(new DeadLetter(shard, died, letter.substring(0, Math.max(0, tab)), letter.substring(tab + 1)));
        }
        return letters;
    }

    private static void requireListable(int max) {
        if (max < 1 || max > LIST_MAX) {
            throw new IllegalArgumentException("can list 1 to " + LIST_MAX + " dead letters, not " + max);
        }
    }
}

package io.fanfare.core.queue;

import io.fanfare.common.id.Shards;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Finds the shards that have one of some keys, with few commands where there are none. On one server a command asks for
 * 64 shards; of those that have something the next ones ask for 8, and then for one. In a cluster a command asks for
 * one shard, since no two shards share a slot; so that many shards do not cost much, each look asks for the next few
 * only. One event loop.
 */
public final class ShardProbe {
    private static final int GROUP = 64;
    private static final int PARTS = 8;

    /** Commands of one look, as long as nothing is found. */
    private static final int COMMANDS_MAX = 8;

    private final RedisLink redis;
    private final IntFunction<List<String>> keys;
    private final int shardCount;
    private final int group;
    private int next;

    /** @param keys what a shard has when it is to be found */
    public ShardProbe(RedisLink redis, Shards shards, IntFunction<List<String>> keys) {
        this.redis = redis;
        this.keys = keys;
        this.shardCount = shards.count();
        this.group = redis.isOneServer() ? GROUP : 1;
    }

    /**
     * The shards that have a key, among those whose turn it is. What does not answer has none; fails with a
     * {@code RedisError} when nothing answers.
     *
     * @param known shards that need no asking
     */
    public Future<Set<Integer>> look(Set<Integer> known) {
        List<List<Integer>> groups = new ArrayList<>();
        int left = shardCount;
        while (left > 0 && groups.size() < COMMANDS_MAX) {
            List<Integer> shards = new ArrayList<>(group);
            while (left > 0 && shards.size() < group) {
                if (!known.contains(next)) {
                    shards.add(next);
                }
                next = (next + 1) % shardCount;
                left--;
            }
            if (!shards.isEmpty()) {
                groups.add(shards);
            }
        }
        Set<Integer> found = new TreeSet<>();
        return look(groups, found).map(found);
    }

    private Future<Void> look(List<List<Integer>> groups, Set<Integer> found) {
        if (groups.isEmpty()) {
            return Future.succeededFuture();
        }
        return redis.pipeline(groups.stream().map(this::exists).toList())
                .compose(replies -> replies.stream().allMatch(Reply::isFailure)
                        ? Future.failedFuture(((Reply.Failure) replies.get(0)).error())
                        : look(parts(groups, replies, found), found));
    }

    private Command exists(List<Integer> shards) {
        List<String> all =
                shards.stream().flatMap(shard -> keys.apply(shard).stream()).toList();
        return Command.of("EXISTS", all.get(0), all.subList(1, all.size()).toArray());
    }

    /** The next questions about the groups that have something. At most twice, then each is of one shard. */
    private static List<List<Integer>> parts(List<List<Integer>> groups, List<Reply> replies, Set<Integer> found) {
        List<List<Integer>> parts = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            List<Integer> shards = groups.get(i);
            if (replies.get(i).isFailure() || replies.get(i).asLong() == 0) {
                continue;
            }
            if (shards.size() == 1) {
                found.add(shards.get(0));
                continue;
            }
            int size = (shards.size() + PARTS - 1) / PARTS;
            for (int from = 0; from < shards.size(); from += size) {
                parts.add(shards.subList(from, Math.min(shards.size(), from + size)));
            }
        }
        return parts;
    }
}

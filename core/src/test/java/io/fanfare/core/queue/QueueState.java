package io.fanfare.core.queue;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/**
 * Everything that one shard's queue has in Redis, as text, so that a test states the whole of it: a line per list that
 * is not empty, lists in the order in which jobs leave them.
 *
 * <pre>
 * high: 0 0 5 fan_out.1 8 12 0 | 0 0 6 fan_out.1 8 16 0
 * batch w.1 until 10000: 0 0 4 fan_out.1 8 4 0
 * stats: done=3 enqueued=6
 * </pre>
 */
final class QueueState {
    private final TestRedis redis;
    private final int shard;

    QueueState(TestRedis redis, int shard) {
        this.redis = redis;
        this.shard = shard;
    }

    /** Puts jobs into a list, the first leaves first. */
    void give(String lane, String... jobs) {
        String key = Keys.lane(shard, lane);
        List<String> command = new ArrayList<>(List.of("LPUSH", key));
        command.addAll(List.of(jobs));
        redis.askAt(key, command.toArray(String[]::new));
    }

    void giveDelayed(long due, String job) {
        String key = Keys.delayed(shard);
        redis.askAt(key, "ZADD", key, Long.toString(due), job);
    }

    void giveDead(long died, String letter) {
        String key = Keys.dead(shard);
        redis.askAt(key, "ZADD", key, Long.toString(died), letter);
    }

    List<String> list(String lane) {
        String key = Keys.lane(shard, lane);
        List<String> jobs = strings(redis.askAt(key, "LRANGE", key, "0", "-1"));
        Collections.reverse(jobs);
        return jobs;
    }

    String text() {
        List<String> lines = new ArrayList<>();
        for (String lane : List.of("high", "normal", "low", "suspect")) {
            line(lines, lane, list(lane));
        }
        line(lines, "delayed", scored(Keys.delayed(shard)));
        line(lines, "dead", scored(Keys.dead(shard)));
        TreeMap<String, String> leases = new TreeMap<>();
        for (String lease : scored(Keys.leases(shard))) {
            leases.put(lease.substring(lease.indexOf(' ') + 1), lease.substring(0, lease.indexOf(' ')));
        }
        String prefix = Keys.batch(shard, "");
        for (String key : redis.keys()) {
            if (key.startsWith(prefix)) {
                String name = key.substring(prefix.length());
                String until = leases.containsKey(name) ? " until " + leases.remove(name) : " without lease";
                line(lines, "batch " + name + until, strings(redis.askAt(key, "LRANGE", key, "0", "-1")));
            }
        }
        leases.forEach((name, until) -> lines.add("lease without batch: " + name + " until " + until));
        List<String> stats = new ArrayList<>();
        List<String> pairs = strings(redis.askAt(Keys.queueStats(shard), "HGETALL", Keys.queueStats(shard)));
        for (int i = 0; i < pairs.size(); i += 2) {
            if (!pairs.get(i).startsWith("failed:")) { // Told apart by a test of its own.
                stats.add(pairs.get(i) + '=' + pairs.get(i + 1));
            }
        }
        Collections.sort(stats);
        if (!stats.isEmpty()) {
            lines.add("stats: " + String.join(" ", stats));
        }
        return String.join("\n", lines);
    }

    /** How many jobs are in batches, counted one by one. */
    long inBatches() {
        String prefix = Keys.batch(shard, "");
        return redis.keys().stream()
                .filter(key -> key.startsWith(prefix))
                .mapToLong(key -> redis.askAt(key, "LLEN", key).asLong())
                .sum();
    }

    /** {@code <score> <member>}, lowest score first. */
    List<String> scored(String key) {
        List<String> pairs = strings(redis.askAt(key, "ZRANGE", key, "0", "-1", "WITHSCORES"));
        List<String> members = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            members.add(pairs.get(i + 1) + ' ' + pairs.get(i));
        }
        return members;
    }

    private static void line(List<String> lines, String name, List<String> jobs) {
        if (!jobs.isEmpty()) {
            lines.add(name + ": " + String.join(" | ", jobs));
        }
    }

    private static List<String> strings(Reply reply) {
        List<String> strings = new ArrayList<>();
        reply.items().forEach(item -> strings.add(item.asString()));
        return strings;
    }
}

package io.fanfare.app;

import static io.fanfare.app.Finding.ok;

import io.fanfare.common.keyspace.Key;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Slots;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The busiest slots of each master of a cluster, where the server counts them: {@code CLUSTER SLOT-STATS} of Valkey 8
 * and Redis 8.2. By processor time where {@code cluster-slot-stats-enabled} is set, otherwise by keys.
 */
final class HotSlots {
    private static final int SHOWN = 3;
    private static final Pattern TAG = Pattern.compile("\\{([a-z-]+)}.*");
    private static final String CPU = "cpu-usec";
    private static final String KEYS = "key-count";

    private HotSlots() {}

    /**
     * One finding a master. None of a master without the command, or whose user may not call it, and none when this is
     * no cluster.
     *
     * @param shards of the data set
     */
    static Future<List<Finding>> of(RedisLink redis, int shards) {
        if (redis.isOneServer()) {
            return Future.succeededFuture(List.of());
        }
        Map<Integer, String> names = names(shards);
        List<Future<List<Finding>>> all = redis.nodes().stream()
                .map(node -> busiest(redis, node, CPU)
                        .recover(cause -> busiest(redis, node, KEYS))
                        .map(reply -> List.of(finding(node, reply, names)))
                        .otherwise(List.of()))
                .toList();
        return Future.join(all)
                .map(done ->
                        all.stream().flatMap(each -> each.result().stream()).toList());
    }

    private static Future<Reply> busiest(RedisLink redis, String node, String by) {
        return redis.sendTo(node, Command.routed("CLUSTER", null, "SLOT-STATS", "ORDERBY", by, "LIMIT", SHOWN, "DESC"));
    }

    /** Slots by number, with what lies in them: shards, and the tags of the other keys. */
    static Map<Integer, String> names(int shards) {
        Map<Integer, List<String>> tags = new HashMap<>();
        for (int shard = 0; shard < shards; shard++) {
            tags.computeIfAbsent(Slots.of("{" + shard + "}"), slot -> new ArrayList<>())
                    .add("shard " + shard);
        }
        Arrays.stream(Key.values())
                .map(key -> TAG.matcher(key.form()))
                .filter(Matcher::matches)
                .map(tag -> "{" + tag.group(1) + "}")
                .filter(tag -> !tag.equals("{s}"))
                .distinct()
                .forEach(tag -> tags.computeIfAbsent(Slots.of(tag), slot -> new ArrayList<>())
                        .add(tag));
        return tags.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> String.join(", ", entry.getValue())));
    }

    /** @param reply pairs of a slot and its statistics, the busiest slot first */
    static Finding finding(String node, Reply reply, Map<Integer, String> names) {
        String slots = reply.items().stream().map(slot -> slot(slot, names)).collect(Collectors.joining("; "));
        return ok("redis", node + (slots.isEmpty() ? " has no slots" : " has as its busiest slots " + slots));
    }

    private static String slot(Reply slot, Map<Integer, String> names) {
        int number = (int) slot.items().get(0).asLong();
        Map<String, Long> statistics = new HashMap<>();
        List<Reply> pairs = slot.items().get(1).items();
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            statistics.put(pairs.get(i).asString(), pairs.get(i + 1).asLong());
        }
        String cpu = statistics.containsKey(CPU)
                ? String.format(Locale.ROOT, ", %,d ms of processor", statistics.get(CPU) / 1000)
                : "";
        return number + " (" + names.getOrDefault(number, "other keys") + cpu
                + String.format(Locale.ROOT, ", %,d keys)", statistics.getOrDefault(KEYS, 0L));
    }
}

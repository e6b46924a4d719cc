package io.fanfare.verify;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.KeyShape;
import io.fanfare.common.keyspace.KeyShape.Owner;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.ServerInfo;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Says what takes the memory of Redis: bytes by family of keys, the largest shards and the largest keys. Asks each
 * master for some of its keys with SCAN, whose order has nothing to do with their names, and multiplies; so the work is
 * bounded however much there is. Keys of which a site has one, such as its event log, or one an hour, are measured by
 * name instead: they may be huge, and a sample would lack them or multiply them. One use per instance; one event loop.
 */
public final class MemorySurvey {
    private static final int PORTION = 500;

    /** The longest {@code stream.log-age}. */
    private static final long HOURS_MAX = Duration.ofDays(30).toHours();

    /** Members of a key that Redis measures; it multiplies too. */
    private static final int SAMPLES = 5;

    /** The family of keys that Fanfare does not spell. */
    public static final String UNKNOWN = "(unknown)";

    private final RedisLink redis;
    private final Set<String> named;
    private final int sampleMax;
    private final int top;
    private final Map<String, double[]> families = new HashMap<>();
    private final Map<Integer, double[]> shards = new HashMap<>();
    private final PriorityQueue<BigKey> largest = new PriorityQueue<>(Comparator.comparingLong(BigKey::bytes));
    private long keys;
    private long sampled;
    private long used;

    /**
     * @param redis a link as a user who may SCAN and MEMORY
     * @param now keys of an hour are looked for up to this time
     * @param sampleMax keys that are looked at on each master
     * @param top how many shards and keys are named
     */
    public MemorySurvey(RedisLink redis, Instant now, int sampleMax, int top) {
        this.redis = redis;
        long hour = Duration.ofMillis(now.toEpochMilli()).toHours();
        this.named = Stream.of(KeyShape.singleKeys(), KeyShape.hourlyKeys(hour - HOURS_MAX - 2, hour + 1))
                .flatMap(List::stream)
                .collect(Collectors.toUnmodifiableSet());
        this.sampleMax = sampleMax;
        this.top = top;
    }

    /** Keys and their bytes; estimates, unless all keys were looked at. */
    public record Part(String name, long keys, long bytes) {}

    /** One key as Redis measures it. */
    public record BigKey(String key, long bytes) {}

    /**
     * The result, the largest first.
     *
     * @param used bytes that the masters have allocated, with all that belongs to no key
     * @param sampled keys that were looked at, of {@code keys}
     * @param bigKeys the largest of those
     */
    public record Result(
            long used, long keys, long sampled, List<Part> families, List<Part> shards, List<BigKey> bigKeys) {}

    public Future<Result> run() {
        return Pages.each(redis, redis.nodes(), this::node)
                .compose(done -> measure(List.copyOf(named)))
                .onSuccess(found -> found.forEach(one -> add(one, 1)))
                .map(done -> new Result(
                        used,
                        keys,
                        sampled,
                        parts(families),
                        parts(shards).stream().limit(top).toList(),
                        largest.stream()
                                .sorted(Comparator.comparingLong(BigKey::bytes).reversed())
                                .toList()));
    }

    /** A key that was looked at. */
    private record Measured(String key, long bytes) {}

    private Future<Void> node(String node) {
        List<Measured> seen = new ArrayList<>();
        long[] looked = {0};
        String[] cursor = {RedisLink.Scan.BEGIN};
        return redis.sendTo(node, Command.routed("INFO", null, "memory"))
                .compose(info -> redis.sendTo(node, Command.routed("DBSIZE", null))
                        .compose(size -> Pages.whileTrue(redis, () -> portion(node, cursor, looked, seen))
                                .onSuccess(done -> {
                                    used += ServerInfo.of(info.asString()).number("used_memory");
                                    add(seen, looked[0], size.asLong(), cursor[0].equals(RedisLink.Scan.BEGIN));
                                })));
    }

    /**
     * Answers whether there is more, and room for it.
     *
     * @param looked how many keys of the server were listed, those of other namespaces among them
     */
    private Future<Boolean> portion(String node, String[] cursor, long[] looked, List<Measured> seen) {
        return redis.sendTo(node, Command.routed("SCAN", null, cursor[0], "COUNT", PORTION))
                .compose(reply -> {
                    cursor[0] = reply.items().get(0).asString();
                    List<Reply> listed = reply.items().get(1).items();
                    looked[0] += listed.size();
                    List<String> names = listed.stream()
                            .map(key -> redis.namespace().without(key.asString()))
                            .flatMap(Optional::stream)
                            .toList();
                    return measure(names).map(found -> {
                        seen.addAll(found);
                        return !cursor[0].equals(RedisLink.Scan.BEGIN) && looked[0] < sampleMax;
                    });
                });
    }

    /** Measures those of the keys that exist. */
    private Future<List<Measured>> measure(List<String> names) {
        List<Command> commands = names.stream()
                .map(key -> Command.routed("MEMORY", key, "USAGE", key, "SAMPLES", SAMPLES))
                .toList();
        return BatchedPipeline.send(redis, commands).map(replies -> {
            List<Measured> found = new ArrayList<>(names.size());
            for (int i = 0; i < names.size(); i++) {
                if (!replies.get(i).isNil()) {
                    found.add(new Measured(names.get(i), replies.get(i).asLong()));
                }
            }
            return found;
        });
    }

    /** @param whole whether these are all keys of the node */
    private void add(List<Measured> seen, long looked, long size, boolean whole) {
        double times = whole || looked == 0 ? 1 : Math.max(1, (double) size / looked);
        keys += Math.round(times * seen.size());
        sampled += seen.size();
        for (Measured one : seen) {
            if (!named.contains(one.key())) {
                add(one, times);
            }
        }
    }

    private void add(Measured one, double times) {
        KeyShape shape = KeyShape.of(one.key()).orElse(null);
        add(families, shape == null ? UNKNOWN : shape.family(), times, one.bytes());
        if (shape != null && shape.owner() != Owner.NONE) {
            add(shards, (int) (shape.owner() == Owner.SHARD ? shape.id() : Id.shard(shape.id())), times, one.bytes());
        }
        largest.add(new BigKey(one.key(), one.bytes()));
        if (largest.size() > top) {
            largest.remove();
        }
    }

    private static <K> void add(Map<K, double[]> tallies, K name, double times, long bytes) {
        double[] tally = tallies.computeIfAbsent(name, none -> new double[2]);
        tally[0] += times;
        tally[1] += times * bytes;
    }

    private static List<Part> parts(Map<?, double[]> tallies) {
        return tallies.entrySet().stream()
                .map(entry -> new Part(
                        entry.getKey().toString(), Math.round(entry.getValue()[0]), Math.round(entry.getValue()[1])))
                .sorted(Comparator.comparingLong(Part::bytes).reversed().thenComparing(Part::name))
                .collect(Collectors.toList());
    }
}

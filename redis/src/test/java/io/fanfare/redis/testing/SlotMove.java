package io.fanfare.redis.testing;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;

import io.fanfare.redis.embedded.RedisProcess;
import java.util.List;

/**
 * The move of one slot of a cluster to its next master, as {@code redis-cli --cluster reshard} does it: the slot is
 * marked on both sides, its keys go over one by one, then all masters are informed. The test takes each step.
 * {@link #atomically} moves it in one step, where the servers can do that.
 */
public final class SlotMove {
    private static final String MIGRATE_MILLIS = "20000";

    private final TestRedis redis;
    private final String slot;
    private final RedisProcess from;
    private final RedisProcess to;

    private SlotMove(TestRedis redis, String slot, RedisProcess from, RedisProcess to) {
        this.redis = redis;
        this.slot = slot;
        this.from = from;
        this.to = to;
    }

    /** Marks the slot of a key as one that moves. No key has gone yet. */
    public static SlotMove begin(TestRedis redis, String key) {
        RedisProcess from = redis.serverOf(key);
        List<RedisProcess> servers = redis.servers();
        return begin(redis, key, from, servers.get((servers.indexOf(from) + 1) % servers.size()));
    }

    /** The same to a server of the test's choice. */
    public static SlotMove begin(TestRedis redis, String key, RedisProcess from, RedisProcess to) {
        String slot = Long.toString(
                ask(from, "CLUSTER", "KEYSLOT", TestRedis.NAMESPACE.with(key)).asLong());
        ask(to, "CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
        ask(from, "CLUSTER", "SETSLOT", slot, "MIGRATING", id(to));
        return new SlotMove(redis, slot, from, to);
    }

    /** Whether the servers can move a slot as a whole. */
    public static boolean isAtomicOn(TestRedis redis) {
        return ask(redis.server(), "CLUSTER", "HELP").items().stream()
                .anyMatch(line -> line.asString().startsWith("MIGRATESLOTS"));
    }

    /** Lets the servers move the slot of a key to the next master, as a whole; returns when it is there. */
    public static void atomically(TestRedis redis, String key) {
        RedisProcess from = redis.serverOf(key);
        List<RedisProcess> servers = redis.servers();
        RedisProcess to = servers.get((servers.indexOf(from) + 1) % servers.size());
        redis.letReplicate(from); // A move is a replication, and needs its password.
        String slot = Long.toString(
                ask(from, "CLUSTER", "KEYSLOT", TestRedis.NAMESPACE.with(key)).asLong());
        ask(from, "CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", id(to));
        awaitUntil("slot " + slot + " is there", () -> redis.serverOf(key) == to);
    }

    public RedisProcess from() {
        return from;
    }

    public RedisProcess to() {
        return to;
    }

    /** Keys that have not gone yet, some of them when there are many. */
    public List<String> keysLeft() {
        return ask(from, "CLUSTER", "GETKEYSINSLOT", slot, "1000").items().stream()
                .map(key -> TestRedis.NAMESPACE.without(key.asString()).orElseThrow())
                .toList();
    }

    /** Lets one key go; one that does not exist any more is no error. */
    public void migrate(String key) {
        ask(
                from,
                "MIGRATE",
                "127.0.0.1",
                Integer.toString(to.port()),
                TestRedis.NAMESPACE.with(key),
                "0",
                MIGRATE_MILLIS,
                "AUTH",
                redis.password().reveal());
    }

    /** Lets all keys go that are left. */
    public void migrateAll() {
        for (List<String> keys = keysLeft(); !keys.isEmpty(); keys = keysLeft()) {
            keys.forEach(this::migrate);
        }
    }

    /** The slot is where its keys are. */
    public void end() {
        ask(to, "CLUSTER", "SETSLOT", slot, "NODE", id(to));
        ask(from, "CLUSTER", "SETSLOT", slot, "NODE", id(to));
        redis.servers().forEach(server -> ask(server, "CLUSTER", "SETSLOT", slot, "NODE", id(to)));
    }

    /** All of the move that is left. */
    public void finish() {
        migrateAll();
        end();
    }

    private static String id(RedisProcess node) {
        return ask(node, "CLUSTER", "MYID").asString();
    }
}

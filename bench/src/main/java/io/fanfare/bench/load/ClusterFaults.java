package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Slots;
import io.fanfare.redis.embedded.LocalCluster;
import io.fanfare.redis.embedded.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Failovers and moves of slots in a {@link BenchCluster} whose masters have one replica each. A pair is a master and
 * its replica, which change places. Every wait is bounded: a step that takes longer throws {@link BenchFailed}. For the
 * command's main thread.
 */
public final class ClusterFaults {
    /** Redis holds another election after four times {@code cluster-node-timeout}, when the first one had no winner. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** A replica gives up a failover by agreement after 5 s, such as when it is too far behind. */
    private static final long AGREEMENT_NANOS = TimeUnit.SECONDS.toNanos(6);

    private static final String KEYS_PER_MOVE = "100";
    private static final String MOVE_MILLIS = "20000";

    private final BenchCluster cluster;
    private final List<RedisProcess> masters;
    private final List<RedisProcess> replicas;

    /** The pair that has a slot, where it is not the first one. */
    private final Map<Integer, Integer> moved = new HashMap<>();

    public ClusterFaults(BenchCluster cluster) {
        this.cluster = cluster;
        masters = cluster.masters();
        replicas = cluster.replicas();
    }

    public int pairs() {
        return masters.size();
    }

    /**
     * Notes which server of each pair is the master now, and waits until its replica follows it. On a busy machine a
     * replica may have been elected because its master did not answer for {@code cluster-node-timeout}.
     *
     * @return the pairs whose servers had changed places
     */
    public Set<Integer> lookAgain() {
        Set<Integer> changed = new TreeSet<>();
        for (int pair = 0; pair < pairs(); pair++) {
            RedisProcess replica = replicas.get(pair);
            if (replication(replica).contains("role:master")) {
                replicas.set(pair, masters.set(pair, replica));
                changed.add(pair);
            }
            awaitReplica(pair);
        }
        return changed;
    }

    /** The shards whose keys the pair has. */
    public Set<Integer> shardsOf(int pair) {
        Set<Integer> shards = new TreeSet<>();
        for (int shard = 0; shard < cluster.settings().redis().shards(); shard++) {
            if (pairOf(shard) == pair) {
                shards.add(shard);
            }
        }
        return shards;
    }

    /** The pair that has the keys of a shard. */
    public int pairOf(int shard) {
        int slot = slotOf(shard);
        int pair = pairs() - 1;
        while (LocalCluster.firstSlot(pair, pairs()) > slot) {
            pair--;
        }
        return moved.getOrDefault(slot, pair);
    }

    private static int slotOf(int shard) {
        return Slots.of(Keys.master(shard));
    }

    /** Lets the replica take over by agreement with its master ({@code CLUSTER FAILOVER}); returns when it has. */
    public void failOver(int pair) {
        RedisProcess replica = replicas.get(pair);
        order(replica, "CLUSTER", "FAILOVER");
        long[] ordered = {System.nanoTime()};
        await("the replica to take over by agreement", () -> {
            if (System.nanoTime() - ordered[0] > AGREEMENT_NANOS) {
                order(replica, "CLUSTER", "FAILOVER");
                ordered[0] = System.nanoTime();
            }
            return replication(replica).contains("role:master");
        });
        replicas.set(pair, masters.set(pair, replica));
    }

    /** Cuts the replica off: from now on it misses what its master writes. */
    public void cutOff(int pair) {
        RedisProcess replica = replicas.get(pair);
        // Its master has no password, and refuses one.
        order(replica, "CONFIG", "SET", "masterauth", "none");
        order(masters.get(pair), "CLIENT", "KILL", "TYPE", "replica");
        await("the replica to be cut off", () -> replication(replica).contains("master_link_status:down"));
    }

    /** {@code kill -9} of the master. */
    public void kill(int pair) {
        masters.get(pair).kill();
    }

    /** Waits until the replica of a killed master has been elected. */
    public void awaitTakeover(int pair) {
        RedisProcess replica = replicas.get(pair);
        await("the replica to be elected", () -> replication(replica).contains("role:master"));
        order(replica, "CONFIG", "SET", "masterauth", "");
        replicas.set(pair, masters.set(pair, replica));
    }

    /** Starts the killed server of the pair again, which finds its place as a replica. */
    public void restart(int pair) {
        replicas.set(pair, cluster.restart(replicas.get(pair)));
    }

    /** Waits until the replica of the pair has the data of its master and follows it. */
    public void awaitReplica(int pair) {
        RedisProcess replica = replicas.get(pair);
        await("the former master to follow", () -> replication(replica).contains("master_link_status:up"));
    }

    /** Moves the slot of a shard, key by key as {@code redis-cli --cluster reshard} does, to the next pair. */
    public void moveShard(int shard) {
        int slot = slotOf(shard);
        int pair = pairOf(shard);
        int next = (pair + 1) % pairs();
        RedisProcess from = masters.get(pair);
        RedisProcess to = masters.get(next);
        String number = Integer.toString(slot);
        order(to, "CLUSTER", "SETSLOT", number, "IMPORTING", LocalCluster.id(from));
        order(from, "CLUSTER", "SETSLOT", number, "MIGRATING", LocalCluster.id(to));
        await("the keys of a slot to move", () -> moveSome(number, from, to));
        order(to, "CLUSTER", "SETSLOT", number, "NODE", LocalCluster.id(to));
        order(from, "CLUSTER", "SETSLOT", number, "NODE", LocalCluster.id(to));
        masters.forEach(node -> order(node, "CLUSTER", "SETSLOT", number, "NODE", LocalCluster.id(to)));
        moved.put(slot, next);
    }

    /** Whether no key is left. */
    private static boolean moveSome(String slot, RedisProcess from, RedisProcess to) {
        List<Reply> keys =
                ask(from, "CLUSTER", "GETKEYSINSLOT", slot, KEYS_PER_MOVE).items();
        if (keys.isEmpty()) {
            return true;
        }
        List<String> move = new ArrayList<>(
                List.of("MIGRATE", "127.0.0.1", Integer.toString(to.port()), "", "0", MOVE_MILLIS, "KEYS"));
        keys.forEach(key -> move.add(key.asString()));
        order(from, move.toArray(String[]::new));
        return false;
    }

    private static String replication(RedisProcess node) {
        return ask(node, "INFO", "replication").asString();
    }

    private static void order(RedisProcess node, String... command) {
        Reply unused = ask(node, command);
    }

    private static Reply ask(RedisProcess node, String... command) {
        try {
            Reply reply = node.ask(command);
            if (reply instanceof Reply.Failure failure) {
                throw new BenchFailed(command[0] + " of a node of the cluster failed: "
                        + failure.error().getMessage());
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(String event, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new BenchFailed("waited " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s for " + event);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}

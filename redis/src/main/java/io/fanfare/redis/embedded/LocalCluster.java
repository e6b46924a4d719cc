package io.fanfare.redis.embedded;

import io.fanfare.redis.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Makes a Redis cluster of servers that run on the loopback address: what tests and {@code fanfare cluster up} have in
 * common. All methods block.
 */
public final class LocalCluster {
    /** Slots of a cluster. */
    private static final int SLOTS = 16_384;

    /** The time within which the nodes must agree. They need less than a second, but longer on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int LOOK_MILLIS = 10;

    private LocalCluster() {}

    /**
     * Shares the slots out among servers that know of no others yet, and makes them masters of one cluster; returns
     * when each of them knows all slots.
     */
    public static void join(List<RedisProcess> masters) {
        for (int i = 0; i < masters.size(); i++) {
            RedisProcess node = masters.get(i);
            String first = Integer.toString(firstSlot(i, masters.size()));
            String last = Integer.toString(firstSlot(i + 1, masters.size()) - 1);
            order(node, "CLUSTER", "ADDSLOTSRANGE", first, last);
            // Distinct epochs at once; else the nodes find out about the collision first, which takes seconds.
            order(node, "CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (RedisProcess node : masters) {
            masters.forEach(other -> meet(node, other));
        }
        await("the cluster to be complete", () -> masters.stream().allMatch(node -> knows(node, masters.size())));
    }

    /** The first slot of the i-th of so many masters. */
    public static int firstSlot(int master, int masters) {
        return (int) Math.round((double) SLOTS * master / masters);
    }

    private static void meet(RedisProcess node, RedisProcess other) {
        String busPort =
                ask(other, "CONFIG", "GET", "cluster-port").items().get(1).asString();
        order(node, "CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()), busPort);
    }

    private static boolean knows(RedisProcess node, int masters) {
        String info = ask(node, "CLUSTER", "INFO").asString();
        return info.contains("cluster_state:ok") && info.contains("cluster_size:" + masters + "\r");
    }

    /**
     * Makes a server that knows of no others the replica of a master, and returns when it has all of the master's data,
     * and it and all masters know each other.
     */
    public static void replicate(RedisProcess replica, RedisProcess master, List<RedisProcess> masters) {
        String id = id(master);
        // Not only its own, which would introduce it to the others in time: a node ignores messages of one that it does
        // not
        // know. When its master died before, it would know nobody, and be down for ever as the master that it becomes.
        masters.forEach(other -> meet(replica, other));
        await(
                "the replica to know its master",
                () -> ask(replica, "CLUSTER", "NODES").asString().contains(id));
        await("it to replicate", () -> {
            try {
                return replica.ask("CLUSTER", "REPLICATE", id) instanceof Reply.Text;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        await(
                "it to have everything",
                () -> ask(replica, "INFO", "replication").asString().contains("master_link_status:up"));
        String ofReplica = id(replica);
        await("all masters to know it", () -> masters.stream()
                .allMatch(node -> ask(node, "CLUSTER", "NODES").asString().contains(ofReplica)));
        await("it to know all masters", () -> knows(replica, masters.size()));
    }

    /** Returns when servers that have been a cluster before are one again. */
    public static void awaitJoined(List<RedisProcess> nodes) {
        await("the nodes of the cluster to find each other", () -> nodes.stream()
                .allMatch(node -> ask(node, "CLUSTER", "INFO").asString().contains("cluster_state:ok")));
    }

    /** The name of a node among the others. */
    public static String id(RedisProcess node) {
        return ask(node, "CLUSTER", "MYID").asString();
    }

    private static void order(RedisProcess server, String... command) {
        Reply unused = ask(server, command);
    }

    private static Reply ask(RedisProcess server, String... command) {
        try {
            Reply reply = server.ask(command);
            if (reply instanceof Reply.Failure failure) {
                throw failure.error();
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited " + PATIENCE.toSeconds() + " s for " + what);
            }
            RedisProcess.pause(LOOK_MILLIS);
        }
    }
}

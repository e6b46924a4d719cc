package io.fanfare.redis;

import io.fanfare.redis.RedisError.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The server for each key. Standalone: the only one. Sentinel: the one that sentinels name, which are queried for each
 * connection and every few seconds. Cluster: a table of slots, read with CLUSTER SLOTS at the start, every few seconds,
 * after a lost connection and after every MOVED (whose own word counts at once); one reading at a time. Confined to the
 * loop.
 */
final class Topology {
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Not more often than this, whatever happens. */
    private static final long REFRESH_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The pause between two queries of sentinels for the master. */
    private static final long SENTINEL_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final Command CLUSTER_SLOTS = Command.routed("CLUSTER", null, "SLOTS");

    private final Connector connector;
    private final Node.Owner owner;
    private final boolean cluster;
    private final boolean sentinel;
    private final NodeAddress.Address first;
    private final Map<NodeAddress.Address, Node> nodes = new LinkedHashMap<>();
    private final Map<NodeAddress.Address, Long> redirectedNanos = new HashMap<>();
    private final Node[] slots = new Node[Slots.COUNT];
    private ClusterMasters masters;
    private List<NodeAddress.Address> known = List.of();

    /** Another master than the one that is connected, as the last answer of the sentinels named it; null = none. */
    private NodeAddress.Address otherMaster;

    private boolean refreshDue;
    private boolean closed;

    Topology(Connector connector, Node.Owner owner, RedisOptions.Mode mode) {
        this.connector = connector;
        this.owner = owner;
        this.cluster = mode == RedisOptions.Mode.CLUSTER;
        this.sentinel = mode == RedisOptions.Mode.SENTINEL;
        this.first = connector.endpoint().address();
    }

    /**
     * Connects to the server of redis.url, of a cluster then to all masters; of those that are away it is enough to
     * have tried.
     */
    Future<Void> start() {
        if (cluster) {
            return startAt(new ArrayDeque<>(connector.endpoint().nodes()), new ArrayList<>())
                    .compose(read -> allTried())
                    .onSuccess(done -> refreshAfter(REFRESH_NANOS));
        }
        Node seed = new Node(connector, first, owner);
        nodes.put(first, seed);
        Future<Void> connected = seed.start();
        if (sentinel) {
            followSentinels(seed);
        }
        return connected;
    }

    /** Reads the table of slots from the first node that has one. */
    private Future<Void> startAt(Deque<NodeAddress.Address> seeds, List<RedisError> reasons) {
        NodeAddress.Address address = seeds.poll();
        if (address == null) {
            return Future.failedFuture(NodeAddress.noneOf(reasons));
        }
        Node seed = at(address);
        return seed.attempt()
                .compose(up -> read(new ArrayDeque<>(List.of(seed))))
                .recover(cause -> {
                    nodes.remove(address);
                    seed.close("another node is tried");
                    reasons.add(
                            cause instanceof RedisError error
                                    ? error
                                    : new RedisError(Kind.UNAVAILABLE, String.valueOf(cause)));
                    return startAt(seeds, reasons);
                });
    }

    private Future<Void> allTried() {
        return Future.join(nodes.values().stream().map(Node::attempt).toList())
                .transform(tried -> Future.succeededFuture());
    }

    boolean isCluster() {
        return cluster;
    }

    /**
     * A master that is cut off from its sentinels looks well from here, and takes writes that will be lost. One
     * sentinel may be behind the others for a moment, so a connection is given up only when two answers in a row name
     * the same other server.
     */
    private void followSentinels(Node node) {
        long unused = connector.after(SENTINEL_PAUSE_NANOS, () -> {
            if (!closed) {
                connector
                        .whereIs(first)
                        .onComplete(named -> compare(node, named), cause -> {})
                        .onComplete(sender -> followSentinels(node));
            }
        });
    }

    private void compare(Node node, NodeAddress.Address named) {
        NodeAddress.Address server = node.server();
        if (server == null || server.equals(named)) {
            otherMaster = null;
        } else if (named.equals(otherMaster)) {
            otherMaster = null;
            node.renew(LinkMetrics.Loss.REPLICA, "the sentinels name " + named + " as the master");
        } else {
            otherMaster = named;
        }
    }

    /** The nodes that are known now, masters first, then their replicas; without a cluster those of redis.url. */
    List<NodeAddress.Address> known() {
        return cluster ? known : connector.endpoint().nodes();
    }

    /** As read last; null = there is one server that nothing takes the place of, or none is known yet. */
    ClusterMasters masters() {
        if (!sentinel && !connector.seeksMaster()) {
            return masters;
        }
        NodeAddress.Address server = nodes.get(first).server();
        return server == null ? null : ClusterMasters.one(connector.namespace(), server.toString());
    }

    List<NodeAddress.Address> addresses() {
        return List.copyOf(nodes.keySet());
    }

    /** The node of a key; of null, any that is up. */
    Node nodeOf(String key) {
        Node node = key == null || !cluster ? null : slots[connector.namespace().slot(key)];
        return node == null ? any() : node;
    }

    private Node any() {
        Node last = null;
        for (Node node : nodes.values()) {
            if (node.isUp()) {
                return node;
            }
            last = node;
        }
        return last;
    }

    /** The node at an address, which need not be known yet. */
    Node at(NodeAddress.Address address) {
        Node known = nodes.get(address);
        return known == null ? add(address) : known;
    }

    private Node add(NodeAddress.Address address) {
        Node node = new Node(connector, address, owner);
        nodes.put(address, node);
        node.start().onFailure(cause -> refreshSoon());
        return node;
    }

    /** The node that a slot is on its way to. It may own none yet: the table does not name it, but it stays. */
    Node redirected(NodeAddress.Address address) {
        redirectedNanos.put(address, connector.nanos());
        return at(address);
    }

    /** Notes the server of a slot, from a MOVED reply. */
    Node moved(int slot, NodeAddress.Address address) {
        Node node = at(address);
        slots[slot] = node;
        refreshSoon();
        return node;
    }

    /** Reads the table again, in a moment; many calls make one reading. */
    void refreshSoon() {
        if (cluster && !refreshDue) {
            refreshDue = true;
            long unused = connector.after(REFRESH_PAUSE_NANOS, () -> {
                refreshDue = false;
                refresh();
            });
        }
    }

    private void refreshAfter(long delayNanos) {
        long unused = connector.after(delayNanos, () -> {
            refresh();
            if (!closed) {
                refreshAfter(delayNanos);
            }
        });
    }

    private void refresh() {
        if (!closed) {
            // Nobody to ask: the reconnects go on, and so does the next turn of this.
            read(new ArrayDeque<>(nodes.values())).onFailure(cause -> {});
        }
    }

    /** Asks one after the other until one knows. */
    private Future<Void> read(Deque<Node> toAsk) {
        Node node = toAsk.poll();
        if (node == null) {
            return Future.failedFuture(new RedisError(Kind.UNAVAILABLE, "no node of the Redis cluster answers"));
        }
        Promise<Reply> answer = connector.context().promise();
        node.send(new PendingCommand(
                CLUSTER_SLOTS,
                (index, reply) -> answer.complete(reply),
                0,
                connector.nanos(),
                connector.commandTimeoutNanos(),
                false));
        return answer.future()
                .compose(reply -> reply instanceof Reply.Failure failure
                        ? unread(failure.error(), toAsk)
                        : apply(reply.items(), node.address()));
    }

    private Future<Void> unread(RedisError error, Deque<Node> othersToAsk) {
        return othersToAsk.isEmpty() ? Future.failedFuture(notACluster(error)) : read(othersToAsk);
    }

    private static RedisError notACluster(RedisError error) {
        boolean disabled = error.getMessage().contains("cluster support disabled");
        return disabled
                ? new RedisError(Kind.COMMAND, "this Redis is not a cluster: set redis.mode to standalone")
                : error;
    }

    private Future<Void> apply(List<Reply> ranges, NodeAddress.Address sender) {
        if (ranges.isEmpty()) {
            return Future.failedFuture(new RedisError(
                    Kind.NOT_NOW,
                    "CLUSTERDOWN the Redis cluster has no slots yet: assign them (redis-cli --cluster create)"));
        }
        Map<NodeAddress.Address, Node> owners = new LinkedHashMap<>();
        List<ClusterMasters.Range> ids = new ArrayList<>(ranges.size());
        Node[] before = slots.clone();
        Arrays.fill(slots, null);
        for (Reply range : ranges) {
            List<Reply> parts = range.items();
            NodeAddress.Address address = address(parts.get(2).items(), sender);
            Node master = at(address);
            owners.put(address, master);
            int first = (int) parts.get(0).asLong();
            int last = (int) parts.get(1).asLong();
            Arrays.fill(slots, first, last + 1, master);
            List<String> nodes = parts.subList(2, parts.size()).stream()
                    .map(node -> node.items().get(2).asString())
                    .toList();
            ids.add(new ClusterMasters.Range(first, last, nodes.get(0), nodes.subList(1, nodes.size())));
        }
        masters = new ClusterMasters(connector.namespace(), ids);
        known = known(ranges, owners.keySet(), sender);
        for (int slot = 0; slot < slots.length; slot++) {
            if (before[slot] != null && before[slot] != slots[slot]) {
                before[slot].forget();
            }
        }
        retireAllBut(owners.keySet());
        return Future.succeededFuture();
    }

    private static List<NodeAddress.Address> known(
            List<Reply> ranges, Set<NodeAddress.Address> owners, NodeAddress.Address sender) {
        Set<NodeAddress.Address> all = new LinkedHashSet<>(owners);
        for (Reply range : ranges) {
            List<Reply> parts = range.items();
            parts.subList(3, parts.size()).forEach(replica -> all.add(address(replica.items(), sender)));
        }
        return all.stream().limit(RedisOptions.NODES_MAX).toList();
    }

    private static NodeAddress.Address address(List<Reply> node, NodeAddress.Address sender) {
        String host = node.get(0).asString();
        // Empty or missing: the node does not know its own address, but we reached it.
        return new NodeAddress.Address(host == null || host.isEmpty() ? sender.host() : host, (int)
                node.get(1).asLong());
    }

    /**
     * Closes the other nodes. Nodes contacted since about the last reading of the topology stay: else each ASK would
     * dial them again.
     */
    private void retireAllBut(Set<NodeAddress.Address> owners) {
        long now = connector.nanos();
        redirectedNanos.values().removeIf(sender -> now - sender > REFRESH_NANOS);
        List<Node> gone = nodes.values().stream()
                .filter(node -> !owners.contains(node.address()) && !redirectedNanos.containsKey(node.address()))
                .toList();
        gone.forEach(this::retire);
        nodes.values().removeAll(gone);
    }

    /** Closes the node after a pause, since commands that wait on it may still be answered. */
    private void retire(Node node) {
        long unused =
                connector.after(connector.commandTimeoutNanos(), () -> node.close("the node has left the cluster"));
    }

    void close() {
        closed = true;
        nodes.values().forEach(node -> node.close("the link is closed"));
    }
}

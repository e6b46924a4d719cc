package io.fanfare.redis;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which servers are masters. Of a cluster by the node ids that CLUSTER SLOTS gave when it was read last: they stay when
 * an address changes hands. With sentinels by the address of the one master. Immutable.
 */
public final class ClusterMasters {
    /**
     * A run of slots, both ends included.
     *
     * @param id of the master
     */
    record Range(int first, int last, String id, List<String> replicas) {}

    private final Namespace namespace;
    private final List<Range> ranges;

    ClusterMasters(Namespace namespace, List<Range> ranges) {
        this.namespace = namespace;
        this.ranges = List.copyOf(ranges);
    }

    /** One master for all slots. */
    static ClusterMasters one(Namespace namespace, String id) {
        return new ClusterMasters(namespace, List.of(new Range(0, Slots.COUNT - 1, id, List.of())));
    }

    /** The node id of the master of a key; null = its slot has none. */
    public String of(String key) {
        int slot = namespace.slot(key);
        for (Range range : ranges) {
            if (range.first() <= slot && slot <= range.last()) {
                return range.id();
            }
        }
        return null;
    }

    /** The node ids of all masters that have slots, each once. */
    public Set<String> all() {
        return Set.copyOf(ranges.stream().map(Range::id).toList());
    }

    /** The node ids of the replicas of all masters of a cluster; empty with sentinels. */
    public Set<String> replicas() {
        return ranges.stream().flatMap(range -> range.replicas().stream()).collect(Collectors.toUnmodifiableSet());
    }
}

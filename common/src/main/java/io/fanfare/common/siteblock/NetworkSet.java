package io.fanfare.common.siteblock;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Networks as sorted ranges of addresses that do not overlap, so that a look-up is one binary search: about 14 steps
 * among 10,000 networks. Immutable.
 */
final class NetworkSet {
    private final Ranges v4;
    private final Ranges v6;

    NetworkSet(Collection<BlockedNetwork> networks) {
        this.v4 = new Ranges(networks.stream().filter(BlockedNetwork::isV4).toList());
        this.v6 = new Ranges(networks.stream().filter(one -> !one.isV4()).toList());
    }

    /**
     * Addresses from a first to a last one, ascending. Unsigned numbers, kept so that their signed order is the same.
     */
    private static final class Ranges {
        private final long[] first;
        private final long[] last;
        private int count;

        Ranges(List<BlockedNetwork> networks) {
            this.first = new long[networks.size()];
            this.last = new long[networks.size()];
            networks.stream()
                    .sorted(Comparator.comparingLong(one -> signed(one.first())))
                    .forEach(one -> add(signed(one.first()), signed(one.last())));
        }

        /** Networks either contain each other or have no address in common. */
        private void add(long from, long to) {
            if (count == 0 || from > last[count - 1]) {
                first[count] = from;
                last[count++] = to;
            } else {
                last[count - 1] = Math.max(last[count - 1], to);
            }
        }

        private static long signed(long unsigned) {
            return unsigned ^ Long.MIN_VALUE;
        }

        boolean contains(long address) {
            int found = Arrays.binarySearch(first, 0, count, signed(address));
            int below = found >= 0 ? found : -found - 2;
            return below >= 0 && signed(address) <= last[below];
        }
    }

    boolean isEmpty() {
        return v4.count == 0 && v6.count == 0;
    }

    /** @param address as the server spells those of clients; any other text is in no network */
    boolean contains(String address) {
        Ranges ranges = address.length() == 8 ? v4 : v6;
        return ranges.count > 0
                && BlockedNetwork.isAddress(address)
                && ranges.contains(Long.parseUnsignedLong(address, 16));
    }
}

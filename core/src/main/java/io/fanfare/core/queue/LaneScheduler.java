package io.fanfare.core.queue;

import io.fanfare.common.queue.Lane;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which lane a batch is of, and how large it may be. A batch has jobs of one lane, the first that has some: the jobs of
 * a batch end together, and those of the high lane are not to wait for pages. Mostly the high lane goes first; in each
 * shard every fourth claim begins with the normal lane and every eighth with the low one, so that no lane starves.
 * Lower lanes hold whole pages of followers: a batch takes few of them, so that it ends soon. While nothing waits in
 * the high lane, it takes all it can of the normal one: its pages are merged, and the more of them a batch has, the
 * fewer commands a delivery costs.
 *
 * <p>Every shard has turns of its own: with common ones, a worker that goes round a number of shards that eight divides
 * would come to each shard always at the same turn. One event loop.
 */
final class LaneScheduler {
    private static final int TURNS = 8;

    private final byte[] turns;

    LaneScheduler(int shards) {
        turns = new byte[shards];
    }

    /** The next claim of this shard: the most that each lane may give to a batch of {@code max}, in order. */
    Map<Lane, Integer> next(int shard, int max) {
        int turn = turns[shard];
        turns[shard] = (byte) ((turn + 1) % TURNS);
        Lane first = turn == TURNS - 1 ? Lane.LOW : turn % 4 == 1 ? Lane.NORMAL : Lane.HIGH;
        int few = Math.max(1, max / 4);
        int fewest = Math.max(1, max / 16);
        Map<Lane, Integer> shares = new LinkedHashMap<>();
        if (first == Lane.NORMAL) {
            shares.put(Lane.NORMAL, few);
        } else if (first == Lane.LOW) {
            shares.put(Lane.LOW, fewest);
        }
        shares.put(Lane.HIGH, max);
        shares.putIfAbsent(Lane.NORMAL, max);
        shares.putIfAbsent(Lane.LOW, fewest);
        return shares;
    }
}

package io.fanfare.bench.load;

import io.fanfare.bench.input.SocialGraph;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Draws who posts next, among the users of a graph who have followers. Not thread-safe. */
public final class AuthorDraw {
    private final int[] users;
    private final long[] upTo;
    private final RandomGenerator random;

    public AuthorDraw(SocialGraph graph, Authors authors, RandomGenerator random) {
        this.random = random;
        users = IntStream.range(0, graph.users())
                .filter(user -> graph.followerCount(user) > 0)
                .toArray();
        upTo = new long[users.length];
        long total = 0;
        for (int i = 0; i < users.length; i++) {
            total += authors == Authors.UNIFORM ? 1 : graph.followerCount(users[i]);
            upTo[i] = total;
        }
    }

    /** Everybody who may be drawn. */
    public List<Integer> all() {
        return IntStream.of(users).boxed().toList();
    }

    /** A user of the graph. */
    public int next() {
        long at = random.nextLong(upTo[upTo.length - 1]) + 1;
        int found = Arrays.binarySearch(upTo, at);
        return users[found >= 0 ? found : -found - 1];
    }
}

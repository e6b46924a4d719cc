package io.fanfare.bench.replay;

import io.fanfare.bench.input.SocialGraph;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Every post of the run: who writes it (drawn when the ledger is made, from the seed alone), when it was to start, when
 * it was acknowledged and under which id. Times are nanoseconds of one monotonic clock. One event loop.
 */
final class Ledger {
    private final int[] authors;
    private final long[] started;
    private final long[] acknowledged;
    private final long[] ids;
    private final Map<Long, Integer> posts = new HashMap<>();

    private Ledger(int[] authors) {
        this.authors = authors;
        this.started = new long[authors.length];
        this.acknowledged = new long[authors.length];
        this.ids = new long[authors.length];
    }

    /**
     * Draws the author of each post: every user alike, or a user with f followers f + 1 times as often as one with
     * none.
     */
    static Ledger draw(int posts, SocialGraph graph, boolean byFollowers, RandomGenerator random) {
        long[] upTo = new long[graph.users()];
        long total = 0;
        for (int user = 0; user < upTo.length; user++) {
            total += byFollowers ? graph.followerCount(user) + 1L : 1L;
            upTo[user] = total;
        }
        int[] authors = new int[posts];
        for (int post = 0; post < posts; post++) {
            authors[post] = firstAbove(upTo, random.nextLong(total));
        }
        return new Ledger(authors);
    }

    int posts() {
        return authors.length;
    }

    int author(int post) {
        return authors[post];
    }

    void start(int post, long nanos) {
        started[post] = nanos;
    }

    /** Notes the answer to a post. */
    void acknowledge(int post, long id, long nanos) {
        acknowledged[post] = nanos;
        ids[post] = id;
        posts.put(id, post);
    }

    /** The status that the post became; 0 while it is not acknowledged. */
    long id(int post) {
        return ids[post];
    }

    /** The post that became this status; -1 when none did. */
    int post(long id) {
        return posts.getOrDefault(id, -1);
    }

    int acknowledgedCount() {
        return posts.size();
    }

    /** When the post was to start: when its turn came, or when the rate said so, even if it was sent later. */
    long startedNanos(int post) {
        return started[post];
    }

    /** From its start to its answer, repeated attempts included. */
    long acknowledgedAfterNanos(int post) {
        return acknowledged[post] - started[post];
    }

    private static int firstAbove(long[] upTo, long value) {
        int low = 0;
        int high = upTo.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (upTo[middle] > value) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}

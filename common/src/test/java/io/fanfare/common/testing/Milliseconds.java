package io.fanfare.common.testing;

/**
 * Keeps requests of a test in milliseconds of their own. Ids of one millisecond are in the order of their shards, not
 * in the order of their requests; on a fast machine two posts of two authors fit into one.
 */
public final class Milliseconds {
    private Milliseconds() {}

    /** Returns in a later millisecond, at most one after now. */
    public static void awaitNext() {
        long now = System.currentTimeMillis();
        while (System.currentTimeMillis() == now) {
            Thread.onSpinWait();
        }
    }
}

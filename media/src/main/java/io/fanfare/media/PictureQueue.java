package io.fanfare.media;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Pictures of requests that wait for a thread of a pool, by account: the accounts take turns, and one account has a
 * quarter of the places, so that nobody waits behind all the pictures of another. Safe for every thread.
 */
final class PictureQueue implements AutoCloseable {
    private static final int ACCOUNT_PART = 4;

    private final ThreadPoolExecutor pool;
    private final int places;
    private final int ownPlaces;

    /** Waiting pictures by account, the account whose turn is next in front. */
    private final Map<Long, Deque<Runnable>> waiting = new LinkedHashMap<>();

    private int taken;

    /**
     * @param pool with an unbounded queue
     * @param waitingMax pictures that wait while all threads of the pool are busy
     */
    PictureQueue(ThreadPoolExecutor pool, int waitingMax) {
        this.pool = pool;
        this.places = pool.getMaximumPoolSize() + waitingMax;
        this.ownPlaces = Math.max(pool.getMaximumPoolSize(), places / ACCOUNT_PART);
    }

    /**
     * Runs a task when it is the turn of its account.
     *
     * @throws RejectedExecutionException if all places, or those of the account, are taken
     */
    void execute(long account, Runnable task) {
        synchronized (waiting) {
            Deque<Runnable> own = waiting.computeIfAbsent(account, first -> new ArrayDeque<>());
            if (taken >= places || own.size() >= ownPlaces) {
                if (own.isEmpty()) {
                    waiting.remove(account);
                }
                throw new RejectedExecutionException("all places are taken");
            }
            own.addLast(task);
            taken++;
        }
        // A thread that becomes free runs the task whose turn it is then, not this one.
        pool.execute(this::runNext);
    }

    private void runNext() {
        Runnable next;
        synchronized (waiting) {
            Map.Entry<Long, Deque<Runnable>> turn =
                    waiting.entrySet().iterator().next();
            Deque<Runnable> own = turn.getValue();
            next = own.removeFirst();
            waiting.remove(turn.getKey());
            if (!own.isEmpty()) {
                waiting.put(turn.getKey(), own);
            }
        }
        try {
            next.run();
        } finally {
            synchronized (waiting) {
                taken--;
            }
        }
    }

    /** Ends the threads; the pictures that wait are not made. */
    @Override
    public void close() {
        pool.shutdownNow().forEach(turn -> {});
    }
}

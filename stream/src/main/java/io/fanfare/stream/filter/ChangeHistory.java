package io.fanfare.stream.filter;

import java.util.ArrayDeque;

/**
 * The newest changes of accounts that have passed, the oldest first: a stream that was called further than it could
 * write looks again at what lies before them. What lies before more than {@value #MAX} of them is judged as if the
 * oldest had happened already. Confined to one event loop.
 *
 * @param <T> how an account stands
 */
final class ChangeHistory<T> {
    private static final int MAX = 100;

    private final ArrayDeque<Passed<T>> changes = new ArrayDeque<>(0);

    private record Passed<T>(long seq, long account, T before) {}

    /** @param before how the account stood up to this place in the log */
    void add(long seq, long account, T before) {
        if (changes.size() == MAX) {
            changes.poll();
        }
        changes.add(new Passed<>(seq, account, before));
    }

    /** How an account stood at a place that lies before its first change behind it; null = it has not changed since. */
    T at(long seq, long account) {
        for (Passed<T> change : changes) {
            if (change.account() == account && change.seq() > seq) {
                return change.before();
            }
        }
        return null;
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    void clear() {
        changes.clear();
    }
}

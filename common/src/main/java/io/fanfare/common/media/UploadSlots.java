package io.fanfare.common.media;

import io.fanfare.common.model.Refusal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many requests with files a process receives at a time: {@code media.uploads-at-once}, of which one user has a
 * quarter. So their files take a bounded part of the disk. Safe for every thread.
 */
public final class UploadSlots {
    private static final int USER_PART = 4;
    private static final long ALL = 0;

    private final int max;

    /** Slots by user; {@link #ALL} = of everybody. */
    private final Map<Long, Integer> taken = new ConcurrentHashMap<>();

    public UploadSlots(int max) {
        this.max = max;
    }

    /** Takes one; refuses ({@code OVERLOADED}) what is over a bound. The answer gives it back, once. */
    public Runnable take(long user) {
        // Both are counted before either is looked at, so that both are given back.
        int all = change(ALL, 1);
        int own = change(user, 1);
        if (all > max || own > Math.max(1, max / USER_PART)) {
            giveBack(user);
            throw Refusal.overloaded("Too many files are being received at the moment: try again in a few seconds.", 5);
        }
        return () -> giveBack(user);
    }

    /** How many are taken. */
    public int size() {
        return taken.getOrDefault(ALL, 0);
    }

    private void giveBack(long user) {
        int unused = change(ALL, -1) + change(user, -1);
    }

    private int change(long who, int by) {
        Integer now = taken.merge(who, by, (had, added) -> had + added == 0 ? null : Integer.valueOf(had + added));
        return now == null ? 0 : now;
    }
}

package io.fanfare.common.model;

import io.fanfare.common.id.Id;

/**
 * Which part of a list is wanted. All cursors are exclusive; lists are newest first.
 *
 * @param maxId only older than this; {@link Id#MAX} = from the newest
 * @param sinceId only newer than this, the newest of them; 0 = no lower end
 * @param minId only newer than this, the ones just above it; 0 = absent. Wins over {@code sinceId}
 * @param limit how many, at least 1; already clamped
 */
public record PageRequest(long maxId, long sinceId, long minId, int limit) {
    /** The {@code minId} that asks for the oldest: there is nothing below. */
    public static final long BOTTOM = 1;

    public PageRequest {
        if (limit < 1 || maxId < 0 || sinceId < 0 || minId < 0) {
            throw new IllegalArgumentException("impossible page: " + maxId + " " + sinceId + " " + minId + " " + limit);
        }
    }

    public static PageRequest newest(int limit) {
        return new PageRequest(Id.MAX, 0, 0, limit);
    }

    public static PageRequest olderThan(long maxId, int limit) {
        return new PageRequest(maxId, 0, 0, limit);
    }

    public static PageRequest justAbove(long minId, int limit) {
        return new PageRequest(Id.MAX, 0, minId, limit);
    }

    /** The lower end, exclusive, from whichever parameter. */
    public long floor() {
        return minId > 0 ? minId : sinceId;
    }
}

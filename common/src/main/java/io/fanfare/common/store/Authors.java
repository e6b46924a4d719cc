package io.fanfare.common.store;

import io.fanfare.common.redis.Reply;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/** Whose posts a home holds: everybody its reader follows, and the reader. Immutable, eight bytes each, and quick to ask for one of them, since it is kept. */
final class Authors extends AbstractList<Long> implements RandomAccess {
    private final long[] sorted;

    private Authors(long[] sorted) {
        this.sorted = sorted;
    }

    /** The reader and the accounts in the answer to {@link Graph#followees}. */
    static Authors of(long reader, List<Reply> followed) {
        long[] ids = new long[followed.size() + 1];
        ids[0] = reader;
        for (int i = 1; i < ids.length; i++) {
            ids[i] = followed.get(i - 1).asLong();
        }
        Arrays.sort(ids);
        return new Authors(ids);
    }

    @Override
    public Long get(int index) {
        return sorted[index];
    }

    @Override
    public int size() {
        return sorted.length;
    }

    boolean include(long account) {
        return Arrays.binarySearch(sorted, account) >= 0;
    }
}

package io.fanfare.common.view;

import com.fasterxml.jackson.core.io.SerializedString;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.common.model.Draft;

/**
 * What a process has shown lately, so that it is neither read nor rendered again: of a status what never changes, once for all viewers. Counters, flags and whether a status still
 * lives are not in here but read each time, so nothing needs to be taken out. Entries are immutable and the whole is bounded: safe to share between event loops, which must
 * have the same public URL.
 */
public final class ReadCache {
    /** About what an entry takes besides its texts: objects, references, the cache's own book-keeping. */
    private static final int ENTRY_BYTES = 600;

    private final Cache<Long, ShownStatus> statuses;

    /** @param json the fields that {@link Views} has rendered of it */
    record ShownStatus(Draft draft, SerializedString json) {
        int bytes() {
            // The fields are kept as text and as bytes, and the text stands in the draft as well.
            return ENTRY_BYTES + 3 * json.charLength();
        }
    }

    private ReadCache(long bytesMax) {
        this.statuses = Caffeine.newBuilder()
                .maximumWeight(bytesMax)
                .weigher((Long id, ShownStatus shown) -> shown.bytes())
                .executor(Runnable::run)
                .build();
    }

    /** One that holds about so many bytes; 0 = remembers nothing. */
    public static ReadCache of(long bytesMax) {
        return new ReadCache(bytesMax);
    }

    /** One that remembers nothing. */
    public static ReadCache none() {
        return of(0);
    }

    /** What never changes of a status that was shown lately; null when it is not remembered. It may have been deleted since. */
    public Draft draft(long id) {
        ShownStatus shown = statuses.getIfPresent(id);
        return shown == null ? null : shown.draft();
    }

    ShownStatus status(long id) {
        return statuses.getIfPresent(id);
    }

    void put(long id, ShownStatus shown) {
        statuses.put(id, shown);
    }
}

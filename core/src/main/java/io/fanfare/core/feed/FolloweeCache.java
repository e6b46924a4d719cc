package io.fanfare.core.feed;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * The followees of readers, as last read. An entry is good for as long as the version of the reader's following set is
 * the same, which is checked at each read of a home, in the same step: a follow or its end counts at once, whichever
 * process has made it. Bounded; confined to one event loop.
 */
public final class FolloweeCache {
    /** Ids of all readers together, eight bytes each. */
    private static final int IDS_MAX = 1_000_000;

    /** The cost of an entry beside its ids, in ids. */
    private static final int ENTRY_IDS = 20;

    private final Cache<Long, Known> known = Caffeine.newBuilder()
            .maximumWeight(IDS_MAX)
            .weigher((Long reader, Known entry) -> ENTRY_IDS + entry.authors().weight())
            .executor(Runnable::run)
            .build();

    /**
     * @param version of the following set
     * @param reposts whether the newest page of the reader's home last had reposts: the next one probably has, too
     */
    record Known(String version, FolloweeSet authors, boolean reposts) {
        Known(String version, FolloweeSet authors) {
            this(version, authors, false);
        }

        /**
         * The entry for a new reading after {@code before}, null = nothing was known: a follow makes no other page of a
         * home.
         */
        static Known after(Known before, String version, FolloweeSet authors) {
            return new Known(version, authors, before != null && before.reposts());
        }

        /** The same with a version that no set has: the next reading brings the followees. */
        Known outdated() {
            return new Known("", authors, reposts);
        }
    }

    /** Null = not known. */
    Known of(long reader) {
        return known.getIfPresent(reader);
    }

    void remember(long reader, Known entry) {
        known.put(reader, entry);
    }

    /** See {@link Known#reposts}. */
    void noteReposts(long reader, boolean any) {
        Known entry = of(reader);
        if (entry != null && entry.reposts() != any) {
            known.put(reader, new Known(entry.version(), entry.authors(), any));
        }
    }
}

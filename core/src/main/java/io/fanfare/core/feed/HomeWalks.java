package io.fanfare.core.feed;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.common.id.Id;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * The places that readers have reached below their homes, page by page: the next page goes on from the profiles and
 * archive that the one before has read, and does not ask every author again. A walk is good for the following set of
 * its page, and below ids that no new post can get. Statuses shown by it are checked as ever. Bounded; confined to one
 * event loop.
 */
class HomeWalks {
    /** Ids of all walks together; each costs some 30 bytes. */
    private static final int IDS_MAX = 500_000;

    /** The cost of a source beside its ids, in ids. */
    private static final int SOURCE_IDS = 8;

    /** How long a walk is kept: readers who go on do so soon. */
    private static final Duration KEPT = Duration.ofMinutes(2);

    private final InstantSource clock;
    private final Cache<Long, Walk> walks = Caffeine.newBuilder()
            .maximumWeight(IDS_MAX)
            .weigher((Long reader, Walk walk) -> walk.weight())
            .expireAfterWrite(KEPT)
            .executor(Runnable::run)
            .build();

    /** @param clock to find old ids */
    HomeWalks(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * The reading of a page.
     *
     * @param version of the following set
     * @param below each source holds every id of its author from here down to its bound
     */
    record Walk(String version, long below, List<PageDown.Source> sources) {
        private int weight() {
            return sources.stream()
                    .mapToInt(source -> SOURCE_IDS
                            + source.authors().size()
                            + source.range().ids().size())
                    .sum();
        }
    }

    /** The walk that knows what follows below this id; null = there is none. */
    Walk from(long reader, String version, long below) {
        Walk walk = walks.getIfPresent(reader);
        return walk != null && walk.below() >= below && walk.version().equals(version) ? walk : null;
    }

    /** Keeps it unless new posts may still get ids as low as it begins, since clocks differ. */
    void keep(long reader, Walk walk) {
        if (clock.millis() - Homes.CLOCKS_APART.toMillis() > Id.epochMillis(walk.below())) {
            walks.put(reader, walk);
        }
    }
}

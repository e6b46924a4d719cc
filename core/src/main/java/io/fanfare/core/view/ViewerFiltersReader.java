package io.fanfare.core.view;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.text.ViewerFilters;
import io.vertx.core.Future;

/**
 * Keeps the filters of viewers as they match, by their version, which the caller has read: so they are read anew only
 * when they have changed. Confined to its link's event loop.
 */
public final class ViewerFiltersReader {
    /** Memory for filters that are kept. */
    private static final long BYTES_MAX = 16 << 20;

    private final UserFilters filters;
    private final Cache<Long, ViewerFilters> kept = Caffeine.newBuilder()
            .maximumWeight(BYTES_MAX)
            .weigher((Long viewer, ViewerFilters one) -> one.bytes())
            .executor(Runnable::run)
            .build();

    public ViewerFiltersReader(UserFilters filters) {
        this.filters = filters;
    }

    /**
     * The filters of a viewer, of this version or a newer one. One round trip when they are not kept.
     *
     * @param version see {@link UserFilters#watch}
     */
    public Future<ViewerFilters> of(long viewer, String version) {
        ViewerFilters known = kept.getIfPresent(viewer);
        return known != null && known.version().equals(version) ? Future.succeededFuture(known) : read(viewer);
    }

    /** As they are now; one round trip. */
    public Future<ViewerFilters> read(long viewer) {
        return filters.of(viewer).map(all -> {
            ViewerFilters fresh = ViewerFilters.of(all.version(), all.filters());
            if (fresh != ViewerFilters.NONE) {
                kept.put(viewer, fresh);
            }
            return fresh;
        });
    }
}

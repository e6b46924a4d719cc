package io.fanfare.api.filter;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.common.store.UserFilters;
import io.fanfare.core.graph.Filters;
import java.util.List;

/** Filters of what a user reads. */
public final class FilterFeature implements ApiFeature {
    private final FilterRoutes filters;

    public FilterFeature(ApiLoop loop) {
        UserFilters stored = loop.stores().userFilters();
        this.filters = new FilterRoutes(
                new Filters(stored, loop.stores().follows()), stored, loop.visible(), loop.pressure(), loop.clock());
    }

    @Override
    public List<Endpoint> endpoints() {
        return filters.endpoints();
    }
}

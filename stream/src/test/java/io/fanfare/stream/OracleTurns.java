package io.fanfare.stream;

import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import java.util.List;

/**
 * Filters of which a client wants one after the other. As a filter it wants whatever any of them does; {@link Notes}
 * know which of them had to be told.
 *
 * @param queries how each is asked for
 */
record OracleTurns(List<String> queries, List<StreamFilter> filters) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return filters.stream().anyMatch(filter -> filter.wants(event));
    }
}

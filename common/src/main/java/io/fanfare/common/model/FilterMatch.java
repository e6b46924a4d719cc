package io.fanfare.common.model;

import java.util.List;

/**
 * What of a filter matches a status: the entity FilterResult.
 *
 * @param keyword the words of the status that match, as they stand there; null = none
 * @param statuses ids under the filter that are of the status, or of what it passes on
 */
public record FilterMatch(UserFilter filter, String keyword, List<Long> statuses) {
    public FilterMatch {
        statuses = List.copyOf(statuses);
    }
}

package io.fanfare.common.model;

import java.util.List;

/**
 * The part of a filter that matches a status: the entity FilterResult.
 *
 * @param keyword the words of the status that match, as they stand there; null = none
 * @param statuses ids under the filter that are of the status, or of the one that it reposts
 */
public record FilterMatch(UserFilter filter, String keyword, List<Long> statuses) {
    public FilterMatch {
        statuses = List.copyOf(statuses);
    }
}

package io.fanfare.client.model;

import java.util.List;

/**
 * A filter that a status matches. A field without a value is null; a list without a value is empty.
 *
 * @param keywordMatches The first words of the status that match; null = none do
 * @param statusMatches Statuses under the filter; null = none is
 */
public record FilterResult(Filter filter, List<String> keywordMatches, List<String> statusMatches) {}

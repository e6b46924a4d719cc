package io.fanfare.client.model;

import java.util.List;

/**
 * A recommended account. A field without a value is null; a list without a value is empty.
 *
 * @param source Deprecated by Mastodon
 */
public record Suggestion(String source, List<String> sources, Account account) {}

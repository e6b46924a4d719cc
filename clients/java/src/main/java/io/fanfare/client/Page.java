package io.fanfare.client;

import java.util.List;
import java.util.Optional;

/**
 * One page of a list, and the way to its neighbours by the {@code Link} header of the server.
 *
 * @param items newest first, unless the call says otherwise
 * @param nextQuery the query of the page of older items; null on the last page
 * @param previousQuery the query of the page of newer items; null without one
 */
public record Page<T>(List<T> items, String nextQuery, String previousQuery, Pages<T> pages) {
    public Page {
        items = List.copyOf(items);
    }

    /** Requests the page of older items; empty on the last page. */
    public Optional<Page<T>> next() {
        return Optional.ofNullable(nextQuery).map(pages::request);
    }

    /** Requests the page of newer items, if the server has named one. */
    public Optional<Page<T>> previous() {
        return Optional.ofNullable(previousQuery).map(pages::request);
    }
}

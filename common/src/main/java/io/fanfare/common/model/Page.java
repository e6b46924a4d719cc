package io.fanfare.common.model;

import java.util.List;

/**
 * One page, newest first.
 *
 * @param next the {@code max_id} that goes on below this page; 0 = nothing older exists (a client walks until then)
 * @param prev the {@code min_id} that asks for what is newer than this page; 0 when the page is empty and nothing newer
 *     exists
 */
public record Page<T>(List<T> items, long next, long prev) {
    public Page {
        items = List.copyOf(items);
    }
}

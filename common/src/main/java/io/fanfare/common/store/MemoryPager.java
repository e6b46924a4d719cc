package io.fanfare.common.store;

import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import java.util.List;
import java.util.function.ToLongFunction;

/** One page of a list that has been read as a whole, as {@link SortedSetPager} cuts one of a sorted set. */
public final class MemoryPager {
    private MemoryPager() {}

    /**
     * Cuts the page from the list.
     *
     * @param all newest first
     * @param place of each, by which the cursors go
     */
    public static <T> Page<T> page(List<T> all, ToLongFunction<T> place, PageRequest page) {
        List<T> between = all.stream()
                .filter(each -> place.applyAsLong(each) < page.maxId() && place.applyAsLong(each) > page.floor())
                .toList();
        int over = Math.max(0, between.size() - page.limit());
        boolean up = page.minId() > 0;
        List<T> shown = up ? between.subList(over, between.size()) : between.subList(0, between.size() - over);
        long prev = shown.isEmpty() ? 0 : place.applyAsLong(shown.get(0));
        // Below a lower end that was asked for, older ones are to be expected.
        long end = page.floor() == 0 ? 0 : page.floor() + 1;
        return new Page<>(shown, up || over == 0 ? end : place.applyAsLong(shown.get(shown.size() - 1)), prev);
    }
}

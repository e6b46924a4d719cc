package io.fanfare.core.feed;

import java.util.List;
import java.util.stream.IntStream;

/** Which entries of a home are shown when reposts are folded (docs/feeds.md, section 4), in the plainest words. */
public final class NaiveFold {
    private NaiveFold() {}

    /**
     * An entry of a home without folding.
     *
     * @param original of a repost, or the status itself
     */
    public record Entry(long id, long original) {
        boolean isRepost() {
            return id != original;
        }
    }

    /**
     * The ids that are left, in the same order.
     *
     * @param home newest first
     * @param window 0 = nothing is folded
     */
    public static List<Long> shown(List<Entry> home, int window) {
        return IntStream.range(0, home.size())
                .filter(i -> !isFolded(home, i, window))
                .mapToObj(i -> home.get(i).id())
                .toList();
    }

    private static boolean isFolded(List<Entry> home, int i, int window) {
        Entry entry = home.get(i);
        return entry.isRepost()
                && home.subList(i + 1, Math.min(home.size(), i + 1 + window)).stream()
                        .anyMatch(below -> below.original() == entry.original());
    }
}

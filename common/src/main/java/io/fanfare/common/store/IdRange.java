package io.fanfare.common.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * A run of status ids, newest first, and how far down it can be trusted: every id above {@code bound} (and below where
 * the reading began) that its source holds is in it. Whatever a timeline is put together from - home, profile, later
 * outbox and archive - is read as one of these.
 *
 * @param bound 0 = nothing older exists
 */
public record IdRange(List<Long> ids, long bound) {
    public IdRange {
        ids = List.copyOf(ids);
    }

    /** Merges several sources: complete above the highest of their bounds, and without repeats. */
    public static IdRange merged(List<IdRange> stretches) {
        if (stretches.size() == 1) {
            return stretches.get(0);
        }
        long bound = stretches.stream().mapToLong(IdRange::bound).max().orElse(0);
        List<Long> ids = new ArrayList<>();
        for (IdRange range : stretches) {
            ids.addAll(range.above(bound));
        }
        return new IdRange(distinct(ids), bound);
    }

    /** Joins these above {@code deeper} with it: complete down to its bound where they were above it. */
    public static IdRange joined(List<IdRange> above, IdRange deeper) {
        List<Long> ids = new ArrayList<>(deeper.ids());
        above.forEach(range -> ids.addAll(range.ids()));
        return new IdRange(distinct(ids), deeper.bound());
    }

    /** Newest first, without repeats. */
    private static List<Long> distinct(List<Long> ids) {
        ids.sort(Comparator.reverseOrder());
        List<Long> unique = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            if (i == 0 || !ids.get(i).equals(ids.get(i - 1))) {
                unique.add(ids.get(i));
            }
        }
        return unique;
    }

    /** The same without the ids from this one up. */
    public IdRange below(long id) {
        return new IdRange(ids.subList(countAbove(id - 1), ids.size()), bound);
    }

    /** The ids above {@code floor}. */
    List<Long> above(long floor) {
        return ids.subList(0, countAbove(floor));
    }

    /** The ids between these two, both exclusive. */
    public List<Long> between(long floor, long end) {
        int from = countAbove(end - 1);
        return ids.subList(from, Math.max(from, countAbove(floor)));
    }

    private int countAbove(long id) {
        int at = Collections.binarySearch(ids, id, Comparator.reverseOrder());
        return at >= 0 ? at : -at - 1;
    }

    /** The newest {@code max} of it; what is cut off raises the bound. */
    public IdRange newest(int max) {
        return ids.size() <= max ? this : new IdRange(ids.subList(0, max), Math.max(bound, ids.get(max)));
    }
}

package io.fanfare.common.feed;

import io.fanfare.common.id.Id;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.ViewerRelationshipsReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one look at a complete home tells: its newest entries, and whose posts its reader is to see, all as of one
 * instant.
 *
 * @param whole whether the entries are all there are
 * @param unsorted how many of them have come since the home was last sorted
 * @param secondsLeft until the home goes
 * @param pulled up to which id it holds the posts of pulled authors; 0 = not known to hold any
 * @param readAt when that was, ms, by the clock of the home's master
 * @param known whom the reader follows
 * @param changed whether {@code known} was not known before
 */
record HomeReading(
        IdRange entries,
        boolean whole,
        int unsorted,
        long secondsLeft,
        long pulled,
        long readAt,
        FolloweeCache.Known known,
        boolean changed,
        HomePolicy homePolicy) {
    /**
     * The answer to {@link Homes#read(long, int, String)}; empty when the home is absent or being built.
     *
     * @param asked what was known when it was asked, null = nothing
     */
    static Optional<HomeReading> of(long reader, FolloweeCache.Known asked, Reply reply) {
        List<Reply> parts = reply.items();
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        long first = parts.get(1).asLong();
        List<Reply> entries = parts.get(4).items();
        long sorted = Math.max(0, parts.get(2).asLong() - first + 1);
        boolean changed = !parts.get(6).isNil();
        FolloweeCache.Known known = changed
                ? FolloweeCache.Known.after(
                        asked,
                        parts.get(5).asString(),
                        FolloweeSet.of(
                                reader,
                                parts.get(6).items(),
                                parts.get(8).items(),
                                parts.get(11).items(),
                                parts.get(13).items()))
                : asked;
        return Optional.of(new HomeReading(
                stretch(parts.get(0).asLong(), first == 1, entries),
                first == 1,
                (int) Math.max(0, entries.size() - sorted),
                parts.get(3).asLong(),
                Math.max(0, Id.parse(parts.get(9).asString())),
                parts.get(10).asLong(),
                known,
                changed,
                new HomePolicy(
                        reader,
                        known.authors(),
                        hidden(parts.get(7)),
                        Set.copyOf(FollowedTags.tags(parts.get(12))),
                        Accounts.foldsReposts(parts.get(14)))));
    }

    /**
     * What lies before the first entry read is sorted, and lower: the home is known down to there, and below its floor
     * never.
     */
    private static IdRange stretch(long floor, boolean whole, List<Reply> entries) {
        long lowest = entries.isEmpty() ? Id.MAX : entries.get(0).asLong();
        long bound = whole ? floor : Math.max(floor, lowest - 1);
        return new IdRange(Homes.newestFirst(entries, bound), bound);
    }

    private static Optional<Set<Long>> hidden(Reply sets) {
        return sets.isNil() ? Optional.of(Set.of()) : ViewerRelationshipsReader.held(sets.items());
    }
}

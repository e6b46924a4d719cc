package io.fanfare.core.feed;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.redis.Reply;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The result of one look at a complete home: its newest entries, and the authors whose posts its reader sees, all as of
 * one instant.
 *
 * @param whole whether the entries are all there are
 * @param unsorted how many of them have come since the home was last sorted
 * @param secondsLeft until the home goes
 * @param pulled up to which id it holds the posts of pulled authors; 0 = not known to hold any
 * @param readAt when that was, ms, by the clock of the home's master; 0 = not read
 * @param known the reader's followees
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
     * The answer to {@link Homes#read(long, int, String, boolean, long)}; empty when the home is absent or being built.
     *
     * @param cached the followees that were known when the read was sent; null = none
     * @param wanted the requested number of sorted entries
     */
    static Optional<HomeReading> of(long reader, FolloweeCache.Known cached, int wanted, Reply reply) {
        List<Reply> parts = reply.items();
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        Homes.Head head = Homes.Head.of(parts.get(0).asString());
        List<Reply> entries = parts.get(5).items();
        int sorted = Math.min(head.count(), wanted);
        boolean whole = head.count() <= wanted;
        boolean changed = !parts.get(6).isNil();
        FolloweeCache.Known known =
                changed ? known(reader, cached, parts.get(1), parts.get(6).items()) : cached;
        return Optional.of(new HomeReading(
                stretch(head.floor(), whole, entries),
                whole,
                Math.max(0, entries.size() - sorted),
                parts.get(3).asLong(),
                head.pulled(),
                parts.get(4).isNil() ? 0 : parts.get(4).asLong(),
                known,
                changed,
                policy(reader, known, parts)));
    }

    private static FolloweeCache.Known known(
            long reader, FolloweeCache.Known before, Reply version, List<Reply> unknown) {
        FolloweeSet followees = FolloweeSet.of(
                reader,
                unknown.get(0).items(),
                unknown.get(1).items(),
                unknown.get(2).items(),
                unknown.get(3).items());
        return FolloweeCache.Known.after(before, version.asString(), followees);
    }

    private static HomePolicy policy(long reader, FolloweeCache.Known known, List<Reply> parts) {
        List<Reply> hidden = parts.get(7).isNil() ? List.of() : parts.get(7).items();
        boolean any = !hidden.isEmpty();
        return new HomePolicy(
                reader,
                known.authors(),
                any ? ViewerRelationshipsReader.held(hidden.subList(0, 3)) : Optional.of(Set.of()),
                any ? Set.copyOf(FollowedTags.tags(hidden.get(3))) : Set.of(),
                Accounts.foldsReposts(parts.get(2)));
    }

    /** Whether it has all entries above the floor of a page, as far as the home has them. */
    boolean reaches(PageRequest page) {
        return whole || entries.bound() <= page.floor();
    }

    /**
     * The range in which the home is known: entries before the first one read are sorted, and lower. The home is known
     * down to there, and below its floor never.
     */
    private static IdRange stretch(long floor, boolean whole, List<Reply> entries) {
        long lowest = entries.isEmpty() ? Id.MAX : entries.get(0).asLong();
        long bound = whole ? floor : Math.max(floor, lowest - 1);
        return new IdRange(Homes.newestFirst(entries, bound), bound);
    }
}

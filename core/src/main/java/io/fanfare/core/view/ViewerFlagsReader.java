package io.fanfare.core.view;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.MutedConversations;
import io.fanfare.common.store.Scores;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.text.ViewerFilters;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads what viewers have done with statuses. Most viewers have few favourites, reposts, bookmarks or pins, and often
 * none: such a set is read whole, and kept while Redis watches it, so that most pages ask for nothing. Of a larger set
 * each page asks for its own statuses. Confined to its link's event loop.
 */
final class ViewerFlagsReader {
    /** A set of at most so many is read whole: less than the scores of a page of 20, and 1 KB of memory. */
    static final int WHOLE_MAX = 16;

    /** Viewers whose larger sets are remembered, so that their pages need not find out anew. */
    private static final int VIEWERS_MAX = 10_000;

    private static final int SETS = 4;

    private final Redis redis;
    private final ViewerFiltersReader filters;

    /** The larger sets of a viewer, a bit each. One that has shrunk meanwhile costs what a larger one does. */
    private final Cache<Long, Integer> large = Caffeine.newBuilder()
            .maximumSize(VIEWERS_MAX)
            .executor(Runnable::run)
            .build();

    ViewerFlagsReader(Redis redis, ViewerFiltersReader filters) {
        this.redis = redis;
        this.filters = filters;
    }

    /**
     * The viewer's flags of these statuses, as they were at any instant since a moment: see {@link Redis#pipeline(List,
     * long)}, and the viewer's filters. One round trip at most; a second one when a set is found to be a larger one,
     * and when the filters have changed.
     *
     * @param viewer 0 = anonymous, without any flags
     */
    Future<ViewerFlags> of(Collection<Long> ids, long viewer, long since) {
        if (viewer == 0 || ids.isEmpty()) {
            return Future.succeededFuture(ViewerFlags.NONE);
        }
        return new Reading(viewer, List.copyOf(ids)).first(since);
    }

    private final class Reading {
        private final long viewer;
        private final List<Long> ids;
        private final List<String> keys;
        private final List<Set<Long>> members = new ArrayList<>(SETS);
        private Set<Long> mutedConversations = Set.of();
        private ViewerFilters viewerFilters = ViewerFilters.NONE;
        private int larger;

        Reading(long viewer, List<Long> ids) {
            this.viewer = viewer;
            this.ids = ids;
            // All four are the viewer's own sets, of one slot.
            this.keys =
                    List.of(Keys.favourites(viewer), Keys.reblogged(viewer), Keys.bookmarks(viewer), Keys.pins(viewer));
            Integer known = large.getIfPresent(viewer);
            this.larger = known == null ? 0 : known;
        }

        Future<ViewerFlags> first(long since) {
            List<Command> commands = new ArrayList<>(SETS);
            for (int set = 0; set < SETS; set++) {
                commands.add(isLarger(set) ? scores(set) : Command.tracked("ZRANGE", keys.get(set), 0, WHOLE_MAX));
            }
            commands.add(MutedConversations.watch(viewer));
            commands.add(UserFilters.watch(viewer));
            return BatchedPipeline.send(redis, commands, since).compose(replies -> {
                Reply version = replies.get(SETS + 1);
                return version.isNil()
                        ? rest(replies, ViewerFilters.NONE)
                        : filters.of(viewer, version.asString()).compose(found -> rest(replies, found));
            });
        }

        /** Asks for the scores in the sets that have turned out to be larger. */
        private Future<ViewerFlags> rest(List<Reply> replies, ViewerFilters found) {
            viewerFilters = found;
            mutedConversations = MutedConversations.of(replies.get(SETS));
            List<Command> commands = new ArrayList<>();
            List<Integer> sets = new ArrayList<>();
            for (int set = 0; set < SETS; set++) {
                Reply reply = replies.get(set);
                if (isLarger(set)) {
                    members.add(Scores.members(ids, reply));
                } else if (reply.items().size() <= WHOLE_MAX) {
                    members.add(reply.items().isEmpty() ? Set.of() : new HashSet<>(Statuses.longs(reply)));
                } else {
                    members.add(Set.of());
                    sets.add(set);
                    commands.add(scores(set));
                }
            }
            if (commands.isEmpty()) {
                return Future.succeededFuture(flags());
            }
            sets.forEach(set -> larger |= 1 << set);
            large.put(viewer, larger);
            return BatchedPipeline.send(redis, commands).map(scores -> {
                for (int i = 0; i < scores.size(); i++) {
                    members.set(sets.get(i), Scores.members(ids, scores.get(i)));
                }
                return flags();
            });
        }

        private boolean isLarger(int set) {
            return (larger & 1 << set) != 0;
        }

        private Command scores(int set) {
            return Command.of("ZMSCORE", keys.get(set), ids.toArray());
        }

        private ViewerFlags flags() {
            return new ViewerFlags(
                    members.get(0), members.get(1), members.get(2), members.get(3), mutedConversations, viewerFilters);
        }
    }
}

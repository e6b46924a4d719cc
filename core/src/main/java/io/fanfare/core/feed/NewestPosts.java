package io.fanfare.core.feed;

import io.fanfare.common.id.Id;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The newest posts of many authors, together as many as a home holds, or a page. Reads a few of each author first, and
 * then more only of those who may have more among the newest: with {@code wanted} ids wanted of {@code n} authors,
 * about {@code FIRST * n} ids, and at most {@code wanted} in each further round trip. One use per instance; one event
 * loop.
 */
final class NewestPosts {
    /** Ids that are read of each author at least. */
    private static final int FIRST = 4;

    private final Redis redis;
    private final Statuses statuses;
    private final List<Long> authors;
    private final long above;
    private final long below;
    private final int wanted;
    private final List<IdRange> ranges = new ArrayList<>();

    NewestPosts(Redis redis, Statuses statuses, List<Long> authors, int wanted) {
        this(redis, statuses, authors, 0, Id.MAX, wanted);
    }

    /**
     * The newest posts below an id.
     *
     * @param above how far down they are wanted at most
     */
    NewestPosts(Redis redis, Statuses statuses, List<Long> authors, long above, long below, int wanted) {
        this.above = above;
        this.below = below;
        this.redis = redis;
        this.statuses = statuses;
        this.authors = authors;
        this.wanted = wanted;
    }

    /** A range for each author, in their order. */
    Future<List<IdRange>> read() {
        authors.forEach(author -> ranges.add(new IdRange(List.of(), below - 1)));
        List<Integer> all = IntStream.range(0, authors.size()).boxed().toList();
        return deepen(all, Math.max(FIRST, wanted / authors.size())).compose(done -> statuses.honest(authors, ranges));
    }

    /** Whether the profile of an author, by its place, has been read to its end: what is older is in the archive. */
    boolean hasEnded(int author) {
        return ranges.get(author).bound() == 0;
    }

    /** Each turn reads as much again of fewer authors, so that there are few turns. */
    private Future<Void> deepen(List<Integer> indexes, int more) {
        List<Command> commands = new ArrayList<>(indexes.size());
        for (int i : indexes) {
            commands.add(Statuses.older(authors.get(i), ranges.get(i).bound() + 1, more));
        }
        return BatchedPipeline.send(redis, commands).compose(replies -> {
            for (int k = 0; k < indexes.size(); k++) {
                add(indexes.get(k), replies.get(k), more);
            }
            long lowest = Math.max(above, lowestWanted());
            List<Integer> next =
                    indexes.stream().filter(i -> ranges.get(i).bound() > lowest).toList();
            return next.isEmpty() ? Future.succeededFuture() : deepen(next, Math.min(2 * more, wanted));
        });
    }

    private void add(int i, Reply reply, int more) {
        IdRange deeper = Statuses.older(reply, more);
        List<Long> ids = new ArrayList<>(ranges.get(i).ids());
        ids.addAll(deeper.ids());
        ranges.set(i, new IdRange(ids, deeper.bound()));
    }

    /** The lowest id among the wanted ones that have been read; 0 = more are wanted. */
    private long lowestWanted() {
        long[] ids = ranges.stream()
                .flatMap(range -> range.ids().stream())
                .mapToLong(id -> id)
                .sorted()
                .toArray();
        return ids.length < wanted ? 0 : ids[ids.length - wanted];
    }
}

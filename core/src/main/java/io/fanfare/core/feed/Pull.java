package io.fanfare.core.feed;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * The posts that a page has read of pulled authors with news that the home does not hold.
 *
 * @param authors the pulled ones
 * @param from posts up to this id are in the home
 * @param ranges the posts above it, a range for each author
 * @param limit how many ids were read of each author at most
 */
record Pull(List<Long> authors, long from, List<IdRange> ranges, int limit) {
    /** A pull of nobody. */
    static Pull none() {
        return new Pull(List.of(), 0, List.of(), 0);
    }

    /** Reads as much of each of these authors as a page can show, between the home and the cursor of the page. */
    static Future<Pull> read(Redis redis, Statuses statuses, List<Long> authors, long from, PageRequest page) {
        return read(redis, statuses, authors, from, Math.max(from, page.floor()), page.maxId(), page.limit() + 1);
    }

    private static Future<Pull> read(
            Redis redis, Statuses statuses, List<Long> authors, long from, long above, long below, int limit) {
        if (authors.isEmpty() || below <= above + 1) {
            return Future.succeededFuture(none());
        }
        List<Command> commands = new ArrayList<>(authors.size());
        for (long author : authors) {
            commands.add(Statuses.between(author, above, below, limit));
        }
        return BatchedPipeline.send(redis, commands)
                .compose(replies -> statuses.honest(authors, ranges(replies, limit)))
                .map(ranges -> new Pull(authors, from, relevant(ranges, above), limit));
    }

    private static List<IdRange> ranges(List<Reply> replies, int limit) {
        return replies.stream().map(reply -> Statuses.older(reply, limit)).toList();
    }

    /** Archived ids below the end of the range are not needed. */
    private static List<IdRange> relevant(List<IdRange> ranges, long above) {
        return ranges.stream()
                .map(range -> range.bound() <= above ? new IdRange(range.ids(), 0) : range)
                .toList();
    }

    /** The authors whose range was cut by the limit: they have more above {@link #from}. */
    List<Long> cut() {
        List<Long> cut = new ArrayList<>();
        for (int i = 0; i < authors.size(); i++) {
            if (isCut(i)) {
                cut.add(authors.get(i));
            }
        }
        return cut;
    }

    private boolean isCut(int i) {
        return ranges.get(i).bound() > 0;
    }

    /**
     * The same with up to so many ids of each author, if that is more: the ranges that were cut are read again. For
     * what was read without a cursor.
     */
    Future<Pull> deeper(Redis redis, Statuses statuses, int more) {
        if (more <= limit) {
            return Future.succeededFuture(this);
        }
        return read(redis, statuses, cut(), from, from, Id.MAX, more).map(again -> {
            Iterator<IdRange> deeper = again.ranges.iterator();
            List<IdRange> all = new ArrayList<>();
            for (int i = 0; i < authors.size(); i++) {
                all.add(isCut(i) ? deeper.next() : ranges.get(i));
            }
            return new Pull(authors, from, all, more);
        });
    }

    /** How many ids it has that are not among these. */
    int countBeside(Set<Long> held) {
        int count = 0;
        for (IdRange range : ranges) {
            for (long id : range.ids()) {
                count += held.contains(id) ? 0 : 1;
            }
        }
        return count;
    }
}

package io.fanfare.core.feed;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The page just above a {@code min_id}, scanned upward. A home that is complete down to {@code min_id} answers it;
 * below the home's floor the profiles of all authors are read upward instead, a stretch of each at a time: reading down
 * to {@code min_id} would have to hold everything in between. The mirror image of {@link PageDown}: only ids up to the
 * lowest end of a stretch that was cut are shown, before the next stretches are read.
 *
 * <p>One use per instance; one event loop.
 */
final class PageUp {
    /**
     * Least candidates loaded in a turn, times the number of the turn: a home full of leftovers does not cost a turn
     * for each.
     */
    private static final int LOAD_MIN = 20;

    private static final int STRETCH_MAX = 500;

    private final Redis redis;
    private final TimelineFilter filter;
    private final PageRequest page;
    private final Collection<Long> authors; // Whose profiles are read.
    private final Collection<String> lists; // Timelines of hashtags that are read as well.
    private final List<Long> held; // What the home has, ascending.
    private final long from; // The profiles are read above this.
    private final HomeMetrics.Source profiles;

    private final List<Status> shown = new ArrayList<>();
    private final UpwardRepostFold fold;
    private final Set<HomeMetrics.Source> deeper = EnumSet.noneOf(HomeMetrics.Source.class);
    private final Promise<Page<Status>> answer = Promise.promise();
    private Supplier<Future<List<Status>>> below = () -> Future.succeededFuture(List.of());
    private List<Long> candidates;
    private boolean complete;
    private boolean isAway;
    private long cursor;
    private long scanned;
    private int stretch;
    private int turns;
    private int read;

    private PageUp(
            Redis redis,
            TimelineFilter filter,
            PageRequest page,
            Collection<Long> authors,
            Collection<String> lists,
            List<Long> held,
            long from,
            HomeMetrics.Source profiles) {
        this.profiles = profiles;
        this.redis = redis;
        this.filter = filter;
        this.page = page;
        this.authors = authors;
        this.lists = lists;
        this.held = held;
        this.from = from;
        this.complete = authors.isEmpty() && lists.isEmpty();
        this.candidates = complete ? held : List.of();
        this.stretch = Math.min(page.limit() + 1, STRETCH_MAX);
        this.cursor = page.minId();
        this.scanned = page.minId();
        this.fold = new UpwardRepostFold(filter.foldWindow());
    }

    /**
     * From a home (or what a rebuild has just read), if it reaches down to {@code min_id}, and from the profiles of
     * those whose news above an id it does not hold; and from the timelines of hashtags.
     */
    static PageUp fromHome(
            Redis redis,
            TimelineFilter filter,
            PageRequest page,
            Collection<Long> authors,
            IdRange home,
            Collection<Long> pulled,
            long from,
            Collection<String> lists) {
        return home.bound() <= page.minId()
                ? new PageUp(
                        redis,
                        filter,
                        page,
                        pulled,
                        lists,
                        upward(home.between(page.minId(), page.maxId())),
                        from,
                        HomeMetrics.Source.PULLED)
                : fromProfiles(redis, filter, page, authors, lists);
    }

    /** From a list that has all there is. */
    static PageUp fromList(Redis redis, TimelineFilter filter, PageRequest page, IdRange list) {
        return fromHome(redis, filter, page, List.of(), list, List.of(), 0, List.of());
    }

    /** From profiles alone. */
    static PageUp fromProfiles(Redis redis, TimelineFilter filter, PageRequest page, Collection<Long> authors) {
        return fromProfiles(redis, filter, page, authors, List.of());
    }

    private static PageUp fromProfiles(
            Redis redis, TimelineFilter filter, PageRequest page, Collection<Long> authors, Collection<String> lists) {
        return new PageUp(redis, filter, page, authors, lists, List.of(), 0, HomeMetrics.Source.PROFILES);
    }

    /**
     * Sets the reading below the page, for a timeline that leaves out reposts: it reads the next statuses without
     * leaving any out, newest first; as many as the filter's window has, or all. It is called when that can matter.
     */
    PageUp above(Supplier<Future<List<Status>>> readBelow) {
        below = readBelow;
        return this;
    }

    /** The sources read beyond the first. */
    Set<HomeMetrics.Source> deeper() {
        return deeper;
    }

    Future<Page<Status>> run() {
        turn();
        return answer.future();
    }

    private void turn() {
        if (isAway && shown.size() < page.limit()) {
            if (shown.isEmpty()) {
                answer.fail(Archive.AWAY);
            } else {
                answer.complete(shortPage());
            }
            return;
        }
        boolean done = shown.size() >= page.limit() || (candidates.isEmpty() && complete);
        boolean enough =
                turns++ >= PageDown.turnsMax(shown.size()) || (candidates.isEmpty() && read > PageDown.READ_MAX);
        if (done || enough) {
            answer.complete(done ? page() : shortPage());
        } else if (!candidates.isEmpty()) {
            load().onComplete(gone -> turn(), answer::fail);
        } else {
            climb().onComplete(gone -> turn(), answer::fail);
        }
    }

    private Future<Void> load() {
        int wanted = Math.max(page.limit() - shown.size(), LOAD_MIN * turns);
        List<Long> next = candidates.subList(0, Math.min(wanted, candidates.size()));
        candidates = candidates.subList(next.size(), candidates.size());
        scanned = next.get(next.size() - 1);
        return filter.load(next).compose(loaded -> lookBelow(loaded.shown()).map(known -> {
            shown.addAll(fold.shown(loaded.shown()));
            if (loaded.unreachable() > 0) {
                away(loaded.unreachable() - 1);
            }
            return null;
        }));
    }

    private Future<Void> lookBelow(List<Status> next) {
        return fold.needsBelow(next) && page.minId() > PageRequest.BOTTOM
                ? below.get().onSuccess(fold::startAbove).mapEmpty()
                : Future.succeededFuture();
    }

    private Future<Void> climb() {
        if (!authors.isEmpty()) {
            deeper.add(profiles);
        }
        List<Command> commands = new ArrayList<>(authors.size());
        for (long author : authors) {
            commands.add(Statuses.newer(author, Math.max(cursor, from), page.maxId(), stretch));
        }
        for (String list : lists) {
            commands.add(PublicTimelines.newer(list, cursor, page.maxId(), stretch));
        }
        // The borders after the profiles, the archive after the borders: what moves meanwhile is seen twice, not never.
        return BatchedPipeline.sendEach(redis, commands)
                .compose(replies -> BatchedPipeline.check(replies.subList(0, authors.size()))
                        .compose(read -> archived())
                        .compose(old -> take(replies, old), this::withoutArchive));
    }

    /** The archived statuses of authors whose profiles begin above the place where this page goes on. */
    private Future<List<Long>> archived() {
        List<Long> all = List.copyOf(authors);
        long above = Math.max(cursor, from);
        return filter.statuses().archived().borders(all).compose(borders -> {
            List<Long> authors = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                if (borders.get(i) > above) {
                    authors.add(all.get(i));
                }
            }
            if (authors.isEmpty()) {
                return Future.succeededFuture(List.of());
            }
            deeper.add(HomeMetrics.Source.ARCHIVE);
            return filter.statuses().archived().newer(authors, above, page.maxId(), stretch);
        });
    }

    private Future<Void> withoutArchive(Throwable cause) {
        if (cause != Archive.AWAY) {
            return Future.failedFuture(cause);
        }
        away(cursor);
        return Future.succeededFuture();
    }

    /** Ends the page above what was shown so far: it goes on there when the archive answers. */
    private void away(long goOnAbove) {
        scanned = goOnAbove;
        isAway = true;
    }

    private Future<Void> take(List<Reply> replies, List<Long> archived) {
        List<Long> found = new ArrayList<>(archived);
        long end = page.maxId();
        complete = true;
        if (archived.size() == stretch) {
            complete = false;
            end = archived.get(archived.size() - 1);
        }
        read += archived.size();
        for (Reply reply : replies) {
            if (reply instanceof Reply.Failure) {
                continue; // Of a hashtag: without it the home is of use, too.
            }
            List<Long> ids = Statuses.longs(reply);
            found.addAll(ids);
            read += ids.size();
            if (ids.size() == stretch) {
                complete = false;
                end = Math.min(end, ids.get(ids.size() - 1));
            }
        }
        long last = end;
        held.stream().filter(id -> id > cursor).forEach(found::add);
        candidates = found.stream().filter(id -> id <= last).distinct().sorted().toList();
        cursor = last;
        stretch = Math.min(stretch * 2, STRETCH_MAX);
        return Future.succeededFuture();
    }

    private static List<Long> upward(List<Long> ids) {
        List<Long> upward = new ArrayList<>(ids);
        Collections.reverse(upward);
        return upward;
    }

    /**
     * A page that ends before it is full or at the top goes on above the last id scanned, whether that was shown or
     * not.
     */
    private Page<Status> shortPage() {
        Page<Status> page = page();
        return new Page<>(page.items(), page.next(), scanned);
    }

    /** Newest first, as every page. Something older is always to be expected: at least what {@code min_id} names. */
    private Page<Status> page() {
        List<Status> items = new ArrayList<>(shown.subList(0, Math.min(shown.size(), page.limit())));
        Collections.reverse(items);
        if (items.isEmpty()) {
            return new Page<>(items, page.minId() + 1, 0);
        }
        return new Page<>(items, items.get(items.size() - 1).id(), items.get(0).id());
    }
}

package io.fanfare.api.article;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Articles.Ranked;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.feed.TimelineFilter;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The lists of articles as a viewer may see them: by time, by score, and the best, of all articles or of one group.
 * What a page shows lives and may be seen by the viewer; what is passed over makes no page short, within bounds.
 */
public final class ArticleLists {
    /** Turns of one page by score; a page that needs more is handed out short, with the place to go on from. */
    private static final int TURNS_MAX = 16;

    /** Least places read in a turn. */
    private static final int READ_MIN = 20;

    private final Articles articles;
    private final Statuses statuses;
    private final ViewerRelationshipsReader viewerRelationships;

    public ArticleLists(Articles articles, Statuses statuses, ViewerRelationshipsReader viewerRelationships) {
        this.articles = articles;
        this.statuses = statuses;
        this.viewerRelationships = viewerRelationships;
    }

    /**
     * A page of the ranking by score, highest first.
     *
     * @param next where the next page begins; empty = this was the last
     */
    public record Ranking(List<Status> items, Optional<Ranked> next) {
        public Ranking {
            items = List.copyOf(items);
        }
    }

    /**
     * A page by the time of publication.
     *
     * @param group folded; empty = all articles
     * @param viewer 0 = anonymous
     * @param began the moment when its reading began: see {@code Timelines.moment}
     */
    public Future<Page<Status>> byTime(String group, long viewer, PageRequest page, long began) {
        Future<TimelineFilter> filter = filter(viewer, began);
        return articles.byTime(group, page, members -> load(
                        filter, members.stream().map(member -> member.id()).toList())
                .map(shown -> {
                    Map<String, Status> byName = new HashMap<>();
                    shown.forEach(status -> byName.put(Long.toString(status.id()), status));
                    return byName;
                }));
    }

    /** The best, newest first. */
    public Future<List<Status>> best(long viewer, long began) {
        Future<TimelineFilter> filter = filter(viewer, began);
        return articles.best().compose(ids -> load(filter, ids));
    }

    /**
     * A page by score. A walk shows no article twice, and skips only those that votes lift above its place meanwhile.
     *
     * @param after where the page begins, exclusive; empty = at the top
     */
    public Future<Ranking> byScore(String group, long viewer, Optional<Ranked> after, int limit, long began) {
        return new Walk(group, filter(viewer, began), limit).turn(after, 1);
    }

    /**
     * The filter of a viewer, read while the list is read. Articles are for everybody: for a viewer who hides few
     * accounts these are read at once, and no author is checked.
     */
    private Future<TimelineFilter> filter(long viewer, long began) {
        return viewerRelationships.hidden(viewer, began).map(accounts -> accounts.map(hidden -> TimelineFilter.by(
                        statuses, status -> status.isArticle() && !hidden.contains(status.authorId())))
                .orElseGet(() -> new TimelineFilter(statuses, candidates -> viewerRelationships
                        .over(viewer, candidates)
                        .map(relationships -> status -> status.isArticle() && relationships.shows(status))))
                .since(began));
    }

    private static Future<List<Status>> load(Future<TimelineFilter> filter, List<Long> ids) {
        return filter.compose(known -> known.load(ids))
                // Only lists of groups and walks far down meet archived articles, and leaving one out would be wrong.
                .compose(loaded -> loaded.unreachable() == 0
                        ? Future.succeededFuture(loaded.shown())
                        : Future.failedFuture(Archive.AWAY));
    }

    /** One page by score as it fills. */
    private final class Walk {
        private final String group;
        private final Future<TimelineFilter> filter;
        private final int limit;
        private final List<Status> shown = new ArrayList<>();
        private final Map<Long, Ranked> places = new HashMap<>();

        Walk(String group, Future<TimelineFilter> filter, int limit) {
            this.group = group;
            this.filter = filter;
            this.limit = limit;
        }

        Future<Ranking> turn(Optional<Ranked> after, int turn) {
            // One more than requested shows whether there is more.
            int count = Math.max(limit + 1 - shown.size(), READ_MIN * turn);
            return articles.byScore(group, after, count).compose(read -> {
                read.forEach(place -> places.put(place.id(), place));
                Optional<Ranked> last = read.isEmpty() ? after : Optional.of(read.get(read.size() - 1));
                return load(filter, read.stream().map(Ranked::id).toList()).compose(visible -> {
                    shown.addAll(visible);
                    boolean ended = read.size() < count;
                    return shown.size() > limit || ended || turn == TURNS_MAX
                            ? Future.succeededFuture(ranking(ended, last))
                            : turn(last, turn + 1);
                });
            });
        }

        private Ranking ranking(boolean ended, Optional<Ranked> last) {
            if (shown.size() <= limit) {
                return new Ranking(shown, ended ? Optional.empty() : last);
            }
            List<Status> items = shown.subList(0, limit);
            return new Ranking(
                    items, Optional.of(places.get(items.get(limit - 1).id())));
        }
    }
}

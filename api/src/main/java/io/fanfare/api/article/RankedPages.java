package io.fanfare.api.article;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.api.endpoint.RequestCoalescer;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Articles.Ranked;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.text.ViewerFilters;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.SharedArticle;
import io.fanfare.common.view.Views;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.view.Hydrator;
import io.fanfare.core.view.ViewerFlags;
import io.fanfare.vertx.VertxInternals;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Pages of rankings by score, as JSON. Nearly everything of such a page is the same for all viewers: it is read and
 * rendered once for all who ask for it at the same time ({@link RequestCoalescer}), and each viewer's votes and flags
 * are read and put in. A viewer who hides one of the authors, or has filters, gets a page of her own. Either way a page
 * shows what was true after its request had come. Confined to one event loop.
 */
public final class RankedPages {
    /** Articles that are kept as they were rendered, for up to six ways of seeing each: about 2 KB a way. */
    private static final int KEPT_MAX = 500;

    /** Pages that are kept as they were put together: 50 KB each, and as much again for what they were made of. */
    private static final int JOINED_MAX = 32;

    private static final Buffer OPENING = Buffer.buffer("[");
    private static final Buffer CLOSING = Buffer.buffer("]");

    private final Timelines timelines;
    private final ArticleLists lists;
    private final Articles articles;
    private final ViewerRelationshipsReader relationships;
    private final Hydrator hydrator;
    private final StatusRenderer renderer;
    private final Views views;
    private final RequestCoalescer<Place, SharedPage> shared = new RequestCoalescer<>(this::read);
    private final Cache<Long, Kept> kept =
            Caffeine.newBuilder().maximumSize(KEPT_MAX).executor(Runnable::run).build();
    private final Cache<Elements, Buffer> joined = Caffeine.newBuilder()
            .maximumSize(JOINED_MAX)
            .executor(Runnable::run)
            .build();

    public RankedPages(
            Timelines timelines,
            ArticleLists lists,
            Articles articles,
            ViewerRelationshipsReader relationships,
            Hydrator hydrator,
            StatusRenderer renderer,
            Views views) {
        this.timelines = timelines;
        this.lists = lists;
        this.articles = articles;
        this.relationships = relationships;
        this.hydrator = hydrator;
        this.renderer = renderer;
        this.views = views;
    }

    /**
     * The position of a page.
     *
     * @param group folded; empty = all articles
     * @param after exclusive; empty = at the top
     * @param skipped articles before its first
     */
    record Place(String group, Optional<Ranked> after, int skipped, int limit) {
        private <T> List<T> cut(List<T> read) {
            return read.subList(Math.min(skipped, read.size()), read.size());
        }
    }

    /**
     * A page as JSON.
     *
     * @param next where the next page begins; empty = this was the last
     */
    record Rendered(Buffer body, Optional<Ranked> next) {}

    /**
     * The part of a page that is the same for all viewers.
     *
     * @param articles by id, in their order; without those that are skipped
     * @param authors including those of skipped articles
     * @param scores of the articles
     * @param whole true if all of them are ranked; else their order may differ by viewer
     */
    private record SharedPage(
            Map<Long, SharedArticle> articles,
            Set<Long> authors,
            Map<Long, Long> scores,
            boolean whole,
            Optional<Ranked> next) {}

    /**
     * The JSON of an article and the values that it was rendered from.
     *
     * @param emojis see {@link Views#emojisVersion}
     */
    private record Kept(Status article, Account author, Article.Standing standing, long emojis, SharedArticle json) {
        boolean shows(Status newArticle, Account newAuthor, Article.Standing newStanding, long newEmojis) {
            return emojis == newEmojis
                    && article.equals(newArticle)
                    && author.equals(newAuthor)
                    && standing.equals(newStanding);
        }
    }

    /** @param viewer 0 = anonymous */
    Future<Rendered> page(Place place, long viewer) {
        long began = timelines.moment();
        return shared.get(place).compose(page -> relationships
                .hidden(viewer, began)
                .compose(hidden -> isForEverybody(page, hidden)
                        ? seenBy(place, page, viewer, began)
                        : ownPage(place, viewer, began)));
    }

    private Future<SharedPage> read(Place place) {
        long began = timelines.moment();
        return lists.byScore(place.group(), 0, place.after(), place.skipped() + place.limit(), began)
                .compose(ranking -> hydrator.load(place.cut(ranking.items()), 0, began)
                        .map(context -> shared(place, ranking, context)));
    }

    private SharedPage shared(Place place, ArticleLists.Ranking ranking, RenderContext context) {
        Map<Long, SharedArticle> shown = new LinkedHashMap<>();
        Map<Long, Long> scores = new HashMap<>();
        boolean whole = true;
        for (Status article : place.cut(ranking.items())) {
            Article.Standing standing = context.standings().get(article.id());
            if (standing == null) {
                whole = false;
            } else if (context.covers(article)) {
                shown.put(article.id(), rendered(article, context.accounts().get(article.authorId()), standing));
                scores.put(article.id(), Article.score(article.id(), standing.votes()));
            }
        }
        Set<Long> authors = ranking.items().stream().map(Status::authorId).collect(Collectors.toUnmodifiableSet());
        return new SharedPage(shown, authors, scores, whole, ranking.next());
    }

    /** As it was rendered before, when nothing of it has changed. */
    private SharedArticle rendered(Status article, Account author, Article.Standing standing) {
        Kept before = kept.getIfPresent(article.id());
        long emojis = views.emojis().version();
        if (before != null && before.shows(article, author, standing, emojis)) {
            return before.json();
        }
        Kept now = new Kept(article, author, standing, emojis, views.statuses().shared(article, author, standing));
        kept.put(article.id(), now);
        return now.json();
    }

    private static boolean isForEverybody(SharedPage page, Optional<Set<Long>> hidden) {
        return page.whole() && hidden.isPresent() && hidden.get().stream().noneMatch(page.authors()::contains);
    }

    private Future<Rendered> seenBy(Place place, SharedPage page, long viewer, long began) {
        if (viewer == 0) {
            return Future.succeededFuture(rendered(page, Map.of(), article -> SharedArticle.ANONYMOUS));
        }
        Future<ViewerFlags> flags = hydrator.flags(page.scores().keySet(), viewer, began);
        return articles.voted(page.scores(), viewer)
                .compose(voted -> flags.compose(read -> read.filters() == ViewerFilters.NONE
                        ? Future.succeededFuture(rendered(page, voted, read::of))
                        : ownPage(place, viewer, began)));
    }

    /**
     * Most viewers have done nothing with what they see, so that one page of bytes is for all of them.
     *
     * @param voted by article; without those that cannot be voted on
     * @param flags of the viewer on an article
     */
    private Rendered rendered(SharedPage page, Map<Long, Boolean> voted, ToIntFunction<Long> flags) {
        List<Buffer> elements = new ArrayList<>(page.articles().size());
        boolean forMany = true;
        for (Map.Entry<Long, SharedArticle> article : page.articles().entrySet()) {
            int flagged = flags.applyAsInt(article.getKey());
            Optional<Boolean> vote = Optional.ofNullable(voted.get(article.getKey()));
            forMany &= flagged <= 0 && !vote.orElse(false);
            elements.add(article.getValue().element(vote, flagged));
        }
        Elements all = new Elements(elements);
        return new Rendered(forMany ? joined.get(all, Elements::copied) : all.joined(), page.next());
    }

    /** The elements of a page; equal to others that are the same objects in the same order. */
    private record Elements(List<Buffer> parts) {
        /** One behind the other, not copied. */
        Buffer joined() {
            List<Buffer> all = new ArrayList<>(parts.size() + 2);
            all.add(OPENING);
            for (Buffer part : parts) {
                all.add(all.size() == 1 ? part.slice(1, part.length()) : part); // The first has no comma.
            }
            all.add(CLOSING);
            return VertxInternals.join(all);
        }

        /** The same for many requests. */
        Buffer copied() {
            return VertxInternals.wrap(joined().getBytes());
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof Elements elements) || elements.parts.size() != parts.size()) {
                return false;
            }
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i) != elements.parts.get(i)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int hashCode() {
            int hash = 1;
            for (Buffer part : parts) {
                hash = 31 * hash + System.identityHashCode(part);
            }
            return hash;
        }
    }

    /** Read for this viewer alone. */
    private Future<Rendered> ownPage(Place place, long viewer, long began) {
        return lists.byScore(place.group(), viewer, place.after(), place.skipped() + place.limit(), began)
                .compose(ranking -> renderer.list(place.cut(ranking.items()), viewer, began)
                        .map(body -> new Rendered(VertxInternals.wrap(body), ranking.next())));
    }
}

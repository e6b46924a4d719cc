package io.fanfare.api.article;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.common.store.Articles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.stream.Stream;

/** Articles: publish, vote, rankings and groups, and the page of the best. May be left out of a build. */
public final class ArticleFeature implements ApiFeature {
    private final Vertx vertx;
    private final Articles articles;
    private final ArticleRoutes routes;
    private final ArticlePages pages;
    private long timer;

    public ArticleFeature(ApiLoop loop) {
        this.vertx = loop.vertx();
        this.articles = loop.stores().articles();
        ArticleLists lists = new ArticleLists(articles, loop.statuses(), loop.viewerRelationships());
        RankedPages ranked = new RankedPages(
                loop.timelines(),
                lists,
                articles,
                loop.viewerRelationships(),
                loop.stores().hydrator(),
                loop.renderer(),
                loop.views());
        this.routes = new ArticleRoutes(
                loop.limits(),
                loop.publicUrl(),
                loop.posting(),
                articles,
                lists,
                ranked,
                loop.timelines(),
                loop.visible(),
                loop.renderer(),
                loop.accountRenderer());
        this.pages = new ArticlePages(loop.publicUrl(), loop.timelines(), lists, loop.renderer(), loop.pages());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(routes.endpoints(), pages.endpoints())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Future<Void> start() {
        timer = vertx.setPeriodic(
                Articles.PUBLISH_MILLIS, tick -> articles.publishVotes().onComplete(published -> {}));
        return Future.succeededFuture();
    }

    /** Publishes votes that streams have not received. */
    @Override
    public Future<Void> close() {
        boolean unused = vertx.cancelTimer(timer);
        return articles.publishVotes();
    }
}

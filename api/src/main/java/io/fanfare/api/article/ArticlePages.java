package io.fanfare.api.article;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.api.web.WebRoutes;
import io.fanfare.common.store.Articles.Ranked;
import io.fanfare.core.feed.Timelines;
import io.fanfare.web.PageRenderer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.Optional;

/** The page of articles that can be read without scripts: what everybody may see. */
final class ArticlePages {
    private static final int LIMIT = 25;

    private final String publicUrl;
    private final Timelines timelines;
    private final ArticleLists lists;
    private final StatusRenderer renderer;
    private final PageRenderer pages;

    ArticlePages(
            String publicUrl, Timelines timelines, ArticleLists lists, StatusRenderer renderer, PageRenderer pages) {
        this.publicUrl = publicUrl;
        this.timelines = timelines;
        this.lists = lists;
        this.renderer = renderer;
        this.pages = pages;
    }

    List<Endpoint> endpoints() {
        return List.of(get("/articles", Access.OPEN, this::articles));
    }

    private Future<Answer> articles(Call call) {
        Optional<Ranked> after = ArticleRoutes.place(call.parameters().text("max_id", ""));
        return lists.byScore("", 0, after, LIMIT, timelines.moment())
                .compose(read -> renderer.list(read.items(), 0).map(body -> {
                    String place = ArticleRoutes.place(read.next());
                    String next = place.isEmpty() ? "" : "?max_id=" + place;
                    String html = pages.articles(WebRoutes.words(call), new JsonArray(Buffer.buffer(body)), next);
                    return WebRoutes.page(pages, html)
                            .revalidated(call.request())
                            .link(Links.next(publicUrl, call, place));
                }));
    }
}

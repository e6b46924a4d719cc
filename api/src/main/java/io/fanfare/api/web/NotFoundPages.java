package io.fanfare.api.web;

import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.AnswerCompressor;
import io.fanfare.server.http.Problems;
import io.fanfare.web.Messages;
import io.fanfare.web.PageRenderer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The page that a browser gets at an unknown address: in its language, with links to go on. Programs get the error of
 * the API. Confined to one event loop.
 */
public final class NotFoundPages {
    static final String FEED = ".rss";

    /** Nobody reads pages below them. */
    private static final List<String> FOR_PROGRAMS =
            List.of("/api", "/oauth", "/1.1", "/web", "/.well-known", "/nodeinfo");

    /** Made once, so that they are compressed once. */
    private final Map<Messages, Answer> answers = new HashMap<>();

    public NotFoundPages(PageRenderer pages) {
        Messages.all().forEach(words -> answers.put(words, of(pages, words).kept()));
    }

    /** To be mounted after {@link Problems}, whose answer it takes the place of. */
    public void mount(Router router, AnswerCompressor compressor) {
        router.errorHandler(404, ctx -> {
            if (isForPeople(ctx)) {
                answers.get(Messages.of(ctx.request().getHeader(HttpHeaders.ACCEPT_LANGUAGE)))
                        .send(ctx.request(), compressor);
            } else {
                Problems.answer(ctx, ctx.failure());
            }
        });
    }

    static Answer of(PageRenderer pages, Messages words) {
        return WebRoutes.page(pages, pages.missing(words)).status(404).header("Vary", "Accept, Accept-Language");
    }

    /** Whether a browser asks, to show somebody what is there. */
    static boolean isForPeople(HttpServerRequest request) {
        String accepted = request.getHeader(HttpHeaders.ACCEPT);
        return accepted != null
                && accepted.contains("text/html")
                && !request.path().endsWith(FEED);
    }

    /** Whether a browser asks for a page. */
    public static boolean isForPeople(RoutingContext ctx) {
        HttpMethod method = ctx.request().method();
        String path = ctx.normalizedPath();
        return (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD))
                && isForPeople(ctx.request())
                && FOR_PROGRAMS.stream().noneMatch(prefix -> path.equals(prefix) || path.startsWith(prefix + "/"));
    }
}

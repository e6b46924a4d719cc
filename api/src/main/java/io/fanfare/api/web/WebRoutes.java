package io.fanfare.api.web;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.common.model.Refusal;
import io.fanfare.web.Messages;
import io.fanfare.web.PageRenderer;
import io.fanfare.web.WebFiles;
import io.fanfare.web.WebFiles.WebFile;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The web client: its files, and the pages that its scripts fill and that show nothing without them. What shows
 * something without scripts is in {@link PageRoutes}. The answers are always the same, and are not counted.
 */
public final class WebRoutes {
    /** A year: another version has another path. */
    private static final String FOR_GOOD = "public, max-age=31536000, immutable";

    private static final List<String> PAGES = List.of(
            "/login",
            "/signup",
            "/invite/:name",
            "/invitations",
            "/home",
            "/public",
            "/notifications",
            "/messages",
            "/lists",
            "/scheduled",
            "/search",
            "/bookmarks",
            "/favourites",
            "/settings",
            "/streams",
            "/moderation");

    /** Made once, so that they are compressed once. */
    private final Map<String, Answer> files = new HashMap<>();

    private final WebFiles web;

    private final PageRenderer pages;

    private final Answer worker;

    /** By language, made for the first reader of each. */
    private final Map<Messages, Answer> shells = new HashMap<>();

    /** The same of the page for a browser without a connection. */
    private final Map<Messages, Answer> offlinePages = new HashMap<>();

    private WebRoutes(WebFiles web, PageRenderer pages) {
        this.web = web;
        this.pages = pages;
        this.worker = Answer.file(
                        "text/javascript; charset=utf-8", pages.worker().getBytes(StandardCharsets.UTF_8))
                .header(
                        "Content-Security-Policy",
                        "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'")
                .kept();
    }

    public static List<Endpoint> endpoints(WebFiles web, PageRenderer pages) {
        WebRoutes routes = new WebRoutes(web, pages);
        return Stream.concat(
                        PAGES.stream().map(path -> get(path, Access.OPEN, routes::shell)),
                        Stream.of(
                                get("/web/:id/:name", Access.OPEN, routes::file),
                                get(PageRenderer.MANIFEST_PATH, Access.OPEN, routes::manifest),
                                get(PageRenderer.WORKER_PATH, Access.OPEN, routes::worker),
                                get(PageRenderer.OFFLINE_PATH, Access.OPEN, routes::offline)))
                .map(endpoint -> endpoint.within(RateLimit.NONE))
                .toList();
    }

    private Future<Answer> manifest(Call call) {
        return Future.succeededFuture(files.computeIfAbsent(PageRenderer.MANIFEST_PATH, path -> Answer.file(
                        "application/manifest+json", pages.manifest().getBytes(StandardCharsets.UTF_8))
                .kept()));
    }

    /** Browsers compare it with theirs at each visit, and replace theirs when it differs. */
    private Future<Answer> worker(Call call) {
        return Future.succeededFuture(worker.revalidated(call.request()));
    }

    private Future<Answer> offline(Call call) {
        return Future.succeededFuture(offlinePages
                .computeIfAbsent(
                        words(call), words -> page(pages, pages.offline(words)).kept())
                .revalidated(call.request()));
    }

    private Future<Answer> shell(Call call) {
        return Future.succeededFuture(shells.computeIfAbsent(
                        words(call), words -> page(pages, pages.shell(words)).kept())
                .revalidated(call.request()));
    }

    /** The language that the browser asks for. */
    public static Messages words(Call call) {
        return words(call.request());
    }

    /** The same of a request that is not served. */
    public static Messages words(HttpServerRequest request) {
        return Messages.of(request.getHeader(HttpHeaders.ACCEPT_LANGUAGE));
    }

    /** A page of the web client. */
    public static Answer page(PageRenderer pages, String html) {
        return Answer.page(html)
                .header("Content-Security-Policy", pages.policy())
                .header("Vary", "Accept-Language");
    }

    /**
     * A page of the version before, or of the next one while processes are being replaced, gets the file of this one
     * rather than none, and does not keep it.
     */
    private Future<Answer> file(Call call) {
        WebFile file =
                call.pathName() == null ? null : web.find(call.pathName()).orElse(null);
        if (file == null) {
            throw Refusal.unknown();
        }
        Answer answer = files.computeIfAbsent(
                file.name(), name -> Answer.file(file.type(), file.body()).kept());
        boolean current = web.version().equals(call.pathId());
        return Future.succeededFuture(answer.header("Cache-Control", current ? FOR_GOOD : "no-store"));
    }
}

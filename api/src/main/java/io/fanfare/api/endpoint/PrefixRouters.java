package io.fanfare.api.endpoint;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A router for each resource, such as {@code /api/v1/statuses}. A router of Vert.x tries its routes one after the
 * other, most of them by a regular expression; so a request would pay for every route that stands before its own.
 * Routes have their whole paths in each of them. Confined to one event loop.
 */
public final class PrefixRouters {
    private static final String API = "/api/";

    /** Among the metadata of the route that leads to them. */
    private static final String ROUTERS = "routers";

    private final Vertx vertx;

    /** By prefix; for paths that begin with a variable: "". */
    private final Map<String, Router> byPrefix = new HashMap<>();

    public PrefixRouters(Vertx vertx) {
        this.vertx = vertx;
    }

    /** The router that a route of this path is to be added to. */
    public Router of(String path) {
        String prefix = prefix(path);
        return byPrefix.computeIfAbsent(prefix.indexOf(':') < 0 ? prefix : "", added -> Router.router(vertx));
    }

    /** Adds them all to a router. What none of their routes takes goes on to the next route. */
    public void mount(Router router) {
        Router others = of("/:id");
        Route route = router.route().handler(ctx -> find(ctx, others).handleContext(ctx));
        route.putMetadata(ROUTERS, List.copyOf(byPrefix.values()));
    }

    /** Every route of a router, with those that {@link #mount} has added. */
    public static Stream<Route> routes(Router router) {
        return router.getRoutes().stream().flatMap(route -> {
            List<Router> inner = route.getMetadata(ROUTERS);
            return inner == null ? Stream.of(route) : inner.stream().flatMap(PrefixRouters::routes);
        });
    }

    private Router find(RoutingContext ctx, Router others) {
        return byPrefix.getOrDefault(prefix(ctx.normalizedPath()), others);
    }

    /** The first segment of a path; of the API's the first three. A slash at the end is nothing. */
    static String prefix(String path) {
        int end = 0;
        for (int segments = path.startsWith(API) ? 3 : 1; segments > 0; segments--) {
            end = path.indexOf('/', end + 1);
            if (end < 0) {
                return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            }
        }
        return path.substring(0, end);
    }
}

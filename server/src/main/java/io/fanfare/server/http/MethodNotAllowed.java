package io.fanfare.server.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * The answer to a method that an address does not take: 405, and the methods that it takes in {@code Allow} (RFC 9110,
 * 15.5.6).
 */
public final class MethodNotAllowed {
    private MethodNotAllowed() {}

    /**
     * Must be called after all routes of the path are mounted: a request that gets here matched none of them.
     *
     * @param taken all methods of the path, HEAD included where it is answered
     */
    public static void mount(Router router, String path, Collection<HttpMethod> taken) {
        String allowed =
                taken.stream().map(HttpMethod::name).distinct().sorted().collect(Collectors.joining(", "));
        router.route(path).handler(ctx -> {
            ctx.response().putHeader(HttpHeaders.ALLOW, allowed);
            ctx.fail(405);
        });
    }
}

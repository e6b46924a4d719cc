package io.fanfare.api;

import io.fanfare.common.model.Page;
import io.vertx.core.MultiMap;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/**
 * The {@code Link} header of a page (RFC 8288), from which clients walk a list: {@code <https://host/path?limit=20&max_id=X>; rel="next", <...&min_id=Y>; rel="prev"}, next
 * first, and no next on the last page.
 */
final class Links {
    private static final Set<String> CURSORS = Set.of("max_id", "since_id", "min_id", "access_token");

    private Links() {}

    /** Null when the page leads nowhere. */
    static String of(String publicUrl, Call call, Page<?> page) {
        if (page.next() == 0 && page.prev() == 0) {
            return null;
        }
        String base = "<" + publicUrl + call.request().path() + "?" + kept(call.query());
        String next = page.next() == 0 ? null : base + "max_id=" + page.next() + ">; rel=\"next\"";
        String prev = page.prev() == 0 ? null : base + "min_id=" + page.prev() + ">; rel=\"prev\"";
        return next == null ? prev : prev == null ? next : next + ", " + prev;
    }

    /** The other parameters of the request, ready for more to follow. */
    private static String kept(MultiMap query) {
        StringBuilder kept = new StringBuilder();
        for (Map.Entry<String, String> parameter : query) {
            if (!CURSORS.contains(parameter.getKey())) {
                kept.append(encode(parameter.getKey()))
                        .append('=')
                        .append(encode(parameter.getValue()))
                        .append('&');
            }
        }
        return kept.toString();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}

package io.fanfare.api.endpoint;

import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.vertx.core.MultiMap;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/**
 * The {@code Link} header of a page (RFC 8288), from which clients walk a list:
 * {@code <https://host/path?limit=20&max_id=X>; rel="next", <...&min_id=Y>; rel="prev"}, next first, and no next on the
 * last page. An empty page leads nowhere, since Mastodon.py looks for the first entry of a page that has links; but
 * when a list hides more than one request goes through, it leads on, the way that it was asked for, so that nothing
 * behind is missed.
 */
public final class Links {
    private static final Set<String> CURSORS = Set.of("max_id", "since_id", "min_id", "access_token");

    private Links() {}

    /** Null when the page leads nowhere. */
    public static String of(String publicUrl, Call call, Page<?> page) {
        boolean empty = page.items().isEmpty();
        PageRequest request = call.parameters().page(1, 1);
        boolean up = request.minId() > 0;
        boolean lowest = request.minId() == PageRequest.BOTTOM;
        long after = lowest || (empty && (up || page.next() <= request.floor() + 1)) ? 0 : page.next();
        long before = empty && !up ? 0 : page.prev();
        if (after == 0 && before == 0) {
            return null;
        }
        String base = "<" + publicUrl + call.request().path() + "?" + kept(call.query());
        String next = after == 0 ? null : base + "max_id=" + after + ">; rel=\"next\"";
        String prev = before == 0 ? null : base + "min_id=" + before + ">; rel=\"prev\"";
        return next == null ? prev : prev == null ? next : next + ", " + prev;
    }

    /** The same of a list that leads only on, from a place that is no id; null when it leads nowhere. */
    public static String next(String publicUrl, Call call, String place) {
        return place.isEmpty()
                ? null
                : "<" + publicUrl + call.request().path() + "?" + kept(call.query()) + "max_id=" + encode(place)
                        + ">; rel=\"next\"";
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

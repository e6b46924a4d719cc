package io.fanfare.server.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The headers that a preflight allows to a page of another origin: those that the page asks for, as in Mastodon, since
 * libraries for event streams and HTTP send headers of their own ({@code Cache-Control}, {@code X-Requested-With}).
 * {@code *} would not do: it leaves {@code Authorization} out (Fetch standard, CORS-preflight fetch). No cookie comes
 * with such a request, since no answer allows credentials. The header of our own pages is never allowed.
 */
final class PreflightHeaders {
    private static final String USUAL =
            "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, " + CommonHandlers.REQUEST_ID;

    /** A browser asks for a handful. */
    private static final int REQUESTED_CHARS_MAX = 2048;

    /**
     * RFC 9110, 5.6.1 and 5.6.2: a token in optional whitespace, so that nothing else of the request comes back in the
     * answer. Possessive, since the time of a match must not grow with the square of the whitespace.
     */
    private static final Pattern NAME = Pattern.compile("[ \\t]*+([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \\t]*+");

    private PreflightHeaders() {}

    /** The value of {@code Access-Control-Allow-Headers}. */
    static String allowed(HttpServerRequest request) {
        return allowed(request.headers().getAll(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS));
    }

    static String allowed(List<String> requested) {
        String line = String.join(",", requested);
        if (line.length() > REQUESTED_CHARS_MAX) {
            return USUAL;
        }
        List<String> allowed = new ArrayList<>();
        for (String part : line.split(",", -1)) {
            Matcher name = NAME.matcher(part);
            if (name.matches() && !name.group(1).equalsIgnoreCase(SessionCookie.PAGE_HEADER.toString())) {
                allowed.add(name.group(1));
            }
        }
        return allowed.isEmpty() ? USUAL : String.join(", ", allowed);
    }
}

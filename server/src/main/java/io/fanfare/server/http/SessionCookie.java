package io.fanfare.server.http;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Duration;

/**
 * The access token of a browser that is logged in to our own pages: in a cookie that no script can read. It counts for
 * requests of these pages alone, never for those that another site, or another port of this host, makes the browser
 * send. A request with an {@code Authorization} header is judged by that header only. Immutable.
 *
 * <p>Three things must agree: the cookie is {@code SameSite=Strict}; {@code Sec-Fetch-Site} and {@code Origin}, where
 * the browser sends them, name this origin; and the request has a header of its own, which a page of another origin
 * cannot send without a preflight that we refuse. An EventSource cannot send headers, so streams do without the last.
 */
public final class SessionCookie {
    /** The header that the scripts of our pages send with every request; its value does not matter. */
    public static final CharSequence PAGE_HEADER = HttpHeaders.createOptimized("X-Fanfare-Page");

    /** Half a year; the token itself ends when it is revoked. */
    private static final long SECONDS = 180L * 24 * 60 * 60;

    private static final String NAME = "fanfare_session";
    private static final String TICKET_NAME = "fanfare_login";

    private final String name;
    private final String ticketName;
    private final String attributes;
    private final String ownOrigin;

    /** @param publicUrl base of absolute URLs, without a trailing slash; empty = not known */
    public SessionCookie(String publicUrl) {
        String path = publicUrl.isEmpty() ? "" : URI.create(publicUrl).getRawPath();
        boolean https = publicUrl.startsWith("https:");
        // Over https no other host of the domain can set one that begins with __Host-; it has the path / always.
        String prefix = !https ? "" : path.isEmpty() ? "__Host-" : "__Secure-";
        this.name = prefix + NAME;
        this.ticketName = prefix + TICKET_NAME;
        this.attributes =
                "; Path=" + (path.isEmpty() ? "/" : path) + "; HttpOnly; SameSite=Strict" + (https ? "; Secure" : "");
        this.ownOrigin = publicUrl.isEmpty() ? "" : publicUrl.substring(0, publicUrl.length() - path.length());
    }

    /** The {@code Set-Cookie} of somebody who has logged in. */
    public String of(String token) {
        return name + "=" + token + "; Max-Age=" + SECONDS + attributes;
    }

    /** The {@code Set-Cookie} that takes it away. */
    public String none() {
        return name + "=; Max-Age=0" + attributes;
    }

    /** The {@code Set-Cookie} of somebody whose password was right, and who must still give a code. */
    public String ofTicket(String ticket, Duration life) {
        return ticketName + "=" + ticket + "; Max-Age=" + life.toSeconds() + attributes;
    }

    /** The {@code Set-Cookie} that takes the ticket away. */
    public String noTicket() {
        return ticketName + "=; Max-Age=0" + attributes;
    }

    /** The ticket of a request that a script of our pages sends; null when there is none. */
    public String ticket(HttpServerRequest request) {
        Cookie cookie = isOfOurPages(request) ? request.getCookie(ticketName) : null;
        return cookie == null || cookie.getValue().isEmpty() ? null : cookie.getValue();
    }

    /** Whether the browser has one, be it good or not: says nothing about who asks. */
    public boolean isPresent(HttpServerRequest request) {
        return request.getCookie(name) != null;
    }

    /** The token of a request that a script of our pages sends; null when there is none, or another page sends it. */
    public String token(HttpServerRequest request) {
        return isOfOurPages(request) ? read(request) : null;
    }

    /** The token of the {@code Authorization} header, else that of the session of our own pages; null = neither. */
    public String bearerOrToken(HttpServerRequest request) {
        String bearer = Authentication.bearer(request);
        return bearer == null ? token(request) : bearer;
    }

    /** The token of the session for an EventSource, which sends no header of its own. */
    public String streamToken(HttpServerRequest request) {
        return isOfThisOrigin(request) ? read(request) : null;
    }

    private String read(HttpServerRequest request) {
        Cookie cookie = request.headers().contains(HttpHeaders.AUTHORIZATION) ? null : request.getCookie(name);
        return cookie == null || cookie.getValue().isEmpty() ? null : cookie.getValue();
    }

    /** Whether a script of our pages sends it. */
    public boolean isOfOurPages(HttpServerRequest request) {
        return request.headers().contains(PAGE_HEADER) && isOfThisOrigin(request);
    }

    /** Over plain http to another machine, browsers send no {@code Sec-Fetch-Site}. */
    private boolean isOfThisOrigin(HttpServerRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return (site == null || site.equals("same-origin")) && (origin == null || isOwn(origin, request));
    }

    /** Whether the origin is the public one, or the one of the request: people also open {@code localhost}. */
    private boolean isOwn(String origin, HttpServerRequest request) {
        String host = request.getHeader(HttpHeaders.HOST);
        int authority = origin.indexOf("://") + 3;
        return origin.equalsIgnoreCase(ownOrigin)
                || (host != null && authority > 2 && origin.substring(authority).equalsIgnoreCase(host));
    }
}

package io.fanfare.app.console;

import io.fanfare.common.http.ClientAddress;
import io.fanfare.common.http.SessionCookie;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Secret;
import io.fanfare.common.settings.Settings;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Who may come into the console: who has a token of {@code console.*}, and who has logged in with one. The session is a
 * cookie that no script can read and that counts for requests of the console's own pages only ({@link SessionCookie}
 * says how they are known); cookies do not tell ports apart, so its name does. A program sends the token itself, as
 * {@code Authorization: Bearer}. One event loop.
 */
final class Door {
    private static final String BEARER = "Bearer ";

    private final Settings.Console settings;
    private final ClientAddress addresses;
    private final SessionCookie pages = new SessionCookie("");
    private final Sessions sessions;
    private final LoginThrottle throttle;

    Door(Settings settings, SecureRandom random, LongSupplier nanos) {
        this.settings = settings.console();
        this.addresses = new ClientAddress(settings.http().trustedProxies());
        this.sessions = new Sessions(random, nanos);
        this.throttle = new LoginThrottle(nanos);
    }

    /** Whether anybody can come in. */
    boolean isOpen() {
        return settings.isOpen();
    }

    /** Where a request comes from, for the log. */
    String address(HttpServerRequest request) {
        return addresses.numeric(request);
    }

    /** Whether a page of the console, or a program with a token, sends it: no page of another origin can. */
    boolean isOurs(HttpServerRequest request) {
        return request.headers().contains(HttpHeaders.AUTHORIZATION) || pages.isOfOurPages(request);
    }

    /** Who sends the request; empty = nobody that is known. Fails as {@link #role} does. */
    Optional<Caller> caller(HttpServerRequest request) {
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (authorization != null) {
            String token = authorization.startsWith(BEARER) ? authorization.substring(BEARER.length()) : "";
            return role(request, token).map(role -> new Caller(role, "token"));
        }
        return pages.isOfOurPages(request) ? secret(request).flatMap(sessions::find) : Optional.empty();
    }

    /**
     * The role of a token; empty = it is none. Throws a {@link Refusal} while the address has to wait, whatever the
     * token.
     */
    Optional<Role> role(HttpServerRequest request, String token) {
        String address = addresses.of(request);
        long wait = throttle.waitSeconds(address);
        if (wait > 0) {
            throw Refusal.tooMany("Too many wrong tokens came from here: try again in " + wait + " s.", wait);
        }
        boolean operator = isToken(settings.operatorToken(), token);
        boolean viewer = isToken(settings.viewerToken(), token);
        if (!operator && !viewer) {
            throttle.failed(address);
            return Optional.empty();
        }
        return Optional.of(operator ? Role.OPERATOR : Role.VIEWER);
    }

    /** Logs a browser in: its answer gets the cookie. */
    Caller enter(HttpServerRequest request, Role role) {
        Sessions.Begun begun = sessions.begin(role);
        setCookie(request, begun.secret(), Sessions.LIFE.toSeconds());
        return begun.caller();
    }

    /** Logs it out. */
    void leave(HttpServerRequest request) {
        secret(request).ifPresent(sessions::end);
        setCookie(request, "", 0);
    }

    /** Behind a proxy with TLS, browsers say so in the Origin of every POST. */
    private static void setCookie(HttpServerRequest request, String value, long seconds) {
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        boolean https = origin != null && origin.startsWith("https:");
        request.response()
                .headers()
                .add(
                        HttpHeaders.SET_COOKIE,
                        cookie(request) + "=" + value + "; Max-Age=" + seconds + "; Path=" + Console.PATH
                                + "; HttpOnly; SameSite=Strict" + (https ? "; Secure" : ""));
    }

    private static Optional<String> secret(HttpServerRequest request) {
        Cookie cookie = request.getCookie(cookie(request));
        return Optional.ofNullable(cookie).map(Cookie::getValue).filter(value -> !value.isEmpty());
    }

    private static String cookie(HttpServerRequest request) {
        return "fanfare_console_" + request.localAddress().port();
    }

    /** Takes as long whatever part of it is right. */
    private static boolean isToken(Secret token, String given) {
        return token.isSet()
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), token.reveal().getBytes(StandardCharsets.UTF_8));
    }
}

package io.fanfare.app.console;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.secret.Secret;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.SessionCookie;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Authenticates callers of the console by a token of {@code console.*}, or by a session that began with one. The
 * session is a cookie. No script can read it, and it counts only for requests of the console's own pages
 * ({@link SessionCookie} says how they are known). Browsers share cookies between ports, so the cookie's name contains
 * the port. A program sends the token itself, as {@code Authorization: Bearer}. One event loop.
 */
final class ConsoleAuthentication {
    private static final String BEARER = "Bearer ";
    private static final String COOKIE = "fanfare_console";

    private final Settings.Console settings;
    private final ClientAddress addresses;
    private final SessionCookie pages = new SessionCookie("");
    private final Sessions sessions;
    private final LoginThrottle throttle;
    private final ConsoleAudit audit;

    /** @param nanos elapsed time */
    ConsoleAuthentication(Settings settings, ConsoleAudit audit, SecureRandom random, LongSupplier nanos) {
        this.settings = settings.console();
        this.addresses = new ClientAddress(settings.http().trustedProxies());
        this.sessions = new Sessions(random, nanos);
        this.throttle = new LoginThrottle(nanos);
        this.audit = audit;
    }

    /** Whether anybody can come in. */
    boolean isOpen() {
        return settings.isOpen();
    }

    /** Whether a page of the console, or a program with a token, sends it: no page of another origin can. */
    boolean isOurs(HttpServerRequest request) {
        return bearer(request).isPresent() || pages.isOfOurPages(request);
    }

    /** The authenticated sender of the request; empty = none. Fails like {@link #role}. */
    Optional<Caller> caller(HttpServerRequest request) {
        Optional<String> token = bearer(request);
        if (token.isPresent()) {
            return role(request, token.get()).map(role -> new Caller(role, "token"));
        }
        return session(request, sessions::find);
    }

    /** The same for a look that does not count as use of the session. */
    Optional<Caller> idleCaller(HttpServerRequest request) {
        return bearer(request).isPresent() ? caller(request) : session(request, sessions::peek);
    }

    private Optional<Caller> session(HttpServerRequest request, Function<String, Optional<Caller>> find) {
        return pages.isOfOurPages(request) ? secret(request).flatMap(find) : Optional.empty();
    }

    /** The token that a program sends. Other schemes, such as a proxy's Basic, are not about the console. */
    private static Optional<String> bearer(HttpServerRequest request) {
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? Optional.of(authorization.substring(BEARER.length()))
                : Optional.empty();
    }

    /**
     * The role of a token; empty = it is none, which is logged. Throws a {@link Refusal} for a wrong one whose address
     * has to wait, and logs that too. A right one has its role whatever came before, or any stranger could keep
     * operators out.
     */
    Optional<Role> role(HttpServerRequest request, String token) {
        boolean operator = isToken(settings.operatorToken(), token);
        boolean viewer = isToken(settings.viewerToken(), token);
        if (operator || viewer) {
            return Optional.of(operator ? Role.OPERATOR : Role.VIEWER);
        }
        String address = addresses.of(request);
        long wait = throttle.waitSeconds(address);
        if (wait > 0) {
            audit.loginFailed(request, ConsoleAudit.Reason.RATE);
            throw Refusal.tooMany("Too many wrong tokens came from here: try again in " + wait + " s.", wait);
        }
        throttle.failed(address);
        audit.loginFailed(request, ConsoleAudit.Reason.WRONG_TOKEN);
        return Optional.empty();
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

    /** With the port that the browser has asked: through tunnels to several hosts it is the only one that differs. */
    private static String cookie(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        return authority == null || authority.port() < 0 ? COOKIE : COOKIE + "_" + authority.port();
    }

    /** Takes as long whatever part of it is right. */
    private static boolean isToken(Secret token, String given) {
        return token.isSet()
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), token.reveal().getBytes(StandardCharsets.UTF_8));
    }
}

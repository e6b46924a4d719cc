package io.fanfare.api.oauth;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.oauth.AuthorizationCodes.Approval;
import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The endpoint where an app sends its user to log in and approve (RFC 6749, 4.1, with PKCE, RFC 7636). Its form is
 * protected from forgery: it carries the digest of a cookie, which other sites can neither read nor make a browser
 * send. No session starts here: every approval asks for the password.
 *
 * <p>The same secret is set in two cookies. A submitted form is checked against the strict one, which no request that
 * another site has started carries. A page that another site has opened cannot see that cookie, and would draw a new
 * secret, which invalidates the form in another tab. The lax cookie only prevents this: it comes with such a page, but
 * not with a form from elsewhere.
 */
public final class AuthorizeRoutes {
    private static final String STRICT = "fanfare_form";
    private static final String LAX = "fanfare_form_tabs";
    static final String PATH = "/oauth/authorize";

    private static final int SECRET_BYTES = 32;
    private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9_-]{43}");

    private final String issuer;
    private final String seenPath;
    private final FormCookie strict;
    private final FormCookie lax;
    private final Apps apps;
    private final Logins logins;
    private final SecondFactors factors;
    private final LoginTickets tickets;
    private final AuthorizationCodes codes;
    private final InstantSource clock;
    private final SecureRandom random;
    private String resetLink = "";

    public AuthorizeRoutes(
            String publicUrl,
            Apps apps,
            Logins logins,
            SecondFactors factors,
            LoginTickets tickets,
            AuthorizationCodes codes,
            InstantSource clock,
            SecureRandom random) {
        this.issuer = publicUrl;
        // As the browser sees it, which a proxy may serve from below a path of its own.
        this.seenPath = URI.create(publicUrl).getRawPath() + PATH;
        boolean https = publicUrl.startsWith("https:");
        this.strict = FormCookie.of(STRICT, "Strict", https, seenPath);
        this.lax = FormCookie.of(LAX, "Lax", https, seenPath);
        this.apps = apps;
        this.logins = logins;
        this.factors = factors;
        this.tickets = tickets;
        this.codes = codes;
        this.clock = clock;
        this.random = random;
    }

    /** See {@link OauthFeature#offerPasswordReset}. */
    void offerPasswordReset(String path) {
        this.resetLink = seenPath.substring(0, seenPath.length() - PATH.length()) + path;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get(PATH, Access.OPEN, this::ask).despite(Switch.MEMBERS_ONLY),
                post(PATH, Access.OPEN, this::decide).hashing().despite(Switch.MEMBERS_ONLY, Switch.READ_ONLY));
    }

    private Future<Answer> ask(Call call) {
        return request(call).map(request -> form(call, request, "", "")).recover(AuthorizeRoutes::show);
    }

    private Future<Answer> decide(Call call) {
        return request(call).compose(request -> decide(call, request)).recover(AuthorizeRoutes::show);
    }

    private Future<Answer> decide(Call call, AuthorizeRequest request) {
        String name = call.parameters().text("username", "");
        if (!isOurForm(call)) {
            return again(call, request, name, "The form was too old: log in again, with cookies allowed.");
        }
        if (!call.parameters().text("decision", "").equals("approve")) {
            return Future.succeededFuture(denied(request));
        }
        String ticket = call.parameters().text("ticket", "");
        if (!ticket.isEmpty()) {
            return decideByCode(call, request, ticket);
        }
        return logins.check(
                        call.request(),
                        request.app().clientId(),
                        name,
                        call.parameters().text("password", ""))
                .compose(login -> !login.isPasswordRight()
                        ? again(call, request, name, "The user name or the password is wrong.")
                        : login.needsCode()
                                ? Future.succeededFuture(
                                        codeForm(call, request, tickets.issue(login, place(call, request)), ""))
                                : approve(call, request, login))
                .recover(cause -> Logins.isClosed(cause)
                        ? again(call, request, name, cause.getMessage())
                        : Future.failedFuture(cause));
    }

    /** The second step, of an account with a second factor. */
    private Future<Answer> decideByCode(Call call, AuthorizeRequest request, String ticket) {
        Optional<Login> login = tickets.read(ticket, place(call, request));
        if (login.isEmpty()) {
            return again(call, request, "", "The log-in took too long: log in again.");
        }
        return factors.complete(
                        call.request(),
                        request.app().clientId(),
                        login.get(),
                        call.parameters().text("code", ""))
                .compose(proven -> approve(call, request, proven), cause -> refuseCode(call, request, ticket, cause));
    }

    /** The form again, which says what was wrong; another failure is answered as everywhere. */
    private Future<Answer> refuseCode(Call call, AuthorizeRequest request, String ticket, Throwable cause) {
        if (Refusal.isFor(Refusal.Reason.INVALID, cause)) {
            String complaint = "The code is wrong, or it was used before.";
            return Future.succeededFuture(
                    codeForm(call, request, ticket, complaint).status(403));
        }
        if (Refusal.isFor(Refusal.Reason.TOO_MANY, cause)) {
            return Future.succeededFuture(
                    codeForm(call, request, ticket, cause.getMessage()).status(429));
        }
        return Refusal.isFor(Refusal.Reason.UNAUTHENTICATED, cause) || Logins.isClosed(cause)
                ? again(call, request, "", cause.getMessage())
                : Future.failedFuture(cause);
    }

    /** The place where a ticket of this form is good: the browser that has its cookie, for this app. */
    private String place(Call call, AuthorizeRequest request) {
        return Secrets.digest(call.request().getCookie(strict.name()).getValue()) + " "
                + request.app().clientId();
    }

    private Answer codeForm(Call call, AuthorizeRequest request, String ticket, String complaint) {
        String secret = secret(call);
        return AuthorizePage.codeForm(request, seenPath, Secrets.digest(secret), ticket, complaint)
                .header("Set-Cookie", strict.set(secret), lax.set(secret));
    }

    private Future<Answer> approve(Call call, AuthorizeRequest request, Login login) {
        Approval approval = new Approval(
                login, request.app().clientId(), request.redirectUri().text(), request.scopes(), request.challenge());
        return codes.issue(approval)
                .onSuccess(code -> logins.completed(call.request(), login, request.app(), /* byPage= */ true))
                .map(code -> isShown(request)
                        ? AuthorizePage.code(code)
                        : AuthorizePage.redirect(request.redirect("code", code, issuer)));
    }

    private Future<AuthorizeRequest> request(Call call) {
        return apps.find(call.parameters().text("client_id", ""))
                .map(app -> AuthorizeRequest.of(call.parameters(), app.orElse(null)));
    }

    private boolean isOurForm(Call call) {
        Cookie cookie = call.request().getCookie(strict.name());
        String token = call.parameters().text("form_token", "");
        return cookie != null && Secrets.matches(cookie.getValue(), token);
    }

    private Future<Answer> again(Call call, AuthorizeRequest request, String name, String complaint) {
        return Future.succeededFuture(form(call, request, name, complaint).status(403));
    }

    private Answer form(Call call, AuthorizeRequest request, String name, String complaint) {
        String secret = secret(call);
        return AuthorizePage.form(
                        request, clock.instant(), seenPath, resetLink, Secrets.digest(secret), name, complaint)
                .header("Set-Cookie", strict.set(secret), lax.set(secret));
    }

    /** That of the browser's other forms, which stay good, or a new one. */
    private String secret(Call call) {
        return Stream.of(strict.name(), lax.name())
                .map(call.request()::getCookie)
                .filter(cookie ->
                        cookie != null && SECRET.matcher(cookie.getValue()).matches())
                .map(Cookie::getValue)
                .findFirst()
                .orElseGet(() -> Secrets.draw(random, SECRET_BYTES));
    }

    /** The user has pressed the button, on our form, so the app may receive the answer. */
    private Answer denied(AuthorizeRequest request) {
        return isShown(request)
                ? AuthorizePage.problem("You have denied the access. The app receives no answer.")
                        .status(400)
                : AuthorizePage.redirect(request.redirect("error", "access_denied", issuer));
    }

    private static boolean isShown(AuthorizeRequest request) {
        return request.redirectUri().target() == RedirectUri.Target.PAGE;
    }

    /**
     * A cookie of the form. Where the server is reached by https its name has the prefix that makes browsers take it
     * from this host alone, over https alone: no other host of the same domain can set one. The prefix wants the path
     * to be that of the whole host.
     */
    private record FormCookie(String name, String attributes) {
        static FormCookie of(String name, String sameSite, boolean https, String path) {
            String common = "; HttpOnly; SameSite=" + sameSite;
            return https
                    ? new FormCookie("__Host-" + name, "; Path=/" + common + "; Secure")
                    : new FormCookie(name, "; Path=" + path + common);
        }

        String set(String value) {
            return name + "=" + value + attributes;
        }
    }

    private static Future<Answer> show(Throwable cause) {
        return Refusal.isFor(Refusal.Reason.MALFORMED, cause)
                ? Future.succeededFuture(
                        AuthorizePage.problem(cause.getMessage()).status(400))
                : Future.failedFuture(cause);
    }
}

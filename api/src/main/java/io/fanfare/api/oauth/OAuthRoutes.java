package io.fanfare.api.oauth;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.oauth.AuthorizationCodes.Approval;
import io.fanfare.api.oauth.AuthorizationCodes.Stolen;
import io.fanfare.common.auth.Device;
import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Scopes;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Reason;
import io.fanfare.server.http.AuditLog.Subject;
import io.fanfare.server.http.Authentication;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Client applications and their tokens (RFC 6749, 7009). Errors of {@code /oauth} have the codes of the RFC in
 * {@code error} and the sentence in {@code error_description}, which is what OAuth clients look at.
 */
public final class OAuthRoutes {
    private static final String CLIENT_CREDENTIALS = "client_credentials";
    private static final String PASSWORD = "password";
    private static final String AUTHORIZATION_CODE = "authorization_code";

    private final Settings.Auth settings;
    private final String ownOrigin;
    private final Apps apps;
    private final Tokens tokens;
    private final Logins logins;
    private final RateLimits rates;
    private final AuthorizationCodes codes;
    private final AuditLog audit;
    private final InstantSource clock;
    private final SecureRandom random;
    private final Supplier<String> vapidKey;

    /** @param vapidKey public key of Web Push; empty = push is not offered */
    public OAuthRoutes(
            Settings.Auth settings,
            String publicUrl,
            Apps apps,
            Tokens tokens,
            Logins logins,
            RateLimits rates,
            AuthorizationCodes codes,
            AuditLog audit,
            InstantSource clock,
            SecureRandom random,
            Supplier<String> vapidKey) {
        this.settings = settings;
        this.ownOrigin = origin(publicUrl);
        this.apps = apps;
        this.tokens = tokens;
        this.logins = logins;
        this.rates = rates;
        this.codes = codes;
        this.audit = audit;
        this.clock = clock;
        this.random = random;
        this.vapidKey = vapidKey;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/apps", Access.OPEN, this::register)
                        .within(RateLimit.APPS)
                        .despite(Switch.MEMBERS_ONLY, Switch.READ_ONLY),
                get("/api/v1/apps/verify_credentials", Access.ANY_TOKEN, this::verifyApp)
                        .despite(Switch.MEMBERS_ONLY),
                post("/oauth/token", Access.OPEN, this::giveToken)
                        .hashing()
                        .despite(Switch.MEMBERS_ONLY, Switch.READ_ONLY),
                post("/oauth/revoke", Access.OPEN, this::revoke).despite(Switch.MEMBERS_ONLY, Switch.READ_ONLY));
    }

    /** The Mastodon entity Token. */
    public static Answer token(Tokens.Issued issued) {
        return Answer.json(json -> {
            json.writeStartObject();
            json.writeStringField("access_token", issued.token());
            json.writeStringField("token_type", "Bearer");
            json.writeStringField("scope", String.join(" ", new TreeSet<>(issued.scopes())));
            json.writeNumberField("created_at", issued.at().getEpochSecond());
            json.writeEndObject();
        });
    }

    private Future<Answer> register(Call call) {
        NewApp newApp = NewApp.of(call.parameters());
        String secret = Secrets.draw(random, 32);
        App app = new App(
                Secrets.draw(random, 32),
                Secrets.digest(secret),
                newApp.name(),
                newApp.website(),
                newApp.redirectUris(),
                newApp.scopes(),
                clock.instant().getEpochSecond());
        return apps.add(app)
                .onSuccess(added -> audit.note(call.request(), Event.APP_REGISTERED, Subject.app(app.clientId())))
                .map(Answer.json(json -> {
                    json.writeStartObject();
                    appFields(json, app);
                    json.writeStringField("client_id", app.clientId());
                    json.writeStringField("client_secret", secret);
                    json.writeNumberField("client_secret_expires_at", 0);
                    json.writeEndObject();
                }));
    }

    private Future<Answer> verifyApp(Call call) {
        return apps.find(call.principal().clientId())
                .map(app -> Answer.json(json -> {
                    json.writeStartObject();
                    appFields(json, app.orElseThrow(Refusal::unknown));
                    json.writeEndObject();
                }));
    }

    private Future<Answer> giveToken(Call call) {
        String type = call.parameters().text("grant_type", "");
        if (type.isEmpty()) {
            return denied(400, "invalid_request", "The parameter grant_type is missing.");
        }
        if (type.equals(PASSWORD)) {
            // No page of another web site reads what comes of a password, a refusal or an error included.
            call.request()
                    .response()
                    .headers()
                    .remove(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)
                    .remove(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS);
        }
        if (!isOffered(type)) {
            return denied(
                    400,
                    "unsupported_grant_type",
                    "The grant type is not offered here: use authorization_code, client_credentials or, where the server allows it, password.");
        }
        Client client = Client.of(call);
        if (!client.isNamed()) {
            return denied(
                    400,
                    "invalid_request",
                    "The parameter client_id is missing: register the client with POST /api/v1/apps.");
        }
        return apps.find(client.id()).compose(found -> {
            Optional<App> app = found.filter(known -> Secrets.matches(client.secret(), known.secretDigest()));
            return app.isPresent() ? grant(call, app.get()) : Future.succeededFuture(invalidClient(call, found));
        });
    }

    private boolean isOffered(String grantType) {
        return grantType.equals(CLIENT_CREDENTIALS)
                || grantType.equals(AUTHORIZATION_CODE)
                || (grantType.equals(PASSWORD) && settings.passwordGrant());
    }

    private Future<Answer> grant(Call call, App app) {
        if (call.parameters().text("grant_type", "").equals(AUTHORIZATION_CODE)) {
            return byCode(call, app);
        }
        Set<String> scopes = Scopes.requested(call.parameters().text("scope", Scopes.DEFAULT));
        if (!Scopes.known(scopes) || !Scopes.within(scopes, app.scopes())) {
            audit.note(call.request(), Event.SCOPE_REFUSED, Reason.BEYOND_APP, Subject.app(app.clientId()));
            return denied(
                    400,
                    "invalid_scope",
                    "The scope is unknown or goes beyond what the app was registered with: ask for less.");
        }
        boolean byPassword = call.parameters().text("grant_type", "").equals(PASSWORD);
        return byPassword ? byPassword(call, app, scopes) : forApp(call, app, scopes);
    }

    /**
     * A code works once, for the app that it was given to, at the address that it was sent to; whatever else its app
     * sends with it, it is used up.
     */
    private Future<Answer> byCode(Call call, App app) {
        String code = call.parameters().text("code", "");
        String tokenId = tokens.drawId();
        return codes.redeem(code, tokenId, app.clientId())
                .compose(redeemed -> redeemed.stolen().isPresent()
                        ? end(call, app, redeemed.stolen().get())
                        : exchange(call, app, tokenId, redeemed.approval()))
                .map(issued -> issued.map(OAuthRoutes::token).orElseGet(OAuthRoutes::invalidCode));
    }

    private Future<Optional<Tokens.Issued>> exchange(Call call, App app, String tokenId, Optional<Approval> found) {
        String redirectUri = call.parameters().text("redirect_uri", "");
        String verifier = call.parameters().text("code_verifier", "");
        Optional<Approval> approval =
                found.filter(one -> one.redirectUri().equals(redirectUri) && one.isProvenBy(verifier));
        if (approval.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        Login login = approval.get().login();
        Stolen named = new Stolen(login.userId(), tokenId);
        Set<String> scopes = approval.get().scopes();
        return apps.keep(app.clientId())
                .compose(
                        kept -> tokens.issue(tokenId, login, app.clientId(), app.application(), scopes, Device.UNKNOWN))
                .compose(issued -> endIfReplayed(call, app, named, issued))
                .onSuccess(issued -> note(call, Reason.CODE_GRANT, login.userId(), app, issued));
    }

    /** Revokes the new token if the code was replayed before it was issued: that replay found no token to revoke. */
    private Future<Optional<Tokens.Issued>> endIfReplayed(
            Call call, App app, Stolen named, Optional<Tokens.Issued> issued) {
        return codes.isReplayed(call.parameters().text("code", ""))
                .compose(again -> again ? end(call, app, named) : Future.succeededFuture(issued));
    }

    private Future<Optional<Tokens.Issued>> end(Call call, App app, Stolen stolen) {
        audit.note(call.request(), Event.CODE_REPLAYED, new Subject(stolen.userId(), stolen.tokenId(), app.clientId()));
        return tokens.revoke(stolen.userId(), stolen.tokenId()).map(Optional.empty());
    }

    private Future<Answer> byPassword(Call call, App app, Set<String> scopes) {
        String name = call.parameters().text("username", "");
        String password = call.parameters().text("password", "");
        if (isOfForeignPage(call)) {
            audit.note(call.request(), Event.LOGIN_REFUSED, Reason.FOREIGN_ORIGIN, Subject.app(app.clientId()));
            return denied(
                    403,
                    "unauthorized_client",
                    "The password grant is not for web pages of other sites: send the user to /oauth/authorize.");
        }
        return rates.takeOfApp(call.request(), app.clientId(), RateLimit.LOGINS_PER_APP)
                .onFailure(cause -> logins.refused(call.request(), Subject.app(app.clientId()), cause))
                .compose(passed -> logins.check(call.request(), app.clientId(), name, password))
                .compose(login -> login.needsCode()
                        ? refuseForFactor(call, app, login)
                        : byPassword(call, app, scopes, login)
                                .map(issued -> issued.map(OAuthRoutes::token).orElseGet(OAuthRoutes::wrongPassword)))
                // RFC 6749, 5.2 has no status 403 for it.
                .recover(cause -> Logins.isClosed(cause)
                        ? denied(400, "invalid_grant", cause.getMessage())
                        : Future.failedFuture(cause));
    }

    private Future<Optional<Tokens.Issued>> byPassword(Call call, App app, Set<String> scopes, Login login) {
        return login.isGood()
                ? apps.keep(app.clientId())
                        .compose(kept -> tokens.issue(login, app.clientId(), app.application(), scopes))
                        .onSuccess(issued -> {
                            note(call, Reason.PASSWORD_GRANT, login.userId(), app, issued);
                            issued.ifPresent(
                                    token -> logins.completed(call.request(), login, app, /* byPage= */ false));
                        })
                : Future.succeededFuture(Optional.empty());
    }

    private Future<Answer> refuseForFactor(Call call, App app, Login login) {
        Subject subject = new Subject(login.userId(), "", app.clientId());
        audit.note(call.request(), Event.LOGIN_REFUSED, Reason.SECOND_FACTOR, subject);
        return denied(
                400,
                "unauthorized_client",
                "This account has a second factor, which the password grant cannot check: send the user to /oauth/authorize (grant_type authorization_code).");
    }

    /** Browsers say where a page comes from with every POST of its scripts and forms; other programs say nothing. */
    private boolean isOfForeignPage(Call call) {
        String origin = call.request().getHeader(HttpHeaders.ORIGIN);
        return origin != null && !origin.equalsIgnoreCase(ownOrigin);
    }

    /** As browsers write it: without the port that the scheme has by itself. */
    private static String origin(String publicUrl) {
        URI url = URI.create(publicUrl);
        String authority = url.getRawAuthority();
        String usual = url.getScheme().equals("https") ? ":443" : ":80";
        boolean ends = authority.endsWith(usual);
        return url.getScheme() + "://"
                + (ends ? authority.substring(0, authority.length() - usual.length()) : authority);
    }

    private Future<Answer> forApp(Call call, App app, Set<String> scopes) {
        return tokens.issue(0, app.clientId(), app.application(), scopes)
                .compose(issued -> apps.extend(app.clientId()).map(issued))
                .onSuccess(issued -> note(call, Reason.CLIENT_GRANT, 0, app, Optional.of(issued)))
                .map(OAuthRoutes::token);
    }

    private void note(Call call, Reason how, long user, App app, Optional<Tokens.Issued> issued) {
        issued.ifPresent(token -> audit.note(
                call.request(), Event.TOKEN_ISSUED, how, new Subject(user, token.tokenId(), app.clientId())));
    }

    private Future<Answer> revoke(Call call) {
        Client client = Client.of(call);
        String token = call.parameters().text("token", "");
        return tokens.verify(token)
                .compose(
                        principal -> revoke(call, principal, client),
                        // RFC 7009, 2.2: what is no token any more counts as revoked. An outage does not, nor does a
                        // suspension, after which the token is good again.
                        cause -> Refusal.isFor(Refusal.Reason.UNAUTHENTICATED, cause)
                                ? Future.succeededFuture(Answer.EMPTY_OBJECT)
                                : Future.failedFuture(cause));
    }

    private Future<Answer> revoke(Call call, Principal principal, Client client) {
        if (principal.clientId().isEmpty() && !client.isNamed()) {
            // The token of a sign-up without an app: its holder may end it, and no app may.
            return end(call, principal);
        }
        return apps.find(client.id()).compose(app -> {
            boolean owner = client.id().equals(principal.clientId())
                    && app.isPresent()
                    && Secrets.matches(client.secret(), app.get().secretDigest());
            return owner
                    ? end(call, principal)
                    : denied(403, "unauthorized_client", "You are not authorized to revoke this token.");
        });
    }

    private Future<Answer> end(Call call, Principal principal) {
        return tokens.revoke(principal)
                .onSuccess(done -> audit.note(call.request(), Event.TOKEN_REVOKED, Subject.of(principal)))
                .map(Answer.EMPTY_OBJECT);
    }

    /**
     * How a client says who it is: in the body, or as RFC 6749, 2.3.1 prefers, by HTTP Basic.
     *
     * @param isNamed whether it tried to say it at all
     */
    private record Client(String id, String secret, boolean isNamed) {
        static Client of(Call call) {
            if (saysBasic(call)) {
                String pair = Authentication.basic(call.request());
                int colon = pair.indexOf(':');
                return colon < 0
                        ? new Client("", "", true)
                        : new Client(pair.substring(0, colon), pair.substring(colon + 1), true);
            }
            String id = call.parameters().text("client_id", "");
            return new Client(id, call.parameters().text("client_secret", ""), !id.isEmpty());
        }

        static boolean saysBasic(Call call) {
            return Authentication.saysBasic(call.request());
        }

        @Override
        public String toString() {
            return "Client[" + id + "]";
        }
    }

    private void appFields(JsonGenerator json, App app) throws IOException {
        json.writeStringField("id", app.clientId());
        json.writeStringField("name", app.name());
        json.writeStringField("website", app.website());
        array(json, "scopes", new TreeSet<>(app.scopes()));
        json.writeStringField("redirect_uri", String.join("\n", app.redirectUris()));
        array(json, "redirect_uris", app.redirectUris());
        json.writeStringField("vapid_key", vapidKey.get());
    }

    private static void array(JsonGenerator json, String name, Iterable<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    /** Only a client that came with Basic is told of it: browsers ask their users for a password when they hear it. */
    private Answer invalidClient(Call call, Optional<App> known) {
        Subject subject = known.map(app -> Subject.app(app.clientId())).orElse(Subject.NOBODY);
        audit.note(
                call.request(),
                Event.CLIENT_REFUSED,
                known.isPresent() ? Reason.WRONG_SECRET : Reason.UNKNOWN_CLIENT,
                subject);
        Answer answer = problem(
                401,
                "invalid_client",
                "The client is unknown or its secret is wrong: register it with POST /api/v1/apps.");
        return Client.saysBasic(call) ? answer.header("WWW-Authenticate", "Basic realm=\"Fanfare\"") : answer;
    }

    private static Answer invalidCode() {
        return problem(
                400,
                "invalid_grant",
                "The code is unknown, used or older than ten minutes or than the password, or redirect_uri or code_verifier is not that of its request: begin again at /oauth/authorize.");
    }

    private static Answer wrongPassword() {
        return problem(400, "invalid_grant", "The user name or the password is wrong.");
    }

    private static Future<Answer> denied(int status, String error, String description) {
        return Future.succeededFuture(problem(status, error, description));
    }

    private static Answer problem(int status, String error, String description) {
        return Answer.json(json -> {
                    json.writeStartObject();
                    json.writeStringField("error", error);
                    json.writeStringField("error_description", description);
                    json.writeEndObject();
                })
                .status(status);
    }
}

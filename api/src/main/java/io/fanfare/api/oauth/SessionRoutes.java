package io.fanfare.api.oauth;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.common.auth.Device;
import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Accounts.OwnFields;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.common.view.RoleJson;
import io.fanfare.common.view.Views;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Reason;
import io.fanfare.server.http.AuditLog.Subject;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.SessionCookie;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Logging in to our own pages: the access token goes into a cookie and never into an answer, so that no script sees it.
 * Other pages are refused.
 */
public final class SessionRoutes {
    /** An account with a role moderates in the web client; its role is checked at each request. */
    private static final Set<String> SCOPES = Stream.concat(
                    SignUps.SCOPES.stream(), Stream.of("admin:read", "admin:write"))
            .collect(Collectors.toUnmodifiableSet());

    private static final String SET_COOKIE = "Set-Cookie";

    /** For somebody whose account waits for approval: there is no session until then. */
    private static final Answer APPLIED = waits("pending");

    /** For somebody whose address has to be confirmed first. */
    private static final Answer UNCONFIRMED = waits("unconfirmed");

    private static Answer waits(String reason) {
        return Answer.json(json -> {
            json.writeStartObject();
            json.writeNullField("account");
            json.writeBooleanField(reason, true);
            json.writeEndObject();
        });
    }

    /** The place where the tickets of these pages are good: their cookie, which only the browser has. */
    private static final String TICKET_PLACE = "session";

    private final SessionCookie sessions;
    private final Logins logins;
    private final SecondFactors factors;
    private final LoginTickets tickets;
    private final SignUps signUps;
    private final MemoryPressure pressure;
    private final Tokens tokens;
    private final Accounts accounts;
    private final AuditLog audit;
    private final ClientAddress addresses;
    private final Views views;
    private boolean offersReset;

    public SessionRoutes(
            SessionCookie sessions,
            Logins logins,
            SecondFactors factors,
            LoginTickets tickets,
            SignUps signUps,
            MemoryPressure pressure,
            Tokens tokens,
            Accounts accounts,
            AuditLog audit,
            ClientAddress addresses,
            Views views) {
        this.sessions = sessions;
        this.logins = logins;
        this.factors = factors;
        this.tickets = tickets;
        this.signUps = signUps;
        this.pressure = pressure;
        this.tokens = tokens;
        this.accounts = accounts;
        this.audit = audit;
        this.addresses = addresses;
        this.views = views;
    }

    /** See {@link OauthFeature#offerPasswordReset}. */
    void offerPasswordReset() {
        offersReset = true;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/session", Access.OPEN, this::show).despite(Switch.MEMBERS_ONLY),
                post("/api/v1/session", Access.OPEN, this::logIn)
                        .hashing()
                        .despite(Switch.MEMBERS_ONLY, Switch.READ_ONLY),
                post("/api/v1/session/code", Access.OPEN, this::logInByCode)
                        .despite(Switch.MEMBERS_ONLY, Switch.READ_ONLY),
                delete("/api/v1/session", Access.OPEN, this::logOut).despite(Switch.MEMBERS_ONLY, Switch.READ_ONLY),
                post("/api/v1/session/sign_up", Access.OPEN, this::signUp)
                        .hashing()
                        .despite(Switch.MEMBERS_ONLY));
    }

    /**
     * Nobody is not an error here: a page asks before it knows. The cookie stays: another tab may have set a fresh one
     * meanwhile, and that of a suspended account will be good again.
     */
    private Future<Answer> show(Call call) {
        hideFromOtherSites(call);
        return principal(call)
                .compose(who -> who == null ? Future.succeededFuture(nobody()) : account(who.userId(), who.scopes()));
    }

    /** Null for nobody, for an app, and for a token that has ended. An outage is nobody's verdict. */
    private Future<Principal> principal(Call call) {
        String token = sessions.token(call.request());
        if (token == null) {
            return Future.succeededFuture();
        }
        return tokens.verify(token)
                .map(who -> who.userId() == 0 ? null : who)
                .recover(cause -> cause instanceof Refusal ? Future.succeededFuture() : Future.failedFuture(cause));
    }

    private Future<Answer> logIn(Call call) {
        requireOurPage(call);
        String name = call.parameters().text("username", "");
        return logins.check(call.request(), "", name, call.parameters().text("password", ""))
                .compose(login -> {
                    if (!login.isPasswordRight()) {
                        throw wrongPassword();
                    }
                    return login.needsCode() ? Future.succeededFuture(askCode(login)) : begin(call, login);
                });
    }

    /** No session begins before the code: the browser keeps a ticket, which opens nothing, in a cookie. */
    private Answer askCode(Login login) {
        return Answer.json(json -> {
                    json.writeStartObject();
                    json.writeNullField("account");
                    json.writeBooleanField("needs_code", true);
                    json.writeEndObject();
                })
                .header(SET_COOKIE, sessions.ofTicket(tickets.issue(login, TICKET_PLACE), LoginTickets.LIFE));
    }

    private Future<Answer> logInByCode(Call call) {
        requireOurPage(call);
        Login login = Optional.ofNullable(sessions.ticket(call.request()))
                .flatMap(ticket -> tickets.read(ticket, TICKET_PLACE))
                .orElseThrow(SessionRoutes::oldTicket);
        return factors.complete(call.request(), "", login, call.parameters().text("code", ""))
                .compose(proven -> begin(call, proven, sessions.noTicket()));
    }

    private static Refusal oldTicket() {
        return new Refusal(Refusal.Reason.UNAUTHENTICATED, "The log-in took too long: log in with the password again.");
    }

    private Future<Answer> begin(Call call, Login login, String... cookies) {
        return endSession(call)
                .compose(ended -> tokens.issue(login, device(call), SCOPES))
                .map(issued -> issued.orElseThrow(SessionRoutes::wrongPassword))
                .onSuccess(issued -> {
                    Subject subject = new Subject(login.userId(), issued.tokenId(), "");
                    audit.note(call.request(), Event.TOKEN_ISSUED, Reason.SESSION, subject);
                    logins.completed(call.request(), login, /* app= */ null, /* byPage= */ true);
                })
                .compose(issued -> tokens.verify(issued.token())
                        .compose(who -> begin(login.userId(), SCOPES, issued, cookies), cause -> tokens.discard(issued)
                                .compose(gone -> Future.failedFuture(cause))));
    }

    private static Refusal wrongPassword() {
        return new Refusal(Refusal.Reason.UNAUTHENTICATED, "The user name or the password is wrong.");
    }

    private Future<Answer> signUp(Call call) {
        pressure.checkAll();
        requireOurPage(call);
        return signUps.signUp(call, null).compose(issued -> endSession(call)
                .compose(ended -> tokens.verify(issued.token()))
                .compose(who -> begin(who.userId(), who.scopes(), issued), cause -> waiting(issued, cause)));
    }

    /** No session begins with a token that is not good yet. */
    private Future<Answer> waiting(Tokens.Issued issued, Throwable cause) {
        boolean applied = Refusal.isFor(Refusal.Reason.PENDING, cause);
        return applied || Refusal.isFor(Refusal.Reason.UNCONFIRMED, cause)
                ? tokens.discard(issued).map(applied ? APPLIED : UNCONFIRMED)
                : Future.failedFuture(cause);
    }

    private Device device(Call call) {
        return Device.of(call.request().getHeader(HttpHeaders.USER_AGENT), addresses.shownNetwork(call.request()));
    }

    /** @param cookies that are set beside that of the session */
    private Future<Answer> begin(long userId, Set<String> scopes, Tokens.Issued issued, String... cookies) {
        String[] all = Stream.concat(Stream.of(sessions.of(issued.token())), Stream.of(cookies))
                .toArray(String[]::new);
        return account(userId, scopes).map(answer -> answer.header(SET_COOKIE, all));
    }

    private Future<Answer> logOut(Call call) {
        requireOurPage(call);
        return endSession(call).map(done -> nobody().header(SET_COOKIE, sessions.none()));
    }

    /**
     * Ends the session of the cookie, if there is one. A new session ends the one whose cookie it replaces, since
     * nobody could end that any more, nor what it has subscribed to.
     */
    private Future<Void> endSession(Call call) {
        return principal(call)
                .compose(who -> who == null
                        ? Future.succeededFuture()
                        : tokens.revoke(who)
                                .onSuccess(done -> audit.note(call.request(), Event.TOKEN_REVOKED, Subject.of(who))));
    }

    private void requireOurPage(Call call) {
        hideFromOtherSites(call);
        if (!sessions.isOfOurPages(call.request())) {
            throw new Refusal(
                    Refusal.Reason.FORBIDDEN,
                    "Sessions are for the pages of this server: other programs take a token, POST /oauth/token.");
        }
    }

    private static void hideFromOtherSites(Call call) {
        call.request()
                .response()
                .headers()
                .remove(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)
                .remove(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS);
    }

    /** With the role of the account, in a session that may use it. */
    private Future<Answer> account(long userId, Set<String> scopes) {
        Future<Account> account = accounts.require(userId);
        Future<OwnFields> own = scopes.containsAll(SCOPES)
                ? accounts.ownFields(userId)
                : Future.succeededFuture(new OwnFields(List.of(), Role.USER, /* hasFactor= */ true));
        return Future.all(account, own)
                .map(read -> Answer.json(json -> {
                    json.writeStartObject();
                    json.writeFieldName("account");
                    views.accounts().write(json, account.result());
                    json.writeBooleanField("password_reset", offersReset);
                    json.writeFieldName("role");
                    RoleJson.write(json, own.result().role());
                    if (!own.result().hasFactor()
                            && factors.isRequired(own.result().role())) {
                        json.writeBooleanField("needs_factor", true);
                    }
                    json.writeEndObject();
                }));
    }

    private Answer nobody() {
        return Answer.json(json -> {
            json.writeStartObject();
            json.writeNullField("account");
            json.writeBooleanField("password_reset", offersReset);
            json.writeEndObject();
        });
    }
}

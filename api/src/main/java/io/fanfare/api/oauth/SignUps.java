package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.common.auth.Device;
import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Reason;
import io.fanfare.server.http.AuditLog.Subject;
import io.fanfare.server.http.ClientAddress;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes an account and its first token, for apps and for our own pages. Confined to one event loop. */
public final class SignUps {
    private static final Logger LOG = LoggerFactory.getLogger(SignUps.class);

    /** The scopes of a token that no app requests: everything that users do. */
    public static final Set<String> SCOPES = Set.of("read", "write", "follow", "push");

    /** For people, also in the documents of the server. */
    public static final String CLOSED = "Registrations are closed on this server.";

    private final KnownSignUps known;
    private final ReservedNames reserved;
    private final Accounts accounts;
    private final Apps apps;
    private final Tokens tokens;
    private final Logins logins;
    private final PasswordRules passwordRules;
    private final RateLimits rates;
    private final AuditLog audit;
    private final ClientAddress addresses;
    private final SignUpNetworks networks;
    private Listener listener = (request, account) -> {};

    /** A step after each sign-up, which no answer waits for. */
    @FunctionalInterface
    public interface Listener {
        void signedUp(HttpServerRequest request, long account);
    }

    /** The one listener of this event loop. */
    public void listen(Listener other) {
        this.listener = other;
    }

    public SignUps(
            KnownSignUps known,
            ReservedNames reserved,
            Accounts accounts,
            Apps apps,
            Tokens tokens,
            Logins logins,
            PasswordRules passwordRules,
            RateLimits rates,
            AuditLog audit,
            ClientAddress addresses,
            SignUpNetworks networks) {
        this.known = known;
        this.reserved = reserved;
        this.accounts = accounts;
        this.apps = apps;
        this.tokens = tokens;
        this.logins = logins;
        this.passwordRules = passwordRules;
        this.rates = rates;
        this.audit = audit;
        this.addresses = addresses;
        this.networks = networks;
    }

    /**
     * Refused when a field is not acceptable, the name or address is taken, or registrations are closed. With an
     * Idempotency-Key the same request, password included, answers the same account within an hour, each time with a
     * token of its own: tokens are not stored, so the first one cannot be answered again.
     *
     * @param app null = no app asks
     */
    public Future<Tokens.Issued> signUp(Call call, Principal app) {
        String key = call.idempotencyKey();
        return known.areOpen().compose(open -> {
            if (!open && key == null) {
                throw closed();
            }
            return signUp(call, app, key, open);
        });
    }

    /** @param open false: only a sign-up that was made before is answered */
    private Future<Tokens.Issued> signUp(Call call, Principal app, String key, boolean open) {
        Requested requested = Requested.of(SignUp.of(call.parameters(), passwordRules), app, call.request());
        if (key == null) {
            return first(call.request(), requested, null, open);
        }
        IdempotentRequest once = requested.once(key);
        return accounts.signedUp(requested.who().username(), once)
                .compose(earlier -> earlier.isPresent()
                        ? again(call.request(), requested, earlier.get())
                        : first(call.request(), requested, once, open)
                                .recover(cause -> afterAnother(call.request(), requested, once, cause)));
    }

    /** A sign-up as it is requested, and its app. */
    private record Requested(SignUp who, String clientId, Application application, Set<String> scopes, Device device) {
        static Requested of(SignUp who, Principal app, HttpServerRequest request) {
            return app == null
                    ? new Requested(who, "", null, SCOPES, Device.of(request.getHeader(HttpHeaders.USER_AGENT)))
                    : new Requested(who, app.clientId(), app.application(), app.scopes(), Device.UNKNOWN);
        }

        /** The password is no part of what is stored of a request: that of the account is what it is compared with. */
        IdempotentRequest once(String key) {
            return IdempotentRequest.of(
                    key, who.username(), who.email(), clientId, String.join(" ", new TreeSet<>(scopes)));
        }
    }

    private static Refusal closed() {
        return new Refusal(Refusal.Reason.FORBIDDEN, CLOSED);
    }

    /** @param once null = without an Idempotency-Key */
    private Future<Tokens.Issued> first(
            HttpServerRequest request, Requested requested, IdempotentRequest once, boolean open) {
        SignUp who = requested.who();
        reserved.check(who.username());
        if (!open) {
            throw closed();
        }
        return rates.take(request, null, RateLimit.SIGN_UPS)
                .compose(passed -> logins.hash(request, who.password(), /* known= */ false))
                .compose(hash -> accounts.signUp(who.username(), who.email(), hash, once))
                .compose(account -> issue(requested, new Login(account.id(), 0))
                        // An operator may have been that fast.
                        .map(issued -> issued.orElseThrow(Tokens::suspended))
                        .onSuccess(issued -> {
                            Subject subject = new Subject(account.id(), issued.tokenId(), requested.clientId());
                            audit.note(request, Event.SIGNED_UP, subject);
                            audit.note(request, Event.TOKEN_ISSUED, Reason.SIGN_UP, subject);
                            listener.signedUp(request, account.id());
                        })
                        .compose(issued -> noteNetwork(request, account).map(issued)));
    }

    /** Never fails: a sign-up does not depend on it. */
    private Future<Void> noteNetwork(HttpServerRequest request, Account account) {
        return networks.note(account.id(), addresses.of(request))
                .onFailure(cause -> LOG.debug("network of a sign-up not noted cause={}", cause.toString()))
                .otherwiseEmpty();
    }

    /** The name was free before the password was hashed, and may have been taken by the same request since. */
    private Future<Tokens.Issued> afterAnother(
            HttpServerRequest request, Requested requested, IdempotentRequest once, Throwable cause) {
        if (!Refusal.isFor(Refusal.Reason.INVALID, cause)) {
            return Future.failedFuture(cause);
        }
        return accounts.signedUp(requested.who().username(), once)
                .compose(earlier ->
                        earlier.isPresent() ? again(request, requested, earlier.get()) : Future.failedFuture(cause));
    }

    /** A log-in, and counted like one: the key alone, which is no secret, opens nothing. */
    private Future<Tokens.Issued> again(HttpServerRequest request, Requested requested, long account) {
        return logins.check(
                        request, requested.clientId(), account, requested.who().password())
                .compose(login -> login.isGood() ? issue(requested, login) : Future.succeededFuture(Optional.empty()))
                .map(issued -> issued.orElseThrow(SignUps::otherPassword))
                .onSuccess(issued -> audit.note(
                        request,
                        Event.TOKEN_ISSUED,
                        Reason.SIGN_UP,
                        new Subject(account, issued.tokenId(), requested.clientId())));
    }

    private static Refusal otherPassword() {
        return new Refusal(
                Refusal.Reason.INVALID,
                "This Idempotency-Key was used for a sign-up with this user name and another password within the last hour: log in, or use a new one.");
    }

    private Future<Optional<Tokens.Issued>> issue(Requested requested, Login login) {
        return apps.keep(requested.clientId())
                .compose(kept -> tokens.issue(
                        tokens.drawId(),
                        login,
                        requested.clientId(),
                        requested.application(),
                        requested.scopes(),
                        requested.device()));
    }
}

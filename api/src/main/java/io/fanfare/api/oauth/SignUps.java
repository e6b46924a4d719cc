package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.request.SignUp;
import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Passwords;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.http.AuditLog;
import io.fanfare.common.http.AuditLog.Event;
import io.fanfare.common.http.AuditLog.Reason;
import io.fanfare.common.http.AuditLog.Subject;
import io.fanfare.common.http.Parameters;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Apps;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;

/** Makes an account and its first token, for apps and for our own pages. Confined to one event loop. */
public final class SignUps {
    /** Of a token that no app asks for: everything that users do. */
    public static final Set<String> SCOPES = Set.of("read", "write", "follow", "push");

    private final Settings.Auth settings;
    private final Accounts accounts;
    private final Apps apps;
    private final Tokens tokens;
    private final Passwords passwords;
    private final RateLimits rates;
    private final AuditLog audit;

    public SignUps(
            Settings.Auth settings,
            Accounts accounts,
            Apps apps,
            Tokens tokens,
            Passwords passwords,
            RateLimits rates,
            AuditLog audit) {
        this.settings = settings;
        this.accounts = accounts;
        this.apps = apps;
        this.tokens = tokens;
        this.passwords = passwords;
        this.rates = rates;
        this.audit = audit;
    }

    /**
     * Refused when a field is not acceptable, the name or address is taken, or registrations are closed.
     *
     * @param app null = no app asks
     */
    public Future<Tokens.Issued> signUp(HttpServerRequest request, Parameters parameters, Principal app) {
        if (!settings.registrations()) {
            throw new Refusal(Refusal.Reason.FORBIDDEN, "Registrations are closed on this server.");
        }
        SignUp asked = SignUp.of(parameters);
        String clientId = app == null ? "" : app.clientId();
        Application application = app == null ? null : app.application();
        Set<String> scopes = app == null ? SCOPES : app.scopes();
        return rates.take(request, null, RateLimit.SIGN_UPS)
                .compose(passed -> passwords.hash(asked.password(), Logins.caller(request, /* known= */ false)))
                .compose(hash -> accounts.signUp(asked.username(), asked.email(), hash))
                .compose(account -> apps.keep(clientId)
                        .compose(kept -> tokens.issue(new Login(account.id(), 0), clientId, application, scopes))
                        // An operator may have been that fast.
                        .map(issued -> issued.orElseThrow(Tokens::suspended))
                        .onSuccess(issued -> note(request, new Subject(account.id(), issued.tokenId(), clientId))));
    }

    private void note(HttpServerRequest request, Subject subject) {
        audit.note(request, Event.SIGNED_UP, subject);
        audit.note(request, Event.TOKEN_ISSUED, Reason.SIGN_UP, subject);
    }
}

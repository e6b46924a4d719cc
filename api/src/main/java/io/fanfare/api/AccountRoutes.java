package io.fanfare.api;

import static io.fanfare.api.Endpoint.get;
import static io.fanfare.api.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.auth.Passwords;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Accounts: sign-up, and what is known of one. */
final class AccountRoutes {
    private static final Set<String> SIGN_UP_SCOPES = Set.of("read", "write", "follow", "push");

    private final Settings settings;
    private final Pointers pointers;
    private final Accounts accounts;
    private final Tokens tokens;
    private final Passwords passwords;
    private final RateLimits rates;
    private final Views views;

    AccountRoutes(
            Settings settings,
            String publicUrl,
            Accounts accounts,
            Tokens tokens,
            Passwords passwords,
            RateLimits rates,
            Views views) {
        this.settings = settings;
        this.pointers = new Pointers(publicUrl);
        this.accounts = accounts;
        this.tokens = tokens;
        this.passwords = passwords;
        this.rates = rates;
        this.views = views;
    }

    /** Fixed paths stand before {@code :id}, which would match them as well. */
    List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/accounts", Access.viewer("write:accounts"), this::signUp),
                get("/api/v1/accounts/verify_credentials", Access.user("read:accounts"), this::verifyCredentials),
                get("/api/v1/accounts/lookup", Access.viewer("read:accounts"), this::lookup),
                get("/api/v1/accounts/:id", Access.viewer("read:accounts"), this::show));
    }

    private Future<Answer> signUp(Call call) {
        if (!settings.auth().registrations()) {
            throw new Refusal(Refusal.Reason.FORBIDDEN, "Registrations are closed on this server.");
        }
        SignUp asked = SignUp.of(call.parameters());
        boolean byApp = call.principal() != null;
        String clientId = byApp ? call.principal().clientId() : "";
        String clientName = byApp ? call.principal().clientName() : "";
        Set<String> scopes = byApp ? call.principal().scopes() : SIGN_UP_SCOPES;
        return rates.take(call.request(), null, Limit.SIGN_UPS)
                .compose(passed -> passwords.hash(asked.password()))
                .compose(hash -> accounts.signUp(asked.username(), asked.email(), hash))
                .compose(account -> tokens.issue(account.id(), clientId, clientName, scopes))
                .map(OAuthRoutes::token);
    }

    private Future<Answer> verifyCredentials(Call call) {
        return find(call.viewer()).map(account -> Answer.json(json -> credentials(json, account)));
    }

    private Future<Answer> show(Call call) {
        return find(call.id()).map(this::answer);
    }

    /** {@code acct} as {@code name}, {@code @name}, {@code name@this.host} or {@code name@this.host:port}; there are no others here. */
    private Future<Answer> lookup(Call call) {
        String acct = call.parameters().text("acct", "").strip();
        if (acct.isEmpty()) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED, "The parameter acct is missing: send the user name to look up.");
        }
        return accounts.idByUsername(pointers.username(acct).orElseThrow(Refusal::unknown))
                .compose(id -> find(id.orElseThrow(Refusal::unknown)))
                .map(this::answer);
    }

    private Future<Account> find(long id) {
        return accounts.find(id).map(found -> found.orElseThrow(Refusal::unknown));
    }

    private Answer answer(Account account) {
        return Answer.json(json -> views.account(json, account));
    }

    /** The Mastodon entity CredentialAccount. */
    private void credentials(JsonGenerator json, Account account) throws IOException {
        json.writeStartObject();
        views.accountFields(json, account);
        json.writeObjectFieldStart("source");
        json.writeStringField("privacy", "public");
        json.writeBooleanField("sensitive", false);
        json.writeStringField("language", "");
        json.writeStringField("note", account.note());
        json.writeArrayFieldStart("fields");
        json.writeEndArray();
        json.writeNumberField("follow_requests_count", 0);
        json.writeStringField("quote_policy", "nobody");
        json.writeBooleanField("hide_collections", false);
        json.writeBooleanField("discoverable", true);
        json.writeBooleanField("indexable", true);
        json.writeEndObject();
        json.writeObjectFieldStart("role");
        json.writeStringField("id", "-99");
        json.writeStringField("name", "");
        json.writeStringField("permissions", "0");
        json.writeStringField("color", "");
        json.writeBooleanField("highlighted", false);
        json.writeEndObject();
        json.writeEndObject();
    }
}

package io.fanfare.api.account;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.endpoint.ResourceLinks;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.oauth.OAuthRoutes;
import io.fanfare.api.oauth.ReservedNames;
import io.fanfare.api.oauth.SignUp;
import io.fanfare.api.oauth.SignUps;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Accounts: sign-up, and what is known of one. */
public final class AccountRoutes {
    private static final int SEVERAL_MAX = 100;

    private final ResourceLinks resourceLinks;
    private final Accounts accounts;
    private final SignUps signUps;
    private final ReservedNames reserved;
    private final MemoryPressure pressure;
    private final Views views;

    public AccountRoutes(
            String publicUrl,
            Accounts accounts,
            SignUps signUps,
            ReservedNames reserved,
            MemoryPressure pressure,
            Views views) {
        this.resourceLinks = new ResourceLinks(publicUrl);
        this.accounts = accounts;
        this.signUps = signUps;
        this.reserved = reserved;
        this.pressure = pressure;
        this.views = views;
    }

    /** Fixed paths stand before {@code :id}, which would match them as well. */
    public List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/accounts", Access.viewer("write:accounts"), this::signUp)
                        .hashing()
                        .despite(Switch.MEMBERS_ONLY),
                get("/api/v1/accounts", Access.viewer("read:accounts"), this::several),
                get("/api/v1/accounts/available", Access.OPEN, this::available).despite(Switch.MEMBERS_ONLY),
                get("/api/v1/accounts/lookup", Access.viewer("read:accounts"), this::lookup),
                get("/api/v1/accounts/:id", Access.viewer("read:accounts"), this::show),
                get("/api/v1/accounts/:id/identity_proofs", Access.user("read:accounts"), this::identityProofs));
    }

    private Future<Answer> signUp(Call call) {
        pressure.checkAll();
        return signUps.signUp(call, call.principal()).map(OAuthRoutes::token);
    }

    /** Whether somebody could sign up so at this moment; a name in the middle of a sign-up is taken. */
    private Future<Answer> available(Call call) {
        String username = SignUp.folded(call.parameters().text("username", ""));
        String email = SignUp.folded(call.parameters().text("email", ""));
        if (username.isEmpty() && email.isEmpty()) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The parameters username and email are missing: send one of them, or both.");
        }
        ValidationErrors errors = new ValidationErrors();
        if (!username.isEmpty()) {
            SignUp.checkUsername(errors, username);
        }
        if (!email.isEmpty()) {
            SignUp.checkEmail(errors, email);
        }
        errors.refuseIfAny();
        Future<Boolean> name = username.isEmpty() ? Future.succeededFuture(true) : isFree(username);
        Future<Boolean> address = email.isEmpty() ? Future.succeededFuture(true) : accounts.isEmailFree(email);
        return Future.all(name, address)
                .map(both -> Answer.json(json -> {
                    json.writeStartObject();
                    json.writeBooleanField("available", name.result() && address.result());
                    if (!username.isEmpty()) {
                        json.writeBooleanField("username", name.result());
                    }
                    if (!email.isEmpty()) {
                        json.writeBooleanField("email", address.result());
                    }
                    json.writeEndObject();
                }));
    }

    private Future<Boolean> isFree(String username) {
        return reserved.contains(username) ? Future.succeededFuture(false) : accounts.isUsernameFree(username);
    }

    /** In the order asked; unknown ids are left out. */
    private Future<Answer> several(Call call) {
        Set<Long> ids = new LinkedHashSet<>();
        call.parameters().all("id").forEach(text -> ids.add(Id.parse(text)));
        ids.remove(-1L);
        if (ids.size() > SEVERAL_MAX) {
            throw new Refusal(Refusal.Reason.INVALID, "At most " + SEVERAL_MAX + " ids at once: ask in parts.");
        }
        return accounts.load(ids)
                .map(known -> Answer.json(json -> {
                    json.writeStartArray();
                    for (long id : ids) {
                        if (known.containsKey(id)) {
                            views.accounts().write(json, known.get(id));
                        }
                    }
                    json.writeEndArray();
                }));
    }

    private Future<Answer> show(Call call) {
        return accounts.require(call.id()).map(this::answer);
    }

    /** Mastodon had them for Keybase, and answers that nobody has any. */
    private Future<Answer> identityProofs(Call call) {
        return accounts.require(call.id()).map(account -> Answer.array(List.of(), (json, none) -> {}));
    }

    /**
     * {@code acct} as {@code name}, {@code @name}, {@code name@this.host} or {@code name@this.host:port}; there are no
     * others here.
     */
    private Future<Answer> lookup(Call call) {
        String acct = call.parameters().text("acct", "").strip();
        if (acct.isEmpty()) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED, "The parameter acct is missing: send the user name to look up.");
        }
        return accounts.require(resourceLinks.username(acct).orElseThrow(Refusal::unknown))
                .map(this::answer);
    }

    private Answer answer(Account account) {
        return Answer.json(json -> views.accounts().write(json, account));
    }
}

package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.feature.SignUpCheck;
import io.fanfare.common.auth.Device;
import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Registrations;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Applicants.AdmissionRequest;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.core.account.Invitations;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Reason;
import io.fanfare.server.http.AuditLog.Subject;
import io.fanfare.server.http.ClientAddress;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
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
    public static final String INVITATION = "On this server one needs an invitation to sign up.";

    /** The same of a server where nobody can sign up. */
    public static final String CLOSED = "Registrations are closed on this server.";

    private final KnownSignUps known;
    private final Settings.Auth settings;
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
    private final Invitations invitations;
    private final SignUpCheck check;
    private Listener listener = (request, account, clientId) -> {};

    /** A step after each sign-up, which no answer waits for. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Receives a sign-up.
         *
         * @param clientId of the app that made it; empty = none
         */
        void signedUp(HttpServerRequest request, long account, String clientId);
    }

    /** The one listener of this event loop. */
    public void listen(Listener other) {
        this.listener = other;
    }

    public SignUps(
            KnownSignUps known,
            Settings.Auth settings,
            ReservedNames reserved,
            Accounts accounts,
            Apps apps,
            Tokens tokens,
            Logins logins,
            PasswordRules passwordRules,
            RateLimits rates,
            AuditLog audit,
            ClientAddress addresses,
            SignUpNetworks networks,
            Invitations invitations,
            SignUpCheck check) {
        this.known = known;
        this.settings = settings;
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
        this.invitations = invitations;
        this.check = check;
    }

    /**
     * Refused when a field is not acceptable, the name or address is taken, or registrations are closed. With an
     * Idempotency-Key the same request, password included, answers the same account within an hour, each time with a
     * token of its own: tokens are not stored, so the first one cannot be answered again. The token of an account that
     * needs approval is refused with {@link Tokens#applied} until then.
     *
     * @param app null = no app asks
     */
    public Future<Tokens.Issued> signUp(Call call, Principal app) {
        String key = call.idempotencyKey();
        String code = call.parameters().text("invite_code", "").strip();
        return known.mode().compose(mode -> entry(mode, code)).compose(entry -> {
            if (key == null) {
                entry.check();
            }
            return signUp(call, app, key, entry);
        });
    }

    /**
     * How somebody may sign up at this moment.
     *
     * @param invitation code; empty = none, or none that is good
     * @param inviter of the code; null = none
     * @param refusal null = somebody may
     */
    private record Entry(Registrations mode, String invitation, Long inviter, Refusal refusal) {
        /** Throws the refusal if there is one. */
        void check() {
            if (refusal != null) {
                throw refusal;
            }
        }

        boolean needsApproval() {
            return mode == Registrations.APPROVAL && inviter == null;
        }
    }

    /** As in Mastodon, an invitation that is not good counts as none, except where nobody may sign up without one. */
    private Future<Entry> entry(Registrations mode, String code) {
        if (mode == Registrations.CLOSED) {
            return Future.succeededFuture(new Entry(mode, "", null, closed()));
        }
        return invitations.look(code).compose(this::goodInviter).map(inviter -> inviter.map(
                        id -> new Entry(mode, code, id, null))
                .orElseGet(() -> new Entry(
                        mode, "", null, mode == Registrations.INVITATION ? needsInvitation(code.isEmpty()) : null)));
    }

    /** An invitation is worth nothing while its inviter is suspended or deleted. */
    private Future<Optional<Long>> goodInviter(Optional<Long> inviter) {
        return inviter.isEmpty() || inviter.get() == Invitations.OPERATOR
                ? Future.succeededFuture(inviter)
                : accounts.find(inviter.get()).map(found -> found.map(Account::id));
    }

    private static Refusal needsInvitation(boolean blank) {
        ValidationErrors errors = new ValidationErrors();
        errors.add(
                "invite_code",
                blank ? "ERR_BLANK" : "ERR_INVALID",
                blank
                        ? "can't be blank: on this server one needs an invitation to sign up"
                        : "is not valid: the invitation has ended, is used up or never was one");
        return errors.refusal();
    }

    /** @param entry where it refuses, only a sign-up that was made before is answered */
    private Future<Tokens.Issued> signUp(Call call, Principal app, String key, Entry entry) {
        // The invitation of a repetition may have ended with its first attempt.
        boolean reasoned = entry.needsApproval()
                && (key == null || call.parameters().text("invite_code", "").isEmpty());
        Device device = app == null
                ? Device.of(call.request().getHeader(HttpHeaders.USER_AGENT), addresses.shownNetwork(call.request()))
                : Device.UNKNOWN;
        Requested requested = Requested.of(SignUp.of(call.parameters(), passwordRules, reasoned), app, device);
        if (key == null) {
            return first(call, requested, null, entry);
        }
        IdempotentRequest once = requested.once(key);
        return accounts.signedUp(requested.who().username(), once)
                .compose(earlier -> earlier.isPresent()
                        ? again(call.request(), requested, earlier.get())
                        : first(call, requested, once, entry)
                                .recover(cause -> afterAnother(call.request(), requested, once, cause)));
    }

    /** A sign-up as it is requested, and its app. */
    private record Requested(SignUp who, String clientId, Application application, Set<String> scopes, Device device) {
        static Requested of(SignUp who, Principal app, Device device) {
            return app == null
                    ? new Requested(who, "", null, SCOPES, device)
                    : new Requested(who, app.clientId(), app.application(), app.scopes(), device);
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
    private Future<Tokens.Issued> first(Call call, Requested requested, IdempotentRequest once, Entry entry) {
        HttpServerRequest request = call.request();
        SignUp who = requested.who();
        return check(call, who, entry)
                .compose(approval -> logins.hash(request, who.password(), /* known= */ false)
                        .compose(hash -> make(who, hash, entry, approval, once)))
                .compose(account -> issue(requested, new Login(account.id(), 0))
                        // An operator may have been that fast.
                        .map(issued -> issued.orElseThrow(Tokens::suspended))
                        .onSuccess(issued -> {
                            Subject subject = new Subject(account.id(), issued.tokenId(), requested.clientId());
                            audit.note(request, Event.SIGNED_UP, subject);
                            audit.note(request, Event.TOKEN_ISSUED, Reason.SIGN_UP, subject);
                            listener.signedUp(request, account.id(), requested.clientId());
                        })
                        .compose(issued -> noteNetwork(request, account).map(issued)));
    }

    /**
     * Every check of a new sign-up, cheap ones first: before the password is hashed and before anything is written.
     * Whether a moderator must approve the account. Fails with the refusal that the person reads.
     */
    private Future<Boolean> check(Call call, SignUp who, Entry entry) {
        reserved.check(who.username());
        entry.check();
        if (entry.needsApproval()) {
            who.requireReason();
        }
        return rates.take(call.request(), null, RateLimit.SIGN_UPS)
                .compose(passed -> check.check(call, who.username(), who.email()))
                .map(approval -> approval || entry.needsApproval());
    }

    /**
     * The parameter {@code email}, in lower case, of an account that wants another address. Fails with
     * {@code Refusal(INVALID)} when no account may have it.
     */
    public Future<String> wantedAddress(Call call) {
        String email = SignUp.folded(call.parameters().text("email", ""));
        ValidationErrors errors = new ValidationErrors();
        SignUp.checkEmail(errors, email);
        errors.refuseIfAny();
        return check.checkAddress(email).map(email);
    }

    private Future<Account> make(SignUp who, String hash, Entry entry, boolean approval, IdempotentRequest once) {
        if (approval) {
            return accounts.apply(who.username(), who.email(), hash, admission(who), once);
        }
        return entry.inviter() == null
                ? accounts.signUp(who.username(), who.email(), hash, once)
                : invitations
                        .take(entry.invitation())
                        .compose(inviter -> inviter.isEmpty()
                                // Used up since it was looked at.
                                ? Future.failedFuture(needsInvitation(false))
                                : accounts.signUp(who.username(), who.email(), hash, inviter.get(), once)
                                        .recover(cause -> giveBack(entry.invitation(), cause)));
    }

    /** Only where no account was made: after an outage there may be one, so that the use is lost. */
    private Future<Account> giveBack(String code, Throwable cause) {
        return Refusal.isFor(Refusal.Reason.INVALID, cause)
                ? invitations.giveBack(code).transform(done -> Future.failedFuture(cause))
                : Future.failedFuture(cause);
    }

    private AdmissionRequest admission(SignUp who) {
        return new AdmissionRequest(
                who.reason(), Duration.ofDays(settings.signUpPendingDays()), settings.signUpPendingMax());
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
                .compose(login -> {
                    if (login.needsCode()) {
                        throw new Refusal(
                                Refusal.Reason.FORBIDDEN, "The account has a second factor by now: log in to it.");
                    }
                    return login.isGood() ? issue(requested, login) : Future.succeededFuture(Optional.empty());
                })
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

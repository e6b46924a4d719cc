package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.oauth.Passwords.Caller;
import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Login.Factor;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Accounts.Password;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Reason;
import io.fanfare.server.http.AuditLog.Subject;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells by name and password who somebody is, as often as {@link RateLimits} lets them try. Who is unknown and whose
 * password is wrong get the same answer for the same work; the audit log alone says which it was. Confined to one event
 * loop.
 */
public final class Logins {
    private static final Logger LOG = LoggerFactory.getLogger(Logins.class);

    /** After which somebody may try again whose hash has come too late. */
    private static final int LATE_SECONDS = 5;

    private final Accounts accounts;
    private final Passwords passwords;
    private final RateLimits rates;
    private final AuditLog audit;
    private final long waitNanos;
    private final LongSupplier nanos;
    private Listener listener = (request, account, app, byPage) -> {};

    /** A step after each complete log-in, which no answer waits for. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Receives a log-in.
         *
         * @param app that somebody has logged in to; null = our own pages
         * @param byPage whether a page of ours took the password, and not the app
         */
        void loggedIn(HttpServerRequest request, long account, App app, boolean byPage);
    }

    /** The one listener of this event loop. */
    public void listen(Listener other) {
        this.listener = other;
    }

    /** Announces that a log-in is complete, with its second factor if there is one. See {@link Listener}. */
    void completed(HttpServerRequest request, Login login, App app, boolean byPage) {
        listener.loggedIn(request, login.userId(), app, byPage);
    }

    /**
     * @param wait how long a request may wait for its hash; what is left of its time belongs to what it does then
     * @param nanos elapsed time
     */
    public Logins(
            Accounts accounts,
            Passwords passwords,
            RateLimits rates,
            AuditLog audit,
            Duration wait,
            LongSupplier nanos) {
        this.accounts = accounts;
        this.passwords = passwords;
        this.rates = rates;
        this.audit = audit;
        this.waitNanos = wait.toNanos();
        this.nanos = nanos;
    }

    /**
     * Refused when there is no account of this name or e-mail address, or the password is not its. Fails with
     * {@code Refusal(TOO_MANY)} when it was tried too often. The right password of a suspended account fails with
     * {@link Tokens#suspended}, that of an account that waits for approval with {@link Tokens#applied}; a wrong one
     * shows neither. A deleted account has no password and always fails with {@link Tokens#deleted}. A log-in to an
     * account with a second factor {@linkplain Login#needsCode needs a code} as well, which {@code SecondFactors}
     * checks.
     *
     * @param clientId of the app that somebody logs in to
     * @param name as somebody typed it
     */
    public Future<Login> check(HttpServerRequest request, String clientId, String name, String password) {
        String login = SignUp.folded(name);
        return rates.take(request, null, RateLimit.LOGINS)
                .compose(passed -> idOf(login))
                .onFailure(cause -> refused(request, Subject.app(clientId), cause))
                .compose(id -> tried(
                        request,
                        id == 0 ? "name:" + login : "id:" + id,
                        new Subject(id, "", clientId),
                        password,
                        Purpose.LOG_IN));
    }

    /**
     * The same for an account that a request has made which is sent again, be it that the account waits for approval.
     */
    Future<Login> check(HttpServerRequest request, String clientId, long account, String password) {
        Subject subject = new Subject(account, "", clientId);
        return rates.take(request, null, RateLimit.LOGINS)
                .onFailure(cause -> refused(request, subject, cause))
                .compose(passed -> tried(request, "id:" + account, subject, password, Purpose.SIGN_UP));
    }

    /**
     * Checks the parameter {@code current_password} of a logged-in account. The attempts are limited, since a stolen
     * token must not serve to guess the password. A second factor is not checked. Fails with {@code Refusal(INVALID)}
     * when it is not the password of the account.
     */
    public Future<Login> requireOwn(Call call) {
        HttpServerRequest request = call.request();
        Principal principal = call.principal();
        Subject subject = Subject.of(principal);
        String password = call.parameters().text("current_password", "");
        return rates.take(request, null, RateLimit.LOGINS)
                .onFailure(cause -> refused(request, subject, cause))
                .compose(passed -> tried(request, "id:" + principal.userId(), subject, password, Purpose.LOGGED_IN))
                .map(login -> {
                    if (!login.isPasswordRight()) {
                        throw wrongOwn();
                    }
                    return login;
                });
    }

    private static Refusal wrongOwn() {
        ValidationErrors errors = new ValidationErrors();
        errors.add("current_password", "ERR_INVALID", "is not the password of this account");
        return errors.refusal();
    }

    /** The purpose of a password. */
    private enum Purpose {
        LOG_IN,
        /** A sign-up that is sent again: the account may wait for approval. */
        SIGN_UP,
        /** The request comes with a token of the account. */
        LOGGED_IN
    }

    private Future<Login> tried(
            HttpServerRequest request, String whose, Subject subject, String password, Purpose purpose) {
        return rates.logIn(
                        request,
                        whose,
                        known -> fits(
                                caller(request, known || purpose == Purpose.LOGGED_IN),
                                subject.account(),
                                password,
                                purpose))
                .onSuccess(login -> noteOutcome(request, subject, login))
                .onFailure(cause -> refused(request, subject, cause));
    }

    private void noteOutcome(HttpServerRequest request, Subject subject, Login login) {
        if (login.needsCode()) {
            audit.note(request, Event.CODE_NEEDED, subject);
        } else if (login.isGood()) {
            audit.note(request, Event.LOGIN_SUCCEEDED, subject);
        } else {
            Reason reason = subject.account() == 0 ? Reason.UNKNOWN_NAME : Reason.WRONG_PASSWORD;
            audit.note(request, Event.LOGIN_FAILED, reason, subject);
        }
    }

    /** For the audit log: a log-in that nobody looked at, for this cause. */
    void refused(HttpServerRequest request, Subject subject, Throwable cause) {
        audit.note(request, Event.LOGIN_REFUSED, reason(cause), subject);
    }

    /** Whether something failed because the account lets nobody in: suspended, deleted or not approved yet. */
    static boolean isClosed(Throwable cause) {
        return Refusal.isFor(Refusal.Reason.FORBIDDEN, cause)
                || Refusal.isFor(Refusal.Reason.DELETED, cause)
                || Refusal.isFor(Refusal.Reason.PENDING, cause);
    }

    private static Reason reason(Throwable cause) {
        Refusal.Reason refused = cause instanceof Refusal refusal ? refusal.reason() : Refusal.Reason.OVERLOADED;
        return switch (refused) {
            case TOO_MANY -> Reason.RATE;
            case FORBIDDEN -> Reason.SUSPENDED;
            case DELETED -> Reason.DELETED;
            case PENDING -> Reason.PENDING;
            default -> Reason.UNAVAILABLE;
        };
    }

    /**
     * The hash of a password that is going to be stored. Fails with {@code Refusal(OVERLOADED)} when it comes too late
     * for its request: what the request asks for is not begun then.
     *
     * @param known whether the sender of the request has logged in before
     */
    public Future<String> hash(HttpServerRequest request, String password, boolean known) {
        Caller caller = caller(request, known);
        return passwords.hash(password, caller).map(hash -> inTime(caller, hash));
    }

    private static <T> T inTime(Caller caller, T hashed) {
        if (caller.gone().getAsBoolean()) {
            throw Refusal.overloaded(
                    "Too many people are logging in: the password was hashed too late, nothing was done. Try again in a few seconds.",
                    LATE_SECONDS);
        }
        return hashed;
    }

    /** The sender of this request, while it is open and has time left for the steps after the hash. */
    private Caller caller(HttpServerRequest request, boolean known) {
        HttpServerResponse response = request.response();
        long started = nanos.getAsLong();
        return new Caller(
                known, () -> response.ended() || response.closed() || nanos.getAsLong() - started > waitNanos);
    }

    private Future<Login> fits(Caller caller, long id, String password, Purpose purpose) {
        return accounts.password(id).compose(stored -> passwords
                .verify(password, stored.map(Password::phc).orElse(null), caller)
                .map(fits -> inTime(caller, fits))
                .map(fits -> {
                    if (stored.isPresent() && stored.get().deleted()) {
                        throw Tokens.deleted();
                    }
                    return fits ? good(id, password, stored.orElseThrow(), purpose) : Login.REFUSED;
                }));
    }

    private Login good(long id, String password, Password stored, Purpose purpose) {
        if (stored.suspended()) {
            throw Tokens.suspended();
        }
        if (stored.applied() && purpose != Purpose.SIGN_UP) {
            throw Tokens.applied();
        }
        renew(id, password, stored);
        return new Login(id, stored.rev(), stored.hasFactor() ? Factor.NEEDED : Factor.NONE);
    }

    /**
     * By e-mail address or user name; 0, which no account has, when it is neither. What can be neither is not asked
     * for.
     */
    private Future<Long> idOf(String login) {
        Future<Optional<Long>> id = Account.isUsername(login)
                ? accounts.claimantByUsername(login)
                : SignUp.isEmail(login) ? accounts.claimantByEmail(login) : Future.succeededFuture(Optional.empty());
        return id.map(found -> found.orElse(0L));
    }

    /**
     * A hash made with other parameters than today's is made again, now that the password is at hand. The login does
     * not wait for it.
     */
    private void renew(long id, String password, Password stored) {
        if (passwords.outdated(stored.phc())) {
            passwords
                    .hash(password)
                    .compose(hash -> accounts.renewPassword(id, stored, hash))
                    .onFailure(
                            cause -> LOG.debug("password hash not renewed account={} cause={}", id, cause.toString()));
        }
    }
}

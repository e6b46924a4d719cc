package io.fanfare.api;

import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Passwords;
import io.fanfare.common.model.Account;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Accounts.Password;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells by name and password who somebody is, as often as {@link RateLimits} lets them try. Who is unknown and whose password is wrong get the same answer for the same work.
 * Confined to one event loop.
 */
final class Logins {
    private static final Logger LOG = LoggerFactory.getLogger(Logins.class);

    private final Accounts accounts;
    private final Passwords passwords;
    private final RateLimits rates;

    Logins(Accounts accounts, Passwords passwords, RateLimits rates) {
        this.accounts = accounts;
        this.passwords = passwords;
        this.rates = rates;
    }

    /**
     * Refused when there is no account of this name or address of mail, or the password is not its. Fails with {@code Refusal(TOO_MANY)} when it was tried too often.
     *
     * @param name as somebody typed it
     */
    Future<Login> check(HttpServerRequest request, String name, String password) {
        String login = SignUp.folded(name);
        return rates.take(request, null, Limit.LOGINS)
                .compose(passed -> idOf(login))
                .compose(id -> tried(request, id == 0 ? "name:" + login : "id:" + id, id, password));
    }

    /** The same for somebody who is logged in already; whoever has taken their token may not try passwords at will. */
    Future<Boolean> check(HttpServerRequest request, long user, String password) {
        return rates.take(request, null, Limit.LOGINS)
                .compose(passed -> tried(request, "id:" + user, user, password))
                .map(Login::isGood);
    }

    private Future<Login> tried(HttpServerRequest request, String whose, long id, String password) {
        return rates.logIn(request, whose, () -> fits(id, password));
    }

    private Future<Login> fits(long id, String password) {
        return accounts.password(id).compose(stored -> passwords
                .verify(password, stored.map(Password::phc).orElse(null))
                .map(fits -> fits ? good(id, password, stored.orElseThrow()) : Login.REFUSED));
    }

    private Login good(long id, String password, Password stored) {
        renew(id, password, stored);
        return new Login(id, stored.rev());
    }

    /** By e-mail address or user name; 0, which no account has, when it is neither. What can be neither is not asked for. */
    private Future<Long> idOf(String login) {
        Future<Optional<Long>> id = Account.isUsername(login)
                ? accounts.idByUsername(login)
                : SignUp.isEmail(login) ? accounts.idByEmail(login) : Future.succeededFuture(Optional.empty());
        return id.map(found -> found.orElse(0L));
    }

    /** A hash made with other parameters than today's is made again, now that the password is at hand. The login does not wait for it. */
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

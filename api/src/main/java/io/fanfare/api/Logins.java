package io.fanfare.api;

import io.fanfare.common.auth.Passwords;
import io.fanfare.common.store.Accounts;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
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
     * The account's id; 0 when there is none of this name or address of mail, or the password is not its. Fails with {@code Refusal(TOO_MANY)} when it was tried too often.
     *
     * @param name as somebody typed it
     */
    Future<Long> check(HttpServerRequest request, String name, String password) {
        String login = name.strip().toLowerCase(Locale.ROOT);
        return rates.logIn(request, login, () -> idOf(login).compose(id -> fits(id, password)));
    }

    /** The same for somebody who is logged in already; whoever has taken their token may not try passwords at will. */
    Future<Boolean> check(HttpServerRequest request, long user, String password) {
        return rates.logIn(request, Long.toString(user), () -> fits(user, password))
                .map(id -> id != 0);
    }

    private Future<Long> fits(long id, String password) {
        return accounts.passwordHash(id)
                .compose(phc -> passwords.verify(password, phc.orElse(null)).map(fits -> {
                    if (fits) {
                        renew(id, password, phc.orElseThrow());
                    }
                    return fits ? id : 0L;
                }));
    }

    /** By e-mail address or user name; 0, which no account has, when it is neither. */
    private Future<Long> idOf(String login) {
        Future<Optional<Long>> id = login.contains("@") ? accounts.idByEmail(login) : accounts.idByUsername(login);
        return id.map(found -> found.orElse(0L));
    }

    /** A hash made with other parameters than today's is made again, now that the password is at hand. The login does not wait for it. */
    private void renew(long id, String password, String phc) {
        if (passwords.outdated(phc)) {
            passwords
                    .hash(password)
                    .compose(hash -> accounts.setPasswordHash(id, hash))
                    .onFailure(
                            cause -> LOG.debug("password hash not renewed account={} cause={}", id, cause.toString()));
        }
    }
}

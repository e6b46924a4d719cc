package io.fanfare.api.oauth;

import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Login.Factor;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Id;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Tickets for the second step of a log-in: they prove that the password of an account was right, for five minutes, in
 * one browser, and open nothing without a code of its second factor. A ticket is {@code <account>.<sealed text>}; the
 * server stores none. Confined to one event loop.
 */
final class LoginTickets {
    /** How long a ticket is good. */
    static final Duration LIFE = Duration.ofMinutes(5);

    private static final int CHARS_MAX = 512;
    private static final int PARTS = 3;

    private final SealedTexts sealed;
    private final InstantSource clock;
    private final SecureRandom random;

    LoginTickets(SigningKeys keys, InstantSource clock, SecureRandom random) {
        this.sealed = new SealedTexts(keys, "login-ticket");
        this.clock = clock;
        this.random = random;
    }

    /** @param place where the ticket is good: a secret of the browser, or the name of a cookie that only it has */
    String issue(Login login, String place) {
        String text = login.passwordRev() + " " + clock.instant().plus(LIFE).getEpochSecond() + " " + place;
        return login.userId() + "." + sealed.seal(text, login.userId(), random);
    }

    /** The log-in that the ticket continues, which still needs a code; empty for one that is not good here or now. */
    Optional<Login> read(String ticket, String place) {
        int dot = ticket.indexOf('.');
        long account = dot < 0 || ticket.length() > CHARS_MAX ? -1 : Id.parse(ticket.substring(0, dot));
        return account <= 0
                ? Optional.empty()
                : sealed.open(ticket.substring(dot + 1), account)
                        .map(text -> text.split(" ", PARTS))
                        .filter(parts -> parts[2].equals(place)
                                && Long.parseLong(parts[1]) > clock.instant().getEpochSecond())
                        .map(parts -> new Login(account, Long.parseLong(parts[0]), Factor.NEEDED));
    }
}

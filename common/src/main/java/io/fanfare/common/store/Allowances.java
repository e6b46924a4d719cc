package io.fanfare.common.store;

import io.fanfare.common.redis.Keys;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * Owns {@code limit} and {@code logins} keys: how often somebody may do something. Every process counts in Redis, by the clock of the Redis server, so a limit holds for all of them
 * together. Nothing here is allowed when Redis is full. Confined to one event loop.
 */
public final class Allowances {
    private static final Script TAKE = Script.load("take");
    private static final Script LOGIN_TRY = Script.load("login_try");
    private static final Script LOGIN_GOOD = Script.load("login_good");
    private static final Duration TRIES_WINDOW = Duration.ofHours(1);
    private static final Duration SPARE = Duration.ofMinutes(1);
    private static final Duration KNOWN = Duration.ofDays(30);

    /** Production: the clock of the Redis server. */
    private static final String SERVER_CLOCK = "";

    private final Redis redis;

    public Allowances(Redis redis) {
        this.redis = redis;
    }

    /**
     * What came of asking.
     *
     * @param left how many more this window allows
     * @param millisLeft of this window
     */
    public record Taken(boolean granted, long left, long millisLeft) {}

    /**
     * Takes {@code count} of what a window allows, or nothing when there are not so many left.
     *
     * @param name which limit: letters and dashes
     * @param who of the characters {@code A-Z a-z 0-9 . - _}
     * @param max how many a window allows; a window begins with the first request after the one before
     */
    public Future<Taken> take(String name, String who, int max, Duration window, int count) {
        return redis.send(TAKE.call(List.of(Keys.limit(name, who)), SERVER_CLOCK, max, window.toMillis(), count))
                .map(Reply::items)
                .map(reply -> new Taken(
                        reply.get(0).asLong() == 1,
                        reply.get(1).asLong(),
                        reply.get(2).asLong()));
    }

    /**
     * Asks whether somebody may try a password; each try makes the next one wait longer, so that about {@code triesMax} take an hour. An address that has not tried within an hour
     * waits a minute at most, whatever others do.
     *
     * @param login digest of the account, or of what was given as name, so that a name that nobody has behaves as one that somebody has
     * @param address where the try comes from; one from which a log-in has succeeded within 30 days waits only for its own tries
     * @return 0, or how many milliseconds to wait
     */
    public Future<Long> tryLogin(String login, String address, int triesMax) {
        return tryLogin(login, address, triesMax, SERVER_CLOCK);
    }

    /** @param now Unix milliseconds */
    Future<Long> tryLogin(String login, String address, int triesMax, String now) {
        return redis.send(LOGIN_TRY.call(
                        logins(login, address), now, triesMax, TRIES_WINDOW.toMillis(), SPARE.toMillis()))
                .map(Reply::asLong);
    }

    /** After a right password: the address is known, its tries are forgotten; those of strangers are not. */
    public Future<Void> loginSucceeded(String login, String address) {
        return redis.send(LOGIN_GOOD.call(logins(login, address), KNOWN.toMillis()))
                .mapEmpty();
    }

    private static List<String> logins(String login, String address) {
        return List.of(Keys.logins(login), Keys.loginsFrom(login, address));
    }
}

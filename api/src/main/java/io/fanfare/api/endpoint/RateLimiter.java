package io.fanfare.api.endpoint;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Owns {@code limit} and {@code logins} keys: how often somebody may do something. Every process counts in Redis, by
 * the clock of the Redis server, so a limit holds for all of them together. Nothing here is allowed when Redis is full.
 * Confined to one event loop.
 */
public final class RateLimiter {
    private static final Script TAKE = Script.load("take");
    private static final Script LOGIN_TRY = Script.load("login_try");
    private static final Script LOGIN_GOOD = Script.load("login_good");
    private static final Duration TRIES_WINDOW = Duration.ofHours(1);
    private static final Duration SPARE = Duration.ofMinutes(1);
    private static final Duration KNOWN = Duration.ofDays(30);

    /** Production: the clock of the Redis server. */
    private static final String SERVER_CLOCK = "";

    private final Redis redis;

    public RateLimiter(Redis redis) {
        this.redis = redis;
    }

    /**
     * A limit and the requests that it counts together.
     *
     * @param name which limit: letters and dashes
     * @param who of the characters {@code A-Z a-z 0-9 . - _}
     * @param max how many a window allows; it begins with the first request after the one before
     * @param count how many to take
     */
    public record Window(String name, String who, int max, Duration length, int count) {}

    /**
     * The result of a request to the limiter.
     *
     * @param window the one that refuses, or else has the fewest left
     * @param left how many more it allows
     * @param millisLeft of it
     */
    public record Taken(boolean granted, Window window, long left, long millisLeft) {}

    /**
     * Takes the requested number from each window, or nothing at all when one of them has not so many left.
     *
     * @param group whose windows these are: a user, or a network of addresses; of the characters {@code A-Z a-z 0-9 _}
     */
    public Future<Taken> take(String group, List<Window> windows) {
        List<String> keys = new ArrayList<>(windows.size());
        List<Object> arguments = new ArrayList<>(1 + 3 * windows.size());
        arguments.add(SERVER_CLOCK);
        for (Window window : windows) {
            keys.add(Keys.limit(group, window.name(), window.who()));
            arguments.addAll(List.of(window.max(), window.length().toMillis(), window.count()));
        }
        return redis.send(TAKE.call(keys, arguments.toArray()))
                .map(Reply::items)
                .map(reply -> new Taken(
                        reply.get(0).asLong() == 1,
                        windows.get((int) reply.get(1).asLong() - 1),
                        reply.get(2).asLong(),
                        reply.get(3).asLong()));
    }

    /**
     * Whether somebody may try a password.
     *
     * @param known whether a log-in has succeeded from the address within 30 days
     * @param waitMillis 0 = now
     */
    public record Try(boolean known, long waitMillis) {}

    /**
     * Asks whether somebody may try a password; each try makes the next one wait longer, so that about {@code triesMax}
     * take an hour. An address that has not tried within an hour waits a minute at most, whatever others do.
     *
     * @param login digest of the account, or of what was given as name, so that a name that nobody has behaves as one
     *     that somebody has
     * @param address where the try comes from; one from which a log-in has succeeded within 30 days waits only for its
     *     own tries
     */
    public Future<Try> tryLogin(String login, String address, int triesMax) {
        return tryLogin(login, address, triesMax, SERVER_CLOCK);
    }

    /** @param now Unix milliseconds */
    Future<Try> tryLogin(String login, String address, int triesMax, String now) {
        return redis.send(LOGIN_TRY.call(
                        logins(login, address), now, triesMax, TRIES_WINDOW.toMillis(), SPARE.toMillis()))
                .map(Reply::items)
                .map(reply -> new Try(reply.get(0).asLong() == 1, reply.get(1).asLong()));
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

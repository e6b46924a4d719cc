package io.fanfare.api;

import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.http.ClientAddress;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.redis.RedisError;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Allowances;
import io.fanfare.common.store.Allowances.Taken;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts requests against their limits and refuses what is over them with {@code TOO_MANY}; the answer then says in {@code X-RateLimit-*} how it stands with the limit that was
 * looked at last. Does nothing at all with {@code limits.enabled: false}. While Redis cannot count, what is {@linkplain Limit#closedWithoutRedis closed} is refused and the rest
 * passes, without those headers. Confined to one event loop.
 */
final class RateLimits {
    private static final Logger LOG = LoggerFactory.getLogger(RateLimits.class);
    private static final CharSequence LIMIT = HttpHeaders.createOptimized("X-RateLimit-Limit");
    private static final CharSequence REMAINING = HttpHeaders.createOptimized("X-RateLimit-Remaining");
    private static final CharSequence RESET = HttpHeaders.createOptimized("X-RateLimit-Reset");

    private final Settings.Limits settings;
    private final ClientAddress addresses;
    private final Allowances allowances;
    private final InstantSource clock;

    RateLimits(Settings.Limits settings, ClientAddress addresses, Allowances allowances, InstantSource clock) {
        this.settings = settings;
        this.addresses = addresses;
        this.allowances = allowances;
        this.clock = clock;
    }

    /** Counts one. */
    Future<Void> take(HttpServerRequest request, Principal principal, Limit limit) {
        return take(request, principal, limit, 1);
    }

    /** Counts so many, or refuses them all. */
    Future<Void> take(HttpServerRequest request, Principal principal, Limit limit, int count) {
        if (!settings.enabled() || limit == Limit.NONE) {
            return Future.succeededFuture();
        }
        int max = limit.max(settings.rates());
        return allowances
                .take(limit.words(), who(request, principal, limit), max, limit.window(), count)
                .compose(
                        taken -> passOrRefuse(request.response(), limit, max, taken),
                        cause -> withoutRedis(limit, cause));
    }

    /**
     * Runs a log-in, unless too many were tried at this account. Those of the address are counted by {@link Limit#LOGINS}, before.
     *
     * @param whose the account, or the name that was given when nobody has it
     * @return how the log-in went; a success is remembered for the address
     */
    Future<Login> logIn(HttpServerRequest request, String whose, Supplier<Future<Login>> attempt) {
        if (!settings.enabled()) {
            return attempt.get();
        }
        String digest = Secrets.digest(whose);
        String address = addresses.of(request);
        return allowances
                .tryLogin(digest, address, settings.rates().loginsPerAccount())
                .compose(RateLimits::refuseForNow)
                .compose(passed -> attempt.get())
                .onSuccess(login -> remember(login, digest, address));
    }

    private void remember(Login login, String digest, String address) {
        if (login.isGood()) {
            allowances
                    .loginSucceeded(digest, address)
                    .onFailure(cause -> LOG.debug("log-in not remembered cause={}", cause.toString()));
        }
    }

    private static Future<Void> refuseForNow(long millis) {
        return millis == 0
                ? Future.succeededFuture()
                : Future.failedFuture(Refusal.tooMany(
                        "Too many log-ins were tried under this name: wait a little.", seconds(millis)));
    }

    private String who(HttpServerRequest request, Principal principal, Limit limit) {
        // An app can have as many tokens of its own as it likes.
        if (principal == null || principal.userId() == 0 || limit.who() == Limit.Who.ADDRESS) {
            return "a." + addresses.of(request);
        }
        return limit.who() == Limit.Who.USER ? "u." + principal.userId() : "t." + principal.tokenId();
    }

    private Future<Void> passOrRefuse(HttpServerResponse response, Limit limit, int max, Taken taken) {
        if (!response.headWritten()) {
            response.putHeader(LIMIT, Integer.toString(max))
                    .putHeader(REMAINING, Long.toString(taken.left()))
                    .putHeader(RESET, Views.time(clock.millis() + taken.millisLeft()));
        }
        return taken.granted()
                ? Future.succeededFuture()
                : Future.failedFuture(Refusal.tooMany(
                        "Too many " + limit.words() + ": at most " + max + " in "
                                + limit.window().toMinutes() + " minutes, wait until the time in X-RateLimit-Reset.",
                        seconds(taken.millisLeft())));
    }

    private static Future<Void> withoutRedis(Limit limit, Throwable cause) {
        boolean passes = cause instanceof RedisError error && error.passing() && !limit.closedWithoutRedis();
        return passes ? Future.succeededFuture() : Future.failedFuture(cause);
    }

    private static long seconds(long millis) {
        return Math.max(1, (millis + 999) / 1000);
    }
}

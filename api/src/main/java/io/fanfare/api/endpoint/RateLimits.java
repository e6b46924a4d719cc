package io.fanfare.api.endpoint;

import io.fanfare.api.endpoint.RateLimiter.Taken;
import io.fanfare.api.endpoint.RateLimiter.Window;
import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.view.Timestamps;
import io.fanfare.redis.RedisError;
import io.fanfare.server.http.ClientAddress;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts requests against their limits and refuses what is over them with {@code TOO_MANY}; the answer then says in
 * {@code X-RateLimit-*} how it stands with the limit that was looked at last. Does nothing at all with
 * {@code limits.enabled: false}. While Redis cannot count, what is {@linkplain RateLimit#closedWithoutRedis closed} is
 * refused and the rest passes, without those headers. Confined to one event loop.
 */
public final class RateLimits {
    private static final Logger LOG = LoggerFactory.getLogger(RateLimits.class);
    private static final CharSequence LIMIT = HttpHeaders.createOptimized("X-RateLimit-Limit");
    private static final CharSequence REMAINING = HttpHeaders.createOptimized("X-RateLimit-Remaining");
    private static final CharSequence RESET = HttpHeaders.createOptimized("X-RateLimit-Reset");

    /**
     * How many times as much a network may do as the next smaller one around an address: a /56 as a /64, a /48 as a
     * /56.
     */
    private static final int WIDER_TIMES = 4;

    private final Settings.Limits settings;
    private final ClientAddress addresses;
    private final RateLimiter rateLimiter;
    private final Refusals refusals;
    private final InstantSource clock;

    public RateLimits(
            Settings.Limits settings,
            ClientAddress addresses,
            RateLimiter rateLimiter,
            Refusals refusals,
            InstantSource clock) {
        this.settings = settings;
        this.addresses = addresses;
        this.rateLimiter = rateLimiter;
        this.refusals = refusals;
        this.clock = clock;
    }

    /** Counts one. */
    public Future<Void> take(HttpServerRequest request, Principal principal, RateLimit limit) {
        return take(request, principal, limit, 1);
    }

    /** Counts so many, or refuses them all. */
    public Future<Void> take(HttpServerRequest request, Principal principal, RateLimit limit, int count) {
        if (!settings.enabled() || limit == RateLimit.NONE) {
            return Future.succeededFuture();
        }
        // An app can have as many tokens of its own as it likes.
        boolean byAddress = principal == null || principal.userId() == 0 || limit.who() == RateLimit.Who.ADDRESS;
        if (byAddress) {
            return takeByAddress(request, limit, count);
        }
        List<Window> windows = limit.who() == RateLimit.Who.USER
                ? List.of(new Window(limit.key(), "", max(limit, principal.userId()), limit.window(), count))
                : List.of(
                        window(limit, "t." + principal.tokenId(), 1, count),
                        window(RateLimit.REQUESTS_OF_ACCOUNT, "", 1, count));
        return take(request, limit, user(principal.userId()), windows);
    }

    /** Counts one of an app, whoever uses it. */
    public Future<Void> takeOfApp(HttpServerRequest request, String clientId, RateLimit limit) {
        return settings.enabled()
                ? take(request, limit, "c_" + clientId, List.of(window(limit, "", 1, 1)))
                : Future.succeededFuture();
    }

    /**
     * By the address and the networks around it: who has a /48 has 65536 of /64, and may do no more with all of them
     * than a few customers may. Apps are counted for the network of an IPv4 address and for the whole server, too: what
     * a stranger registers is kept for a while. When the whole server has its fill, each network may have a few more,
     * so that a flood from some shuts nobody else out; the list of apps makes room by itself.
     */
    private Future<Void> takeByAddress(HttpServerRequest request, RateLimit limit, int count) {
        String address = addresses.of(request);
        String network = ClientAddress.network(address);
        Set<String> counted = new LinkedHashSet<>(ClientAddress.customers(address));
        if (limit == RateLimit.APPS) {
            counted.add(network);
        }
        List<Window> windows = new ArrayList<>(counted.size());
        int times = 1;
        for (String each : counted) {
            windows.add(window(limit, each, times, count));
            times *= WIDER_TIMES;
        }
        Future<Void> taken = take(request, limit, "a_" + network, windows);
        return limit != RateLimit.APPS ? taken : taken.compose(passed -> takeApps(request, network, count));
    }

    private Future<Void> takeApps(HttpServerRequest request, String network, int count) {
        return rateLimiter
                .take("server", List.of(window(RateLimit.APPS_OF_SERVER, "", 1, count)))
                .compose(
                        taken -> taken.granted()
                                ? passOrRefuse(request.response(), taken)
                                : take(
                                        request,
                                        RateLimit.APPS_OF_NETWORK,
                                        "a_" + network,
                                        List.of(window(RateLimit.APPS_OF_NETWORK, network, 1, count))),
                        cause -> withoutRedis(RateLimit.APPS_OF_SERVER, cause));
    }

    /**
     * Whether one more mail may go to an address that a stranger has named; counts it. Fails when Redis cannot count.
     * The answer to the stranger must not depend on it: it would tell what others request.
     */
    public Future<Boolean> takeMailTo(String address) {
        return settings.enabled()
                ? rateLimiter
                        .take("m_" + Secrets.digest(address), List.of(window(RateLimit.MAILS_TO_ADDRESS, "", 1, 1)))
                        .map(Taken::granted)
                : Future.succeededFuture(true);
    }

    /** The same for somebody who names their own address: fails with {@code Refusal(TOO_MANY)} when it may not. */
    public Future<Void> requireMailTo(String address) {
        return takeMailTo(address)
                .compose(granted -> granted
                        ? Future.succeededFuture()
                        : Future.failedFuture(Refusal.tooMany(
                                "Three mails have been sent to this address within an hour: look among junk mail, or wait.",
                                RateLimit.MAILS_TO_ADDRESS.window().toSeconds())));
    }

    private Window window(RateLimit limit, String who, int times, int count) {
        return new Window(limit.key(), who, times * limit.max(settings.rates()), limit.window(), count);
    }

    /** An account that is new may send fewer bytes of files. */
    private int max(RateLimit limit, long account) {
        int max = limit.max(settings.rates());
        boolean fewer = limit == RateLimit.UPLOAD_BYTES
                && clock.millis() - Id.epochMillis(account)
                        < Duration.ofDays(settings.rates().newDays()).toMillis();
        return fewer ? Math.min(max, settings.rates().newUploadBytesPerDay()) : max;
    }

    private static String user(long id) {
        return "u_" + id;
    }

    private Future<Void> take(HttpServerRequest request, RateLimit limit, String group, List<Window> windows) {
        return rateLimiter
                .take(group, windows)
                .compose(taken -> passOrRefuse(request.response(), taken), cause -> withoutRedis(limit, cause));
    }

    /**
     * Counts a status and the bytes of its text against what its author may publish in a day, which is kept for as long
     * as the author wants.
     */
    public Future<Void> takePost(Post post) {
        if (!settings.enabled()) {
            return Future.succeededFuture();
        }
        List<Window> windows =
                List.of(window(RateLimit.POSTS, "", 1, 1), window(RateLimit.BYTES, "", 1, bytes(post.content())));
        return rateLimiter
                .take(user(post.authorId()), windows)
                .compose(
                        taken -> taken.granted() ? Future.succeededFuture() : Future.failedFuture(refused(taken)),
                        cause -> withoutRedis(RateLimit.POSTS, cause));
    }

    /** Unix time from which an account is not new any more; 0 = it is not new now, or no account is. */
    long newUntil(long account) {
        long until = Id.epochMillis(account)
                + Duration.ofHours(settings.rates().newAccountHours()).toMillis();
        return settings.enabled() && settings.rates().newAccountHours() > 0 && clock.millis() < until ? until : 0;
    }

    /** Counts a post that {@link RateLimit#NEW_ACCOUNT_POSTS} is about. */
    Future<Void> takeNewAccountPost(long account) {
        return rateLimiter
                .take(user(account), List.of(window(RateLimit.NEW_ACCOUNT_POSTS, "", 1, 1)))
                .compose(
                        taken -> taken.granted() ? Future.succeededFuture() : Future.failedFuture(refused(taken)),
                        cause -> withoutRedis(RateLimit.NEW_ACCOUNT_POSTS, cause))
                .recover(cause -> Future.failedFuture(explained(account, cause)));
    }

    private Throwable explained(long account, Throwable cause) {
        return cause instanceof Refusal refusal && refusal.reason() == Refusal.Reason.TOO_MANY
                ? Refusal.tooMany(
                        refusal.getMessage() + " Your account is new: this limit ends at "
                                + Timestamps.time(newUntil(account)) + ". Posts without these pass.",
                        refusal.retrySeconds())
                : cause;
    }

    private static int bytes(Content content) {
        int place = content.place() == null ? 0 : bytes(content.place().name());
        int descriptions = content.attachments().stream()
                .mapToInt(attachment -> bytes(attachment.description()))
                .sum();
        int options = content.poll() == null
                ? 0
                : content.poll().options().stream().mapToInt(RateLimits::bytes).sum();
        return bytes(content.text()) + bytes(content.spoilerText()) + place + descriptions + options;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /**
     * Runs a log-in, unless too many were tried at this account. Those of the address are counted by
     * {@link RateLimit#LOGINS}, before.
     *
     * @param whose the account, or the name that was given when nobody has it
     * @param attempt is told whether somebody has logged in to the account from this address lately
     * @return how the log-in went; a success is remembered for the address
     */
    public Future<Login> logIn(HttpServerRequest request, String whose, Function<Boolean, Future<Login>> attempt) {
        if (!settings.enabled()) {
            return attempt.apply(false);
        }
        String digest = Secrets.digest(whose);
        String address = addresses.of(request);
        return rateLimiter
                .tryLogin(digest, address, settings.rates().loginsPerAccount())
                .compose(result -> refuseForNow(result.waitMillis()).compose(passed -> attempt.apply(result.known())))
                .onSuccess(login -> remember(login, digest, address));
    }

    private void remember(Login login, String digest, String address) {
        if (login.isPasswordRight()) {
            rateLimiter
                    .loginSucceeded(digest, address)
                    .onFailure(cause -> LOG.debug("log-in not remembered cause={}", cause.toString()));
        }
    }

    private Future<Void> refuseForNow(long millis) {
        if (millis == 0) {
            return Future.succeededFuture();
        }
        refusals.count(Refusals.LOGINS_PER_ACCOUNT, Refusals.Reason.SPENT);
        return Future.failedFuture(
                Refusal.tooMany("Too many log-ins were tried under this name: wait a little.", seconds(millis)));
    }

    private Future<Void> passOrRefuse(HttpServerResponse response, Taken taken) {
        if (!response.headWritten()) {
            response.putHeader(LIMIT, Integer.toString(taken.window().max()))
                    .putHeader(REMAINING, Long.toString(taken.left()))
                    .putHeader(RESET, Timestamps.time(clock.millis() + taken.millisLeft()));
        }
        return taken.granted() ? Future.succeededFuture() : Future.failedFuture(refused(taken));
    }

    private Refusal refused(Taken taken) {
        RateLimit limit = RateLimit.of(taken.window().name());
        refusals.count(limit.key(), Refusals.Reason.SPENT);
        return Refusal.tooMany(
                "Too many " + limit.words() + ": at most " + taken.window().max() + " in " + limit.windowWords()
                        + ", wait until " + Timestamps.time(clock.millis() + taken.millisLeft()) + ".",
                seconds(taken.millisLeft()));
    }

    private Future<Void> withoutRedis(RateLimit limit, Throwable cause) {
        boolean passing = cause instanceof RedisError error && error.passing();
        if (passing && !limit.closedWithoutRedis()) {
            return Future.succeededFuture();
        }
        refusals.count(limit.key(), Refusals.Reason.UNCOUNTED);
        return Future.failedFuture(cause);
    }

    private static long seconds(long millis) {
        return Math.max(1, (millis + 999) / 1000);
    }
}

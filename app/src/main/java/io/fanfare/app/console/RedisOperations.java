package io.fanfare.app.console;

import io.fanfare.app.operate.MemoryReport;
import io.fanfare.app.operate.RedisReport;
import io.fanfare.common.model.Refusal;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.fanfare.secret.Secret;
import io.fanfare.verify.MemorySurvey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The servers of Redis. What the service's own user may not ask - slow commands, the memory of keys - is asked as the
 * administrator where this process knows one, on a link of its own that is closed again. One event loop.
 */
final class RedisOperations {
    /** Keys of each master that one survey looks at; a survey is shown to everybody until it is so old. */
    private static final int SAMPLE = 20_000;

    private static final Duration SURVEY_KEPT = Duration.ofMinutes(1);

    /** Each look is a link of its own; every open page asks every ten seconds. */
    private static final Duration SLOW_KEPT = Duration.ofSeconds(8);

    private static final int LARGEST = 10;
    private static final String FORBIDDEN =
            "The user of redis.url may not ask this: give its administrator to `fanfare admin stats memory`, or grant SCAN, DBSIZE, MEMORY|USAGE and SLOWLOG|GET.";

    private final Stores stores;
    private final Vertx vertx;
    private final RedisOptions options;
    private final InstantSource clock;
    private final SharedAnswer<JsonObject> survey;
    private final SharedAnswer<JsonObject> slow;

    /**
     * @param administrator empty = the user of {@code redis.url} does what it may
     * @param nanos elapsed time
     */
    RedisOperations(
            Stores stores,
            Vertx vertx,
            RedisOptions options,
            Optional<Secret> administrator,
            InstantSource clock,
            LongSupplier nanos) {
        this.stores = stores;
        this.vertx = vertx;
        this.options = administrator.map(options::at).orElse(options);
        this.clock = clock;
        this.survey = new SharedAnswer<>(SURVEY_KEPT, nanos, this::survey);
        this.slow = new SharedAnswer<>(SLOW_KEPT, nanos, this::slow);
    }

    List<Operation> operations() {
        return List.of(
                Operation.get("redis", List.of(), given -> show()),
                Operation.get("redis/memory", List.of(), given -> survey.get()));
    }

    private Future<JsonObject> show() {
        return stores.link()
                .compose(redis -> RedisReport.nodes(redis).compose(nodes -> RedisReport.slots(redis)
                        .map(slots -> new JsonObject().put("nodes", nodes).put("slots", slots))))
                .compose(shown -> slow.get().map(shown::mergeIn));
    }

    /** Never fails: where the right is lacking, every look would be another link. */
    private Future<JsonObject> slow() {
        return asAdministrator(RedisReport::slow)
                .map(found -> new JsonObject().put("slow", found))
                .otherwise(cause -> new JsonObject()
                        .put("slow", new JsonArray())
                        .put("slow_error", RedisReport.isForbidden(cause) ? FORBIDDEN : cause.getMessage()));
    }

    private Future<JsonObject> survey() {
        long at = clock.millis();
        return asAdministrator(link -> new MemorySurvey(link, Instant.ofEpochMilli(at), SAMPLE, LARGEST).run())
                .map(result -> MemoryReport.json(result).put("at", at))
                .recover(cause -> Future.failedFuture(
                        RedisReport.isForbidden(cause) ? new Refusal(Refusal.Reason.FORBIDDEN, FORBIDDEN) : cause));
    }

    private <T> Future<T> asAdministrator(Function<RedisLink, Future<T>> question) {
        return RedisLink.open(vertx, options)
                .compose(link -> question.apply(link).eventually(link::close));
    }
}

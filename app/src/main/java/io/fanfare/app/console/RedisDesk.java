package io.fanfare.app.console;

import io.fanfare.app.operate.MemoryReport;
import io.fanfare.app.operate.RedisReport;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.Secret;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.verify.MemorySurvey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The servers of Redis. What the service's own user may not ask - slow commands, the memory of keys - is asked as the
 * administrator where this process knows one, on a link of its own that is closed again. One event loop.
 */
final class RedisDesk {
    /** Keys of each master that one survey looks at; a survey is shown to everybody until it is so old. */
    private static final int SAMPLE = 20_000;

    private static final Duration SURVEY_KEPT = Duration.ofMinutes(1);
    private static final int LARGEST = 10;
    private static final String FORBIDDEN =
            "The user of redis.url may not ask this: give its administrator to `fanfare admin stats memory`, or grant SCAN, DBSIZE, MEMORY|USAGE and SLOWLOG|GET.";

    private final Stores stores;
    private final Vertx vertx;
    private final Settings.Redis settings;
    private final InstantSource clock;
    private Future<JsonObject> survey;
    private long surveyedMillis;

    /** @param administrator empty = the user of {@code redis.url} does what it may */
    RedisDesk(
            Stores stores, Vertx vertx, Settings.Redis settings, Optional<Secret> administrator, InstantSource clock) {
        this.stores = stores;
        this.vertx = vertx;
        this.settings = administrator.map(settings::at).orElse(settings);
        this.clock = clock;
    }

    List<Operation> operations() {
        return List.of(Operation.get("redis", given -> show()), Operation.get("redis/memory", given -> memory()));
    }

    private Future<JsonObject> show() {
        return stores.link()
                .compose(redis -> RedisReport.nodes(redis).compose(nodes -> RedisReport.slots(redis)
                        .map(slots -> new JsonObject().put("nodes", nodes).put("slots", slots))))
                .compose(shown -> asAdministrator(RedisReport::slow)
                        .map(slow -> shown.put("slow", slow))
                        .otherwise(cause -> shown.put("slow", new JsonArray())
                                .put("slow_error", RedisReport.isForbidden(cause) ? FORBIDDEN : cause.getMessage())));
    }

    /** One survey at a time, whoever asks. */
    private Future<JsonObject> memory() {
        boolean old = clock.millis() - surveyedMillis > SURVEY_KEPT.toMillis();
        if (survey == null || survey.failed() || (survey.succeeded() && old)) {
            surveyedMillis = clock.millis();
            long at = surveyedMillis;
            survey = asAdministrator(link -> new MemorySurvey(link, SAMPLE, LARGEST).run())
                    .map(result -> MemoryReport.json(result).put("at", at))
                    .recover(cause -> Future.failedFuture(
                            RedisReport.isForbidden(cause) ? new Refusal(Refusal.Reason.FORBIDDEN, FORBIDDEN) : cause));
        }
        return survey;
    }

    private <T> Future<T> asAdministrator(Function<RedisLink, Future<T>> question) {
        return RedisLink.open(vertx, settings)
                .compose(link -> question.apply(link).eventually(link::close));
    }
}

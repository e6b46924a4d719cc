package io.fanfare.common.http;

import io.vertx.ext.web.RoutingContext;

/**
 * Errors on the wire: {@code {"error": "..."}}, with {@code details} by field for a 422. The one place that knows HTTP status codes of a
 * {@link io.fanfare.common.model.Refusal}; a {@link io.fanfare.common.redis.RedisError} is 503 with Retry-After; anything else is our fault: 500, generic text, one ERROR line.
 */
public final class Problems {
    private Problems() {}

    /** Answers the failure of a request; does nothing when the answer has begun. */
    public static void answer(RoutingContext ctx, Throwable cause) {
        throw new UnsupportedOperationException();
    }
}

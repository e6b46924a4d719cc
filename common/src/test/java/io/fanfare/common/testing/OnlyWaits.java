package io.fanfare.common.testing;

import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;

/** Uses the class that starts servers, but starts none: the subject of a test of {@link QuickTests}. */
final class OnlyWaits {
    private OnlyWaits() {}

    static <T> T result(Future<T> future) {
        return TestRedis.await(future);
    }
}

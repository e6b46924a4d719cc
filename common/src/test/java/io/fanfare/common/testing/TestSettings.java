package io.fanfare.common.testing;

import io.fanfare.common.settings.Settings;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;

/** Settings that lead to the servers of {@link TestRedis}. */
public final class TestSettings {
    /** The number of shards of every data set there. */
    public static final int SHARDS = 16;

    private TestSettings() {}

    /** The group {@code redis} with these options. */
    public static Settings.Redis redis(RedisOptions options) {
        return new Settings.Redis(
                options.url(),
                options.mode(),
                options.namespace().name(),
                String.join(",", options.sentinels()),
                options.sentinelPassword(),
                SHARDS,
                options.connectTimeout(),
                options.commandTimeout(),
                options.inFlightMax(),
                Duration.ofDays(1),
                options.waitReplicas(),
                options.waitTimeout());
    }
}

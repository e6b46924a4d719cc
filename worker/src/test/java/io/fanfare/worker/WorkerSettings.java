package io.fanfare.worker;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.testing.TestRedis;

/** Settings for tests of the worker. */
public final class WorkerSettings {
    private WorkerSettings() {}

    /** The defaults with some assignments {@code key=value}, on this Redis. */
    public static Settings of(TestRedis redis, String... assignments) {
        return SettingsLoader.defaultsWith(assignments).with(TestSettings.redis(redis.options()));
    }
}

package io.fanfare.stream.access;

import io.fanfare.common.settings.Settings;
import io.fanfare.stream.session.FilterBudget;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;

/**
 * Limits of users and addresses over all event loops of a process. Safe for every thread.
 *
 * @param quota open connections
 * @param openRate how often they are opened
 * @param budget terms of their filters
 */
record StreamLimits(ConnectionQuota quota, OpenRateLimiter openRate, FilterBudget budget) implements Shareable {
    /** The shared limits of the process; the first event loop that needs them makes them. */
    static StreamLimits of(Vertx vertx, Settings settings) {
        LocalMap<String, StreamLimits> ofProcess = vertx.sharedData().getLocalMap("stream-limits");
        return ofProcess.computeIfAbsent(
                "process",
                none -> new StreamLimits(
                        new ConnectionQuota(settings.stream()),
                        new OpenRateLimiter(settings),
                        new FilterBudget(settings.stream())));
    }
}

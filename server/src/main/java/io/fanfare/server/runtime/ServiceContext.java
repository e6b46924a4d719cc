package io.fanfare.server.runtime;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * The objects that the event loops of a process share: immutable, or safe for every thread.
 *
 * @param shards of the data set, as stored
 * @param keys of the access tokens
 * @param vapid key pair of Web Push; null = push is off
 * @param shutdownNow succeeds, on any thread, when draining is to end at once
 */
public record ServiceContext(
        Vertx vertx,
        Settings settings,
        MeterRegistry metrics,
        Shards shards,
        SigningKeys keys,
        Vapid vapid,
        Future<Void> shutdownNow) {}

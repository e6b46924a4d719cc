package io.fanfare.common.runtime;

import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;

/**
 * What the event loops of a process have in common: immutable, or safe for every thread.
 *
 * @param shards of the data set, as stored
 * @param signingKey of the access tokens; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares these, and the bytes are what Tokens takes.
public record Shared(Vertx vertx, Settings settings, MeterRegistry metrics, Shards shards, byte[] signingKey) {}

package io.fanfare.worker.handler;

import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.media.MediaProcessor;
import io.fanfare.redis.RedisLink;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The parts of one worker of which its features are made.
 *
 * @param redis the connection of the high lane
 * @param nanos elapsed time
 * @param media null = this process has no store of files
 * @param disk what files may take
 */
public record WorkerParts(
        Vertx vertx,
        RedisLink redis,
        Settings settings,
        Shards shards,
        MeterRegistry metrics,
        InstantSource clock,
        LongSupplier nanos,
        RandomGenerator random,
        MediaProcessor media,
        DiskReserve disk) {}

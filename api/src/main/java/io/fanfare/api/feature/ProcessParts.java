package io.fanfare.api.feature;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.disk.DiskReserve;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Clock;

/** The parts of a process of which a {@link ProcessFeature} is made. */
public record ProcessParts(
        Vertx vertx,
        Settings settings,
        Archive archive,
        MeterRegistry metrics,
        SecureRandom random,
        Clock clock,
        DiskReserve disk) {}

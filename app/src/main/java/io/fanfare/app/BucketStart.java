package io.fanfare.app;

import io.fanfare.common.settings.Settings;
import io.fanfare.media.BucketCheck;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries the bucket of the pictures when a process starts. What only the operator can mend ends the start. A bucket that
 * does not answer is told to the log: everything but pictures works without it.
 */
final class BucketStart extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(BucketStart.class);

    private final Settings.S3 settings;
    private final InstantSource clock;
    private final RandomGenerator random;

    BucketStart(Settings.S3 settings, InstantSource clock, RandomGenerator random) {
        this.settings = settings;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public Future<?> start() {
        return new BucketCheck(vertx, settings, random, clock).run().compose(trouble -> {
            if (trouble.isEmpty()) {
                return Future.succeededFuture();
            }
            if (!trouble.get().passing()) {
                return Future.failedFuture(new StartFailed(trouble.get().sentence()));
            }
            LOG.warn("pictures cannot be stored or shown now: {}", trouble.get().sentence());
            return Future.succeededFuture();
        });
    }
}

package io.fanfare.app.console;

import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.LoopStores;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.InstantSource;

/** The objects of which the console's features make their operations. One event loop. */
record ConsoleLoop(Stores stores, Shards shards, Settings settings, SecureRandom random, InstantSource clock) {
    /** Stores without caches. */
    Future<LoopStores> loopStores() {
        return stores.link()
                .map(redis -> LoopStores.of(LoopStores.Parts.uncached(redis, settings, shards, clock, random)));
    }
}

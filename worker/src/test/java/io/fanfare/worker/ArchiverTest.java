package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.core.disk.DiskReserve;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lag that operators see grows for as long as something that is due has not moved. */
@Tag("slow")
class ArchiverTest {
    private static final int SHARDS = 2;

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Settings settings = SettingsLoader.defaultsWith("archive.poll=10ms");
    private final Pass pass = new Pass();
    private volatile Instant now = Instant.ofEpochSecond(1_000_000);

    /** A pass without Redis. */
    private final class Pass extends ArchivePass {
        private volatile boolean isAway;
        private volatile boolean isBroken;
        private volatile boolean isBehind;
        private final AtomicInteger runs = new AtomicInteger();

        Pass() {
            super(null, settings, Archive.none());
        }

        @Override
        public Future<List<Integer>> due(int shards, long nowMillis) {
            return Future.succeededFuture(IntStream.range(0, shards).boxed().toList());
        }

        @Override
        public Future<Boolean> run(int shard) {
            int unused = runs.incrementAndGet();
            if (isAway) {
                return Future.failedFuture(Archive.AWAY);
            }
            if (isBroken && shard == 0) {
                return Future.failedFuture(new IllegalStateException("one shard cannot be read"));
            }
            return Future.succeededFuture(isBehind && shard == SHARDS - 1);
        }
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void theLagGrowsWhileTheArchiveIsAwayOrAShardFailsOrMoreIsDueThanARoundMoves() {
        Archiver archiver = new Archiver(
                vertx,
                pass,
                settings.archive(),
                SHARDS,
                Archiver.Metrics.of(vertx, registry, () -> now),
                DiskReserve.none());
        vertx.getOrCreateContext().runOnContext(run -> archiver.start());
        assertCatchesUp();
        pass.isAway = true;
        assertFallsBehind();
        pass.isAway = false;
        assertCatchesUp();
        pass.isBroken = true;
        assertFallsBehind();
        pass.isBroken = false;
        assertCatchesUp();
        pass.isBehind = true;
        assertFallsBehind();
        pass.isBehind = false;
        assertCatchesUp();
        await(archiver.stop());
    }

    private void assertCatchesUp() {
        now = now.plusSeconds(7);
        awaitUntil("all that is due has moved", () -> lag() == 0);
    }

    private void assertFallsBehind() {
        awaitRounds();
        now = now.plusSeconds(100);
        awaitRounds();
        assertThat(lag()).isEqualTo(100);
    }

    /** Waits until a whole round has seen everything that was set before. */
    private void awaitRounds() {
        int before = pass.runs.get();
        awaitUntil("two rounds", () -> pass.runs.get() > before + 3 * (SHARDS + 20));
    }

    private double lag() {
        return registry.get("fanfare.archive.lag").gauge().value();
    }
}

package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.console.DiskRows;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.disk.DiskSpace.Volume;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The disks of a process, as its metrics and its console show them. */
@Tag("slow")
class DiskWatchTest {
    private static final long GB = 1L << 30;
    private static final Path PICTURES = Path.of("pictures");

    private final Vertx vertx = Vertx.vertx();
    private final MeterRegistry metrics = new SimpleMeterRegistry();
    private final AtomicReference<Volume> volume = new AtomicReference<>(new Volume(50 * GB, 100 * GB));
    private final DiskReserve disk = new DiskReserve(
            SettingsLoader.defaultsWith("disk.reserve-percent=5").disk(),
            List.of(PICTURES),
            null,
            path -> volume.get(),
            () -> Instant.ofEpochSecond(1_700_000_000));

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private JsonObject shown() {
        return DiskRows.shown(metrics).orElseThrow();
    }

    @Test
    void theConsoleShowsRoomAndReserveAndSinceWhenFilesAreRefused() {
        assertThat(DiskRows.shown(metrics)).as("a process that writes no files").isEmpty();
        await(vertx.deployVerticle(new DiskWatch(disk, metrics)));

        assertThat(shown().getLong("free_bytes")).isEqualTo(50 * GB);
        assertThat(shown().getLong("room_bytes")).isEqualTo(50 * GB - shown().getLong("reserve_bytes"));
        assertThat(shown().getLong("reserve_bytes")).isBetween(5 * GB - 100, 5 * GB);
        assertThat(shown().getBoolean("refuses")).isFalse();
        assertThat(shown().getValue("refused_since")).isNull();

        volume.set(new Volume(GB, 100 * GB));
        awaitUntil("files are refused", () -> shown().getBoolean("refuses"));
        assertThat(shown().getLong("refused_since")).isEqualTo(1_700_000_000_000L);
        assertThat(shown().getLong("room_bytes")).isNegative();

        volume.set(new Volume(50 * GB, 100 * GB));
        awaitUntil("files are taken", () -> !shown().getBoolean("refuses"));
        assertThat(shown().getValue("refused_since")).isNull();
    }
}

package io.fanfare.app;

import io.fanfare.common.settings.Settings;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.disk.DiskReserve.State;
import io.fanfare.vertx.Ticks;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Looks at the disks of a process each second, off the event loop, and shows them as metrics. */
final class DiskWatch extends VerticleBase {
    private static final long LOOK_EVERY_MILLIS = 1_000;

    private final DiskReserve disk;
    private final MeterRegistry metrics;
    private WorkerExecutor thread;
    private boolean looking;

    DiskWatch(DiskReserve disk, MeterRegistry metrics) {
        this.disk = disk;
        this.metrics = metrics;
    }

    @Override
    public Future<?> start() {
        gauge("fanfare.disk.free", "Bytes that are free on the disk with the least room", "bytes", State::free);
        gauge("fanfare.disk.reserve", "Bytes of it that are kept for Redis and posts", "bytes", State::reserve);
        Gauge.builder("fanfare.disk.short", disk, reserve -> reserve.isShort() ? 1 : 0)
                .description("1 while uploads and other files are refused, since the reserve is touched")
                .register(metrics);
        gauge(
                "fanfare.disk.short.since",
                "When the reserve was touched, in seconds since 1970; 0 = it is not",
                "seconds",
                state -> state.shortSince() / 1000.0);
        // One thread: the pool of the process would start one after the other of its twenty for these looks.
        thread = vertx.createSharedWorkerExecutor("disk-watch", 1);
        Ticks.every(vertx, LOOK_EVERY_MILLIS, () -> {
            if (!looking) {
                looking = true;
                look().onComplete(done -> looking = false);
            }
        });
        return look();
    }

    private Future<Void> look() {
        return thread.executeBlocking(() -> {
            disk.look();
            return null;
        });
    }

    private void gauge(String name, String description, String unit, ToDoubleFunction<State> of) {
        Gauge.builder(name, disk, reserve -> reserve.tightest()
                        .map(of::applyAsDouble)
                        .orElse(Double.NaN))
                .description(description)
                .baseUnit(unit)
                .register(metrics);
    }

    /** The folders in which a process writes large files. */
    static List<Path> folders(Settings settings) {
        List<Path> folders = new ArrayList<>();
        if (!settings.media().directory().isEmpty()) {
            folders.add(Path.of(settings.media().directory()));
        } else if (settings.media().isOffered()) {
            // Files for a bucket are received among the temporary ones.
            folders.add(Path.of(System.getProperty("java.io.tmpdir")));
        }
        if (!settings.search().directory().isEmpty()) {
            folders.add(Path.of(settings.search().directory()));
        }
        return folders;
    }

    /** The folder of the redis-server of `up`, whose socket lies among its files; null when there is another one. */
    static Path ofRedis(Settings settings) {
        String url = settings.redis().url().reveal();
        if (!url.startsWith("unix:")) {
            return null;
        }
        String path = URI.create(url).getPath();
        Path folder = path == null ? null : Path.of(path).getParent();
        // A socket elsewhere, such as in /run, says nothing about the files of its server.
        return folder != null && Files.exists(folder.resolve("access.properties")) ? folder : null;
    }
}

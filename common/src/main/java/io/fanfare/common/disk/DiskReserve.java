package io.fanfare.common.disk;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of each disk that is kept for Redis and for posts: what writes files of size asks here first, and is refused
 * while less is free. So uploads stop long before a disk is full. One per process; safe for every thread, and only
 * {@link #look} blocks.
 */
public final class DiskReserve {
    private static final Logger LOG = LoggerFactory.getLogger(DiskReserve.class);

    /** Of a small volume: of 10 GB one is kept, and not two. */
    private static final int BYTES_PART = 10;

    /** Of a volume that is mostly Redis' data. */
    private static final int REDIS_PART = 4;

    private static final int RETRY_SECONDS = 60;

    /** How many files of Redis are counted: a server has a few. */
    private static final int REDIS_FILES_MAX = 1000;

    private final Settings.Disk settings;
    private final List<Path> folders;
    private final Path redis;
    private final DiskSpace space;
    private final Map<Path, State> states = new ConcurrentHashMap<>();

    /** Guards {@link #held}, for a few instructions at a time. */
    private final Object lock = new Object();

    private long held;

    /**
     * How one disk is.
     *
     * @param reserve bytes that are kept
     */
    public record State(long free, long total, long reserve) {
        /** Bytes that files may still take; negative = the reserve is touched. */
        public long room() {
            return free - reserve;
        }
    }

    /**
     * @param folders where files are written; without one nothing is refused
     * @param redis the folder of a redis-server on this machine; null = there is none
     */
    public DiskReserve(Settings.Disk settings, Collection<Path> folders, Path redis, DiskSpace space) {
        Set<Path> all = new LinkedHashSet<>(folders);
        if (redis != null) {
            all.add(redis);
        }
        this.settings = settings;
        this.folders = List.copyOf(all);
        this.redis = redis;
        this.space = space;
    }

    /** Refuses nothing. */
    public static DiskReserve none() {
        return new DiskReserve(new Settings.Disk(0, 0, 0), List.of(), null, DiskSpace.ofSystem());
    }

    /** Reads how full the disks are, which holds until the next call. Blocking. */
    public void look() {
        for (Path folder : folders) {
            try {
                DiskSpace.Volume volume = space.of(folder);
                note(folder, new State(volume.free(), volume.total(), reserve(folder, volume)));
            } catch (IOException e) {
                // As before: whoever writes there learns of it.
                LOG.debug("free space not known folder={} cause={}", folder, e.toString());
            }
        }
    }

    private long reserve(Path folder, DiskSpace.Volume volume) throws IOException {
        long bytes = Math.min(settings.reserveBytes(), volume.total() / BYTES_PART);
        long part = volume.total() / 100 * settings.reservePercent();
        long ofRedis = folder.equals(redis)
                ? Math.min(settings.reserveRedisTimes() * bytesOf(redis), volume.total() / REDIS_PART)
                : 0;
        return Math.max(Math.max(bytes, part), ofRedis);
    }

    private static long bytesOf(Path folder) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(folder).limit(REDIS_FILES_MAX)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                bytes += Files.isRegularFile(file) ? size(file) : 0;
            }
        } catch (NoSuchFileException | UncheckedIOException gone) {
            LOG.debug("the files of redis change folder={}", folder);
        }
        return bytes;
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return 0;
        }
    }

    private void note(Path folder, State now) {
        State before = states.put(folder, now);
        boolean was = before != null && before.room() < 0;
        if (was != now.room() < 0) {
            LOG.warn(
                    was
                            ? "the disk has room again: files are taken folder={} freeBytes={} reserveBytes={}"
                            : "the disk is nearly full: uploads and other files are refused, posts and reads go on folder={} freeBytes={} reserveBytes={}",
                    folder,
                    now.free(),
                    now.reserve());
        }
    }

    /** Refuses ({@code OVERLOADED}) while a disk has less than its reserve. */
    public void check() {
        if (isShort(0)) {
            throw refusal();
        }
    }

    /** Whether a disk has less than its reserve, with all that is being received. */
    public boolean isShort() {
        return isShort(0);
    }

    private boolean isShort(long more) {
        long wanted = held() + more;
        return states.values().stream().anyMatch(state -> state.room() - wanted < 0);
    }

    /**
     * Takes room for a file that is about to be received; refuses as {@link #check} does. The answer gives it back,
     * once.
     */
    public Runnable hold(long bytes) {
        // In one step, so that two that come together do not both have the last room.
        synchronized (lock) {
            if (isShort(bytes)) {
                throw refusal();
            }
            held += bytes;
        }
        return () -> {
            synchronized (lock) {
                held -= bytes;
            }
        };
    }

    /** The disk with the least room; empty before the first look. */
    public Optional<State> tightest() {
        return states.values().stream().min((a, b) -> Long.compare(a.room(), b.room()));
    }

    /** Bytes that are being received. */
    public long held() {
        synchronized (lock) {
            return held;
        }
    }

    private static Refusal refusal() {
        return Refusal.overloaded(
                "The server's disk is nearly full, so it takes no files: post without them, or try again when the operator of this server has made room.",
                RETRY_SECONDS);
    }
}

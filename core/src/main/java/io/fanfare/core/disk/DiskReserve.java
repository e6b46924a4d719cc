package io.fanfare.core.disk;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of each disk that is kept for Redis and for posts: what writes files of size asks here first, and is refused
 * while less is free. So uploads stop long before a disk is full. Folders of one volume have one reserve, the largest
 * of theirs. One per process; safe for every thread, and only {@link #look} blocks.
 */
public final class DiskReserve {
    private static final Logger LOG = LoggerFactory.getLogger(DiskReserve.class);

    /** The part of a small volume that stays free: of 10 GB one, and not two. */
    private static final int BYTES_PART = 10;

    /** The part of a volume that is mostly Redis' data. */
    private static final int REDIS_PART = 4;

    private static final int RETRY_SECONDS = 60;

    /** How many files of Redis are counted: a server has a few. */
    private static final int REDIS_FILES_MAX = 1000;

    /** The volume of a folder that is not watched: it counts on every volume. */
    private static final Object ANYWHERE = new Object();

    private final Settings.Disk settings;
    private final List<Path> folders;
    private final Path redis;
    private final DiskSpace space;
    private final InstantSource clock;

    /** Readings, used by {@link #look} alone. */
    private final Map<Path, Reading> readings = new LinkedHashMap<>();

    private volatile Known known = new Known(Map.of(), Map.of());

    /** Guards {@link #held}, for a few instructions at a time. */
    private final Object lock = new Object();

    /** Bytes that are being received, by the volume that they go to. */
    private final Map<Object, Long> held = new HashMap<>();

    /**
     * How one disk is.
     *
     * @param reserve bytes that are kept
     * @param shortSince ms since which the reserve is touched; 0 = it is not
     */
    public record State(long free, long total, long reserve, long shortSince) {
        /** Bytes that files may still take; negative = the reserve is touched. */
        public long room() {
            return free - reserve;
        }
    }

    /** The volume of a folder, and the reserve that this folder asks for. */
    private record Reading(DiskSpace.Volume volume, long reserve) {}

    /** The result of the last look. */
    private record Known(Map<Path, Object> volumes, Map<Object, State> states) {}

    /**
     * @param folders where files are written; without one nothing is refused
     * @param redis the folder of a redis-server on this machine; null = there is none
     */
    public DiskReserve(
            Settings.Disk settings, Collection<Path> folders, Path redis, DiskSpace space, InstantSource clock) {
        Set<Path> all = new LinkedHashSet<>(folders);
        if (redis != null) {
            all.add(redis);
        }
        this.settings = settings;
        this.folders = List.copyOf(all);
        this.redis = redis;
        this.space = space;
        this.clock = clock;
    }

    /** Refuses nothing. */
    public static DiskReserve none() {
        InstantSource unused = InstantSource.fixed(Instant.EPOCH);
        return new DiskReserve(new Settings.Disk(0, 0, 0), List.of(), null, DiskSpace.ofSystem(), unused);
    }

    /** Reads how full the disks are, which holds until the next call. For one thread at a time. Blocking. */
    public void look() {
        for (Path folder : folders) {
            try {
                DiskSpace.Volume volume = space.of(folder);
                readings.put(folder, new Reading(volume, reserve(folder, volume)));
            } catch (IOException e) {
                // As before: writers there get the error.
                LOG.debug("free space not known folder={} cause={}", folder, e.toString());
            }
        }
        Map<Path, Object> volumes = new HashMap<>();
        Map<Object, Reading> byVolume = new LinkedHashMap<>();
        readings.forEach((folder, reading) -> {
            volumes.put(absolute(folder), reading.volume().id());
            byVolume.merge(
                    reading.volume().id(),
                    reading,
                    (one, other) -> new Reading(other.volume(), Math.max(one.reserve(), other.reserve())));
        });
        Map<Object, State> states = new HashMap<>();
        byVolume.forEach((volume, reading) -> states.put(volume, state(volume, reading)));
        known = new Known(Map.copyOf(volumes), Map.copyOf(states));
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
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

    private State state(Object volume, Reading reading) {
        State before = known.states().get(volume);
        long free = reading.volume().free();
        boolean was = before != null && before.shortSince() != 0;
        boolean isShort = free < reading.reserve();
        if (was != isShort) {
            LOG.warn(
                    was
                            ? "the disk has room again: files are taken folder={} freeBytes={} reserveBytes={}"
                            : "the disk is nearly full: uploads and other files are refused, posts and reads go on folder={} freeBytes={} reserveBytes={}",
                    folderOf(volume),
                    free,
                    reading.reserve());
        }
        long since = was ? before.shortSince() : clock.millis();
        return new State(free, reading.volume().total(), reading.reserve(), isShort ? since : 0);
    }

    /** For people: one of those that the volume has. */
    private Path folderOf(Object volume) {
        return readings.entrySet().stream()
                .filter(reading -> reading.getValue().volume().id().equals(volume))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    /** Refuses ({@code OVERLOADED}) while a disk has less than its reserve. */
    public void check() {
        if (isShort()) {
            throw refusal();
        }
    }

    /** Whether a disk has less than its reserve, with all that is being received for it. */
    public boolean isShort() {
        synchronized (lock) {
            return isShort(ANYWHERE, 0);
        }
    }

    /** With so many bytes more on this volume. To be called with the lock. */
    private boolean isShort(Object volume, long more) {
        return known.states().entrySet().stream().anyMatch(entry -> {
            Object each = entry.getKey();
            long wanted = held.getOrDefault(each, 0L) + held.getOrDefault(ANYWHERE, 0L);
            boolean goesThere = volume == ANYWHERE || volume.equals(each);
            return entry.getValue().room() - wanted - (goesThere ? more : 0) < 0;
        });
    }

    /**
     * Takes room for a file that is about to be received; refuses as {@link #check} does. The answer gives it back,
     * once.
     *
     * @param file where it goes
     */
    public Runnable hold(Path file, long bytes) {
        Object volume = volumeOf(absolute(file));
        // In one step, so that two that come together do not both have the last room.
        synchronized (lock) {
            if (isShort(volume, bytes)) {
                throw refusal();
            }
            held.merge(volume, bytes, Long::sum);
        }
        return () -> {
            synchronized (lock) {
                held.computeIfPresent(volume, (same, all) -> all == bytes ? null : all - bytes);
            }
        };
    }

    /** That of the innermost watched folder above it. */
    private Object volumeOf(Path file) {
        return known.volumes().entrySet().stream()
                .filter(entry -> file.startsWith(entry.getKey()))
                .max(Comparator.comparingInt(entry -> entry.getKey().getNameCount()))
                .map(Map.Entry::getValue)
                .orElse(ANYWHERE);
    }

    /** The disk with the least room; empty before the first look. */
    public Optional<State> tightest() {
        return known.states().values().stream().min(Comparator.comparingLong(State::room));
    }

    /** Bytes that are being received. */
    public long held() {
        synchronized (lock) {
            return held.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private static Refusal refusal() {
        return Refusal.overloaded(
                "The server's disk is nearly full, so it takes no files: post without them, or try again when the operator of this server has made room.",
                RETRY_SECONDS);
    }
}

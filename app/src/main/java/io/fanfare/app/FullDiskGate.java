package io.fanfare.app;

import io.fanfare.core.disk.DiskSpace;
import io.fanfare.redis.Reply;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.redis.embedded.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps our redis-server in service on a full disk. With {@code appendfsync always} a server ends at the first write
 * that its disk refuses; with {@code everysec} it goes on and serves reads, but acknowledges the write that it could
 * not keep. So the gate closes first, while there is a little room left: the server refuses every write
 * ({@code NOREPLICAS}, by {@code min-replicas-to-write}). Only the end of keys that expire is still written. If the
 * disk refuses that, the server ends, and is started again with the gate closed and {@code everysec}. A started server
 * opens its file to append. A file that is begun while the server runs is not opened so: Redis 7.0 cuts an incomplete
 * write off and goes on behind its former end, and no server reads such a file again. So no file is begun while the
 * gate is closed. When there is room, the server syncs always, and takes writes after that.
 *
 * <p>A file of ballast in the folder of the server gives the room that a start needs on a disk without any.
 *
 * <p>For one thread at a time, but for {@link #isClosed}: {@link EmbeddedRedis} calls it under its lock.
 */
final class FullDiskGate {
    private static final Logger log = LoggerFactory.getLogger(FullDiskGate.class);

    /** The gate closes below it, or below a sixteenth of a smaller volume. */
    private static final long CLOSE_BYTES = 64L << 20;

    private static final int CLOSE_PART = 16;

    /** The gate opens at as many times the room at which it closes. */
    private static final int OPEN_TIMES = 2;

    private static final long BALLAST_BYTES = 8L << 20;

    /** The ballast takes a part of the room at which the gate closes. */
    private static final int BALLAST_PART = 4;

    /** More than any server has, {@code fanfare backup} included, which reads as a replica does. */
    private static final String REPLICAS_NOBODY_HAS = "1000000";

    /** Redis' own. */
    private static final String USUAL_REWRITE_PERCENTAGE = "100";

    /** A gate that was closed again soon after it had been opened stays closed for so long, and then longer. */
    private static final Duration WAIT_MIN = Duration.ofSeconds(5);

    private static final Duration WAIT_MAX = Duration.ofMinutes(5);
    private static final Duration STABLE = Duration.ofMinutes(1);

    private final Path dir;
    private final DiskSpace space;
    private final LongSupplier nanos;
    // Read by any thread.
    private volatile boolean closed;
    private boolean opened;

    /** Whether the commands that close the gate of a running server are still to be given. */
    private boolean closing;

    private long openedNanos;
    private long notBeforeNanos;
    private Duration wait = Duration.ZERO;

    /** @param nanos elapsed time */
    FullDiskGate(Path dir, DiskSpace space, LongSupplier nanos) {
        this.dir = dir;
        this.space = space;
        this.nanos = nanos;
    }

    boolean isClosed() {
        return closed;
    }

    /** Gives up the ballast on a disk without room, so that the files can be written which a start needs. */
    void makeRoom() throws IOException {
        DiskSpace.Volume volume = space.of(dir);
        if (volume.free() < closeBytes(volume)) {
            boolean unused = Files.deleteIfExists(ballast());
        }
    }

    /** Before a server is started: closes the gate and makes room when the disk, or the last server, was full. */
    RedisProcess.Options options(RedisProcess.Options usual) throws IOException {
        DiskSpace.Volume volume = space.of(dir);
        if (!closed && (volume.free() < closeBytes(volume) || endedFull())) {
            close(volume);
        }
        if (!closed) {
            return usual;
        }
        closing = false;
        boolean unused = Files.deleteIfExists(ballast());
        List<String> lines = new ArrayList<>(usual.extraLines());
        lines.add("min-replicas-to-write " + REPLICAS_NOBODY_HAS);
        // The file that a rewrite begins has no end at which each write is appended.
        lines.add("auto-aof-rewrite-percentage 0");
        return usual.appendSync(RedisProcess.AppendSync.EVERYSEC).extraLines(lines.toArray(String[]::new));
    }

    /** Looks at the disk of a server that runs, and closes or opens the gate. */
    void look(RedisProcess server) throws IOException {
        DiskSpace.Volume volume = space.of(dir);
        if (!closed && volume.free() >= closeBytes(volume)) {
            keepBallast(volume);
            return;
        }
        if (!closed) {
            close(volume);
            closing = true;
        }
        if (closing) {
            // Known as closed before: a command that is not answered in time may be done all the same, and is repeated.
            set(server, "min-replicas-to-write", REPLICAS_NOBODY_HAS);
            closing = false;
            return;
        }
        if (volume.free() >= OPEN_TIMES * closeBytes(volume)
                && nanos.getAsLong() - notBeforeNanos >= 0
                && isWritten(server)) {
            open(server, volume);
        }
    }

    private void close(DiskSpace.Volume volume) {
        closed = true;
        boolean soon = opened && nanos.getAsLong() - openedNanos < STABLE.toNanos();
        Duration longer = wait.isZero() ? WAIT_MIN : wait.multipliedBy(2);
        wait = !soon ? Duration.ZERO : longer.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : longer;
        notBeforeNanos = nanos.getAsLong() + wait.toNanos();
        log.error(
                "the disk is full: redis takes no writes and serves reads until there is room again freeBytes={} neededBytes={} dir={}",
                volume.free(),
                OPEN_TIMES * closeBytes(volume),
                dir);
    }

    /** Every write is synced again before the first one is taken. */
    private void open(RedisProcess server, DiskSpace.Volume volume) throws IOException {
        keepBallast(volume);
        // Until the gate is open, it may have to be closed again.
        closing = true;
        set(server, "appendfsync", "always");
        if (!isWritten(server)) {
            return;
        }
        set(server, "auto-aof-rewrite-percentage", USUAL_REWRITE_PERCENTAGE);
        set(server, "min-replicas-to-write", "0");
        closing = false;
        closed = false;
        opened = true;
        openedNanos = nanos.getAsLong();
        log.warn("the disk has room again: redis takes writes freeBytes={} dir={}", volume.free(), dir);
    }

    /** Whether all that the server has in memory is in its file. */
    private static boolean isWritten(RedisProcess server) throws IOException {
        String persistence = server.ask("INFO", "persistence").asString();
        return persistence.contains("aof_last_write_status:ok") && persistence.contains("aof_pending_bio_fsync:0");
    }

    private static void set(RedisProcess server, String name, String value) throws IOException {
        if (server.ask("CONFIG", "SET", name, value) instanceof Reply.Failure failure) {
            throw new IOException(failure.error().getMessage());
        }
    }

    /** Whether the last server has written that its disk had no room: of a quota, say, which no volume shows. */
    private boolean endedFull() throws IOException {
        Path file = dir.resolve("redis.log");
        if (!Files.exists(file)) {
            return false;
        }
        // The log of one start is short.
        return Files.readString(file).lines().anyMatch(FullDiskGate::saysFull);
    }

    private static boolean saysFull(String line) {
        return line.contains("AOF") && (isOfFullDisk(line) || line.contains("Short write"));
    }

    /** Whether a file could not be written for want of room. */
    static boolean isOfFullDisk(IOException failure) {
        return isOfFullDisk(failure.toString());
    }

    private static boolean isOfFullDisk(String message) {
        return message.contains("No space left on device")
                || message.contains("Disk quota exceeded")
                || message.contains("File too large");
    }

    /** Writes the ballast if it is missing and there is room for it. */
    private void keepBallast(DiskSpace.Volume volume) throws IOException {
        Path file = ballast();
        long bytes = Math.min(BALLAST_BYTES, closeBytes(volume) / BALLAST_PART);
        if (Files.exists(file) || volume.free() < OPEN_TIMES * closeBytes(volume)) {
            return;
        }
        // Zeros take no room on some file systems.
        byte[] noise = new byte[(int) bytes];
        new SplittableRandom(bytes).nextBytes(noise);
        PrivateFiles.create(file);
        Path unused = Files.write(file, noise, StandardOpenOption.WRITE);
    }

    private Path ballast() {
        return dir.resolve("ballast");
    }

    /** The room below which the gate closes. */
    static long closeBytes(DiskSpace.Volume volume) {
        return Math.min(CLOSE_BYTES, volume.total() / CLOSE_PART);
    }
}

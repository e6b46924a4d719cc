package io.fanfare.app;

import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.server.runtime.StartFailed;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes that a start loads, in the form that the JVM maps into memory ({@code -XX:SharedArchiveFile}): with it a
 * start takes half the processor time. A trial start in a process of its own, on a folder beside the file, writes it.
 *
 * <ul>
 *   <li>One process at a time makes it: it holds the lock of {@code FILE.lock}.
 *   <li>The JVM itself says whether a file fits this JVM and these jars. A file that is cut off would crash it, so a
 *       file takes its name when it is whole, tried and on the disk.
 *   <li>A trial of {@code prepare} that came to nothing is noted in {@code FILE.failed} with the jars and the JVM, and
 *       not repeated for them for a day: a unit that is started again would wait for it each time.
 *   <li>The trial has a deadline, and ends when this process ends, however that comes about ({@link Supervisor}); its
 *       redis-server ends with it.
 * </ul>
 */
final class ClassArchive {
    /** The path of the archive that the launcher asks for; absent if it asks for none. */
    static final String PROPERTY = "fanfare.classes";

    private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);

    /**
     * Beside a service at the lowest priority: on a busy machine it comes to nothing, and is tried at the next start.
     */
    private static final Duration BESIDE_MAX = Duration.ofMinutes(10);

    private static final List<String> LOWEST_PRIORITY = List.of("nice", "-n", "19");

    /** The only variables that the trial inherits: others may name a Redis, or options for another JVM. */
    private static final Set<String> ENVIRONMENT = Set.of("HOME", "PATH");

    /** The one that the archive is made with; others may map it as well. */
    private static final String HEAP = "-Xmx512m";

    private static final long POLL_MILLIS = 100;

    /** How long a trial that came to nothing is not repeated. */
    private static final Duration NOT_AGAIN = Duration.ofDays(1);

    private final Path file;
    private final List<String> prefix;
    private final long deadlineNanos;
    private final AtomicReference<Process> child = new AtomicReference<>();

    /** Whether the trial was too slow, or the JVM takes nothing back: neither will be better at the next start. */
    private boolean inVain;

    /** Whether this process ends, and the trial with it. */
    private volatile boolean ending;

    private ClassArchive(Path file, List<String> prefix, Duration max) {
        this.file = file.toAbsolutePath().normalize();
        this.prefix = prefix;
        this.deadlineNanos = System.nanoTime() + max.toNanos();
    }

    /** How it went. */
    enum Result {
        /** The file fits this JVM and these jars. */
        CURRENT,
        MADE,
        /** Another process makes it. */
        BUSY,
        /** It is not made: a trial with this JVM and these jars came to nothing within the last day. */
        GIVEN_UP
    }

    /** Makes the file for the JVM and the class path of this process unless it is current; waits for who makes it. */
    static Result make(Path file, Duration max) throws IOException {
        return new ClassArchive(file, List.of(), max).run(/* wait= */ true);
    }

    /** Makes the file that the launcher asks for, if it asks for one, on a thread of its own at the lowest priority. */
    static void makeBeside() {
        String wanted = System.getProperty(PROPERTY);
        if (wanted == null || !Files.isWritable(Path.of(wanted).toAbsolutePath().getParent())) {
            return;
        }
        Thread thread = new Thread(() -> makeBeside(Path.of(wanted)), "class-archive");
        thread.setDaemon(true);
        thread.start();
    }

    private static void makeBeside(Path wanted) {
        try {
            Result result = new ClassArchive(wanted, LOWEST_PRIORITY, BESIDE_MAX).run(/* wait= */ false);
            LOG.debug("classes for the next start: {} file={}", result, wanted);
        } catch (StartFailed | IOException e) {
            LOG.info("the next start loads its classes as slowly as this one: {}", e.getMessage());
        }
    }

    private Result run(boolean wait) throws IOException {
        Thread hook = new Thread(
                () -> {
                    ending = true;
                    killChild();
                },
                "class-archive-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try (FileChannel lockFile =
                        FileChannel.open(beside(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = lock(lockFile, wait)) {
            if (lock == null) {
                return Result.BUSY;
            }
            if (isCurrent(file)) {
                return Result.CURRENT;
            }
            // Beside a service nobody waits for it, and it may take longer.
            return wait && hasFailed() ? Result.GIVEN_UP : makeOrRemember();
        } finally {
            killChild();
            forget(hook);
        }
    }

    private FileLock lock(FileChannel lockFile, boolean wait) throws IOException {
        while (true) {
            Optional<FileLock> lock = tryLock(lockFile);
            if (lock.isPresent() || !wait || millisLeft() <= 0) {
                return lock.orElse(null);
            }
            pause();
        }
    }

    private static Optional<FileLock> tryLock(FileChannel lockFile) throws IOException {
        try {
            return Optional.ofNullable(lockFile.tryLock());
        } catch (OverlappingFileLockException ofThisProcess) {
            return Optional.empty();
        }
    }

    private Result makeOrRemember() throws IOException {
        try {
            Result made = make();
            Files.deleteIfExists(beside(".failed"));
            return made;
        } catch (StartFailed failed) {
            if (inVain && !ending) {
                Path noted = beside(".failed");
                Files.deleteIfExists(noted);
                PrivateFiles.create(noted);
                Files.writeString(noted, stamp());
            }
            throw failed;
        }
    }

    private boolean hasFailed() throws IOException {
        Path noted = beside(".failed");
        if (!Files.exists(noted)) {
            return false;
        }
        Instant at = Files.getLastModifiedTime(noted).toInstant();
        return at.plus(NOT_AGAIN).isAfter(Instant.now())
                && Files.readString(noted).equals(stamp());
    }

    /** Another one for other jars, or another JVM. */
    private static String stamp() throws IOException {
        StringBuilder stamp = new StringBuilder();
        for (String property : List.of("java.home", "java.vm.name", "java.vm.version")) {
            stamp.append(System.getProperty(property)).append('\n');
        }
        collector().forEach(argument -> stamp.append(argument).append('\n'));
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path jar = Path.of(part);
            stamp.append(part);
            if (Files.exists(jar)) {
                stamp.append(' ').append(Files.size(jar)).append(' ').append(Files.getLastModifiedTime(jar));
            }
            stamp.append('\n');
        }
        return stamp.toString();
    }

    /** Under the lock. */
    private Result make() throws IOException {
        Path part = beside(".part");
        Path data = beside(".data");
        Path output = beside(".log");
        Files.deleteIfExists(part);
        Files.deleteIfExists(output);
        PrivateFiles.create(output);
        try {
            int status = run(
                    output,
                    List.of(HEAP, "-Xlog:disable", "-XX:ArchiveClassesAtExit=" + part),
                    List.of("up", "--port", "0", "--data", data.toString(), "--end-when-ready"));
            if (status != 0) {
                throw new StartFailed("a trial start ended with status " + status + ", see " + output);
            }
            if (!isCurrent(part)) {
                inVain = true;
                throw new StartFailed("this JVM keeps no classes, or does not take them back, see " + output);
            }
            try (FileChannel written = FileChannel.open(part)) {
                written.force(true);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            Files.delete(output);
            return Result.MADE;
        } finally {
            Files.deleteIfExists(part);
            removeData(data);
        }
    }

    /** Whether the JVM takes it: with {@code -Xshare:on} it ends unless it does, and shows a file that is cut off. */
    private boolean isCurrent(Path archive) throws IOException {
        return Files.exists(archive)
                && run(
                                null,
                                List.of(
                                        "-XX:SharedArchiveFile=" + archive,
                                        "-Xshare:on",
                                        "-Xlog:disable",
                                        "-XX:+SuppressFatalErrorMessage",
                                        "-XX:-CreateCoredumpOnCrash"),
                                List.of("version"))
                        == 0;
    }

    /** Unless a trial that an earlier process has begun still runs on it. */
    private static void removeData(Path data) throws IOException {
        if (!Files.isDirectory(data)) {
            return;
        }
        try (DataFolder ours = DataFolder.take(data)) {
            PrivateFiles.remove(ours.path());
        } catch (StartFailed inUse) {
            LOG.debug("left where it is: {}", inUse.getMessage());
        }
    }

    /**
     * A command of this program in a process of its own.
     *
     * @param output null = nowhere
     */
    private int run(Path output, List<String> options, List<String> command) throws IOException {
        List<String> line = new ArrayList<>(prefix);
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        collector().forEach(line::add);
        line.addAll(options);
        line.add("-D" + Supervisor.PROPERTY + "=" + ProcessHandle.current().pid());
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(
                        output == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.to(output.toFile()));
        builder.environment().keySet().retainAll(ENVIRONMENT);
        Process process = builder.start();
        process.getOutputStream().close();
        child.set(process);
        try {
            if (!process.waitFor(millisLeft(), TimeUnit.MILLISECONDS)) {
                inVain = true;
                throw new StartFailed("a trial start did not end in time");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartFailed("interrupted");
        } finally {
            killChild();
        }
    }

    /** An archive fits a JVM with the same collector best. */
    private static Stream<String> collector() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.matches("-XX:\\+Use\\w+GC"));
    }

    private void killChild() {
        Process running = child.getAndSet(null);
        if (running != null) {
            running.destroyForcibly();
        }
    }

    private static void forget(Thread hook) {
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // It runs.
        }
    }

    private long millisLeft() {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime()));
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartFailed("interrupted");
        }
    }

    private Path beside(String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }
}

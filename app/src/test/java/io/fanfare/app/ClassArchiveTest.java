package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.server.runtime.StartFailed;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The file of loaded classes, made by real processes. */
@Tag("programs")
class ClassArchiveTest {
    private static final Duration WAIT_MAX = Duration.ofMinutes(3);
    private static final String READY = "Ctrl-C finishes what is under way";

    /** One that a process has made: each takes seconds of a processor. */
    private static Path whole;

    @TempDir
    Path dir;

    private Path file;

    @BeforeAll
    static void make(@TempDir Path folder) throws Exception {
        whole = folder.resolve("kept/classes.jsa");
        assertThat(prepare(whole)).contains(whole + " is made");
        assertThat(left(whole.getParent())).containsExactly("classes.jsa", "classes.jsa.lock");
    }

    @BeforeEach
    void place() throws IOException {
        file = Files.createDirectory(dir.resolve("kept")).resolve("classes.jsa");
    }

    @Test
    void aFileThatTheJvmTakesIsNotMadeAgain() throws Exception {
        Files.copy(whole, file);
        FileTime made = Files.getLastModifiedTime(file);
        assertThat(prepare()).contains(file + " is current, nothing to do");
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(made);
        assertThat(left()).containsExactly("classes.jsa", "classes.jsa.lock");
    }

    @Test
    void aProcessWaitsWhileAnotherMakesTheArchive() throws Exception {
        try (FileChannel channel =
                FileChannel.open(beside(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock held = channel.lock();
            try (FanfareProcess waiting = started(file)) {
                Awaitility.await()
                        .atMost(WAIT_MAX)
                        .until(() -> holdsOpen(waiting.handle(), beside(".lock")) || !waiting.isAlive());
                assertThat(waiting.isAlive()).as(waiting.output()).isTrue();
                assertThat(waiting.handle().children()).isEmpty();
                Files.copy(whole, file);
                held.release();
                assertThat(waiting.awaitExit(WAIT_MAX)).as(waiting.output()).isZero();
                assertThat(waiting.output()).contains(file + " is current, nothing to do");
            }
        }
    }

    @Test
    void theTrialAndItsRedisEndWithAProcessThatIsKilledAndTheNextOneReplacesAFileThatTheJvmDoesNotTake()
            throws Exception {
        // A JVM that maps one that was cut off dies of it.
        byte[] cutOff = new byte[1 << 20];
        Files.write(file, cutOff);
        Files.writeString(beside(".failed"), "another JVM");
        ProcessHandle redis;
        List<ProcessHandle> trial;
        try (FanfareProcess killed = started(file)) {
            redis = redisOfTheTrial();
            trial = killed.handle().children().toList();
            assertThat(trial).hasSize(1);
            killed.kill();
        }
        awaitEnd(trial.get(0));
        awaitEnd(redis);
        assertThat(file).hasBinaryContent(cutOff);

        assertThat(prepare()).contains(file + " is made");
        assertThat(Files.size(file)).isGreaterThan(Files.size(whole) / 2);
        assertThat(left()).containsExactly("classes.jsa", "classes.jsa.lock");
    }

    @Test
    void aTrialThatCannotEndInTimeIsNotRepeatedForTheSameJarAndJvm() throws Exception {
        Path failed = beside(".failed");
        assertTooLate();
        String stamp = Files.readString(failed);

        // As long as it likes: nothing is started.
        assertThat(ClassArchive.make(file, WAIT_MAX)).isEqualTo(ClassArchive.Result.GIVEN_UP);
        assertThat(new CommandLine(new PrepareCommand()).execute("--to", file.toString()))
                .as("a unit goes on")
                .isZero();
        assertThat(file).doesNotExist();

        String jar = System.getProperty("java.class.path").split(File.pathSeparator, 2)[0];
        for (String differs : List.of(System.getProperty("java.vm.version"), jar)) {
            assertThat(stamp).contains(differs);
            Files.writeString(failed, stamp.replace(differs, "another"));
            assertTooLate();
            assertThat(failed).content().isEqualTo(stamp);
        }
        Files.setLastModifiedTime(failed, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        assertTooLate();
        assertThat(left()).containsExactly("classes.jsa.failed", "classes.jsa.lock", "classes.jsa.log");
    }

    private void assertTooLate() {
        assertThatThrownBy(() -> ClassArchive.make(file, Duration.ofMillis(300)))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("did not end in time");
    }

    @Test
    void theFolderOfAnotherTrialStartIsLeftAlone() throws Exception {
        Path data = beside(".data");
        Files.createDirectories(data);
        try (DataFolder theirs = DataFolder.take(data);
                FanfareProcess prepare = started(file)) {
            Files.createFile(theirs.path().resolve("theirs"));
            assertThat(prepare.awaitExit(WAIT_MAX)).as(prepare.output()).isEqualTo(1);
            assertThat(prepare.output()).contains("fanfare: a trial start ended with status 1, see " + beside(".log"));
            assertThat(Files.readString(beside(".log"))).contains("another fanfare runs on " + data);
            assertThat(theirs.path().resolve("theirs")).exists();
        }
    }

    @Test
    void upMakesTheFileWhenItIsReadyAndTheTrialEndsWithIt() throws Exception {
        try (FanfareProcess up = up()) {
            ProcessHandle redis = redisOfTheTrial();
            assertThat(up.output())
                    .as("the trial begins when the service is ready")
                    .contains(READY);
            List<ProcessHandle> trial = up.handle()
                    .children()
                    .filter(child -> child.info().command().orElse("").endsWith("/java"))
                    .toList();
            assertThat(trial).hasSize(1);

            assertThat(up.stop(WAIT_MAX)).as(up.output()).isZero();

            awaitEnd(trial.get(0));
            awaitEnd(redis);
            assertThat(file).doesNotExist();
        }

        try (FanfareProcess up = up()) {
            Awaitility.await().atMost(WAIT_MAX).until(() -> Files.exists(file) || !up.isAlive());
            assertThat(up.stop(WAIT_MAX)).as(up.output()).isZero();
        }
        assertThat(prepare()).contains(file + " is current, nothing to do");
    }

    @Test
    void anUpThatFailsAtOnceBeginsNothing() throws Exception {
        try (DataFolder theirs = DataFolder.take(dir.resolve("data"));
                FanfareProcess up = up()) {
            assertThat(up.awaitExit(WAIT_MAX)).as(up.output()).isEqualTo(1);
            assertThat(up.output()).contains("another fanfare runs on " + theirs.path());
            assertThat(left()).isEmpty();
        }
    }

    private FanfareProcess up() {
        return FanfareProcess.withJavaOption(
                "-D" + ClassArchive.PROPERTY + "=" + file, dir.resolve("data"), "up", "--port", "0");
    }

    private String prepare() throws Exception {
        return prepare(file);
    }

    private static String prepare(Path file) throws Exception {
        try (FanfareProcess prepare = started(file)) {
            assertThat(prepare.awaitExit(WAIT_MAX)).as(prepare.output()).isZero();
            return prepare.output();
        }
    }

    private static FanfareProcess started(Path file) {
        return FanfareProcess.ofClient(file.getParent().getParent(), "prepare", "--to", file.toString());
    }

    private ProcessHandle redisOfTheTrial() {
        Path pid = beside(".data").resolve("redis/redis.pid");
        Awaitility.await().atMost(WAIT_MAX).until(() -> read(pid).isPresent());
        return ProcessHandle.of(read(pid).orElseThrow()).orElseThrow();
    }

    private static Optional<Long> read(Path pid) {
        try {
            String text = Files.readString(pid).strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(Long.parseLong(text));
        } catch (IOException notYet) {
            return Optional.empty();
        }
    }

    private static void awaitEnd(ProcessHandle process) {
        Awaitility.await().atMost(WAIT_MAX).until(() -> !process.isAlive());
    }

    private static boolean holdsOpen(ProcessHandle process, Path wanted) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            return open.anyMatch(descriptor -> {
                try {
                    return Files.readSymbolicLink(descriptor).equals(wanted.toRealPath());
                } catch (IOException closed) {
                    return false;
                }
            });
        }
    }

    private Path beside(String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }

    private List<String> left() throws IOException {
        return left(file.getParent());
    }

    private static List<String> left(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}

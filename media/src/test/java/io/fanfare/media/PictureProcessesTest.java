package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fanfare.common.model.Refusal;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Child processes that make pictures, which die, hang and cannot be started. */
@Timeout(300)
class PictureProcessesTest {
    private static final int PIXELS_MAX = 33_177_600;
    private static final long SECONDS = 120;

    @TempDir
    Path folder;

    private PictureProcesses processes;

    @AfterEach
    void close() {
        if (processes != null) {
            processes.close();
        }
        TestRedis.awaitUntil("the end of all children", () -> children().isEmpty());
    }

    private void start(long seconds, String... options) {
        processes = new PictureProcesses(
                () -> folder.resolve("draft"), () -> Confinement.probe(Ffmpeg.searchPath()), List.of(options), seconds);
    }

    private Rendition make(byte[] file) throws IOException {
        Path upload = Files.write(folder.resolve("upload"), file);
        Path cleaned = folder.resolve("clean");
        PictureHead head = new PictureCheck(PIXELS_MAX).check(upload, cleaned);
        return processes.make(PictureUse.ATTACHMENT, head, cleaned, original(), folder.resolve("small"));
    }

    private Path original() {
        return folder.resolve("original");
    }

    private void assertRefused(Refusal.Reason reason, byte[] file) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> make(file))
                .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current()
                .children()
                .filter(PictureProcessesTest::isPictureChild)
                .toList();
    }

    /** The system cuts a long command line, but not what it shows here. */
    private static boolean isPictureChild(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .contains(PictureChild.class.getName());
        } catch (IOException ended) {
            return false;
        }
    }

    @Test
    void aPictureIsMadeByAChildThatServesTheNextOneToo() throws IOException {
        start(SECONDS);
        assertThat(make(TestPictures.jpeg(1600, 900)).smallWidth()).isEqualTo(640);
        List<ProcessHandle> first = children();

        assertThat(make(TestPictures.png(30, 20)).extension()).isEqualTo("png");

        assertThat(first).hasSize(1);
        assertThat(children()).isEqualTo(first);
        assertThat(original()).exists();
    }

    @Test
    void aBrokenFileIsRefusedAndItsChildGoesOn() throws IOException {
        start(SECONDS);
        assertRefused(Refusal.Reason.INVALID, TestPictures.rawPng(30, 20, 8, 2, 0, new byte[] {1, 2, 3}));
        List<ProcessHandle> first = children();

        assertThat(make(TestPictures.png(30, 20)).width()).isEqualTo(30);

        assertThat(first).hasSize(1);
        assertThat(children()).isEqualTo(first);
    }

    @Tag("programs")
    @Test
    void aFileThatFillsTheMemoryOfTwoChildrenIsBrokenAndTheNextPictureIsMade() throws IOException {
        start(SECONDS, "-Xmx16m");

        assertRefused(Refusal.Reason.INVALID, TestPictures.jpeg(4000, 3000));

        assertThat(processes.deaths()).isEqualTo(2);
        assertThat(make(TestPictures.png(30, 20)).width()).isEqualTo(30);
    }

    @Test
    void aChildThatIsKilledFromOutsideCostsTheFileNothing() throws IOException {
        start(SECONDS);
        assertThat(make(TestPictures.png(30, 20)).width()).isEqualTo(30);
        children().forEach(ProcessHandle::destroyForcibly);
        TestRedis.awaitUntil("the end of the child", () -> children().isEmpty());

        assertThat(make(TestPictures.png(30, 20)).width()).isEqualTo(30);
    }

    /** The copy is a pipe that nobody writes to, so that the decoder waits. */
    @Test
    void aChildThatHasNoTimeOfAProcessorIsKilledAndItsFileIsNotBroken() throws Exception {
        start(2);
        Path upload = Files.write(folder.resolve("upload"), TestPictures.png(30, 20));
        PictureHead head = new PictureCheck(PIXELS_MAX).check(upload, folder.resolve("clean"));
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(
                        () -> processes.make(PictureUse.ATTACHMENT, head, pipe, original(), folder.resolve("small")))
                .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.OVERLOADED));

        assertThat(processes.deaths()).isZero();
        TestRedis.awaitUntil("the end of the child", () -> children().isEmpty());
    }

    /** As when the system runs out of memory: the child is the first to go. */
    @Test
    void aPictureWhoseChildTheSystemKillsIsMadeByAnother() throws Exception {
        start(SECONDS);
        assertThat(make(TestPictures.png(30, 20)).width()).isEqualTo(30);
        Duration idle = processorTime();
        // Two seconds of a processor.
        byte[] large = TestPictures.rawPng(7680, 4320, 16, 6, 0, TestPictures.zippedZeros(4320 * (1 + 7680L * 8)));
        CompletableFuture<Rendition> made = CompletableFuture.supplyAsync(() -> {
            try {
                return make(large);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        TestRedis.awaitUntil(
                "the child is at work", () -> processorTime().minus(idle).compareTo(Duration.ofMillis(300)) > 0);

        children().forEach(ProcessHandle::destroyForcibly);

        assertThat(made.get(60, TimeUnit.SECONDS).width()).isEqualTo(2560);
        assertThat(processes.deaths()).isZero();
    }

    @Test
    void aChildThatTheSystemKillsIsNoDeathOfTheFile() throws Exception {
        start(SECONDS, "-Xmx16m");
        assertThat(make(TestPictures.png(30, 20)).width()).isEqualTo(30);
        String child = Long.toString(children().get(0).pid());
        assertThat(new ProcessBuilder("kill", "-STOP", child).start().waitFor()).isZero();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread making = new Thread(() -> {
            try {
                Rendition unused = make(TestPictures.jpeg(4000, 3000));
            } catch (IOException | RuntimeException e) {
                failure.set(e);
            }
        });
        making.start();
        TestRedis.awaitUntil("the child has the file", () -> Stream.of(making.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("within")));

        assertThat(new ProcessBuilder("kill", "-KILL", child).start().waitFor()).isZero();
        making.join(Duration.ofSeconds(SECONDS).toMillis());

        assertThat(failure.get()).isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.reason())
                .isEqualTo(Refusal.Reason.INVALID));
        assertThat(processes.deaths()).as("of itself").isEqualTo(2);
    }

    private static Duration processorTime() {
        return children().stream()
                .map(child -> child.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    @Test
    void aChildThatCannotBeStartedIsNoFaultOfTheFile() {
        start(SECONDS, "-XX:NoSuchOption");

        assertRefused(Refusal.Reason.OVERLOADED, TestPictures.png(30, 20));

        assertThat(processes.size()).isZero();
    }

    @Test
    void aDiskThatIsFullIsNoFaultOfThePicture() throws IOException {
        start(SECONDS);
        Path upload = Files.write(folder.resolve("upload"), TestPictures.jpeg(50, 40));
        PictureHead head = new PictureCheck(PIXELS_MAX).check(upload, folder.resolve("clean"));
        Path nowhere = folder.resolve("missing").resolve("original");

        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> processes.make(
                        PictureUse.ATTACHMENT, head, folder.resolve("clean"), nowhere, folder.resolve("small")))
                .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.OVERLOADED));
    }

    @Test
    void aChildHasNothingOfOurEnvironmentAndNoneOfOurFiles() throws IOException {
        start(SECONDS);
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        try (var open = Files.newInputStream(secret)) {
            assertThat(open.read()).isEqualTo('s');
            assertThat(make(TestPictures.png(30, 20)).width()).isEqualTo(30);
            Path process = Path.of("/proc", Long.toString(children().get(0).pid()));

            assertThat(Files.readString(process.resolve("environ"), StandardCharsets.UTF_8))
                    .isEqualTo("LC_ALL=C.UTF-8\0");
            try (Stream<Path> files = Files.list(process.resolve("fd"))) {
                assertThat(files.map(PictureProcessesTest::target)).isNotEmpty().doesNotContain(secret.toString());
            }
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    @Test
    void aChildEndsWhenItHasHadNothingToDoFromOneCheckToTheNext() throws IOException {
        start(SECONDS);
        assertThat(make(TestPictures.png(30, 20)).width()).isEqualTo(30);

        processes.endIdle();
        assertThat(make(TestPictures.png(30, 20)).width()).isEqualTo(30);
        processes.endIdle();
        assertThat(processes.size()).isOne();
        processes.endIdle();

        assertThat(processes.size()).isZero();
        TestRedis.awaitUntil("the end of the child", () -> children().isEmpty());
    }

    @Test
    void aChildEndsWhenItsParentHasEnded() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PictureChild.class.getName())
                .start();
        assertThat(child.getInputStream().read()).isEqualTo(PictureChild.READY);

        child.getOutputStream().close();

        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
}

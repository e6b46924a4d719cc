package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Refusal;
import io.fanfare.media.ExtremePictures.Extreme;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that cost as much as their formats allow. Each is refused before it is decoded, or its child process makes or
 * refuses it within its memory; none takes memory of this process in proportion to the picture.
 * {@code -Dfanfare.tests.seed=N} and {@code -Dfanfare.tests.files=N} repeat a run.
 */
@Timeout(3600)
class ExtremePicturesTest {
    private static final long SEED = Long.getLong("fanfare.tests.seed", 20_261_128L);
    private static final int FILES = 15;
    private static final int MANY_FILES = Integer.getInteger("fanfare.tests.files", 3000);

    /** Buffers of the files that are copied. */
    private static final long HEAP_BYTES = 1 << 20;

    private static final int PIECE_BYTES = 8192;

    /** Less than one of the largest chunks, and than a hundred buffers; other tests of this process have some, too. */
    private static final long DIRECT_BYTES = 4 << 20;

    @TempDir
    Path folder;

    private final PictureCheck check = new PictureCheck(ExtremePictures.PIXELS_MAX);

    @Test
    void noFileEndsAProcessOrCostsMoreThanItMay() throws IOException {
        tryFiles(FILES, SEED);
    }

    @Test
    @Tag("faults")
    void noneOfManyFilesEndsAProcessOrCostsMoreThanItMay() throws IOException {
        tryFiles(MANY_FILES, SEED + 1);
    }

    private void tryFiles(int count, long seed) throws IOException {
        // The first of them loads classes.
        checked(TestPictures.jpeg(10, 10));
        checked(TestPictures.WEBP);
        checked(new byte[] {1, 2, 3});
        ExtremePictures extremes = new ExtremePictures(new Random(seed));
        long direct = direct();
        int refused = 0;
        int made = 0;
        Duration cpu = Duration.ZERO;
        try (PictureProcesses processes = new PictureProcesses(
                () -> folder.resolve("draft"),
                Confinement.once(Ffmpeg.searchPath()),
                List.of(),
                /* secondsMax= */ 120)) {
            for (int i = 0; i < count; i++) {
                Extreme extreme = extremes.next();
                String as = "seed %d, file %d: %s".formatted(seed, i, extreme.name());
                Path upload = written(extreme.file());
                Path cleaned = folder.resolve("clean");
                long heap = allocated();
                PictureHead head;
                try {
                    head = check.check(upload, cleaned);
                } catch (Refusal refusal) {
                    assertThat(refusal.reason()).as(as).isEqualTo(Refusal.Reason.INVALID);
                    assertThat(allocated() - heap).as(as).isLessThan(HEAP_BYTES);
                    refused++;
                    continue;
                }
                assertThat(allocated() - heap).as(as).isLessThan(HEAP_BYTES);
                assertThat(extreme.passes() * extreme.pixels())
                        .as(as)
                        .isLessThanOrEqualTo(PictureCheck.SCANS_OF_LARGEST * (long) ExtremePictures.PIXELS_MAX);
                if (head.format() != PictureFormat.WEBP) {
                    // A PNG of one bit a pixel holds most: 8256 of them in a byte.
                    assertThat((extreme.file().length + 1L) * 8256).as(as).isGreaterThanOrEqualTo(extreme.pixels());
                }
                try {
                    Rendition unused = processes.make(
                            PictureUse.ATTACHMENT, head, cleaned, folder.resolve("original"), folder.resolve("small"));
                    made++;
                } catch (Refusal refusal) {
                    assertThat(refusal.reason()).as(as).isEqualTo(Refusal.Reason.INVALID);
                    refused++;
                }
                assertThat(processes.deaths()).as(as).isZero();
            }
            cpu = childrenTime();
        }
        System.out.println("seed " + seed + ": " + count + " extreme files, " + made + " pictures made, " + refused
                + " files refused, " + cpu.toMillis() + " ms of the last child's processor");
        assertThat(direct() - direct).as("direct memory that is kept").isLessThan(DIRECT_BYTES);
        assertThat(made).isGreaterThan(count / 10);
        assertThat(refused).isGreaterThan(count / 10);
    }

    private static long allocated() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return ((com.sun.management.ThreadMXBean) threads)
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    private static Duration childrenTime() {
        return ProcessHandle.current()
                .children()
                .map(child -> child.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    @Test
    void aHundredUploadsOfEachFormatLeaveNoDirectMemoryBehind() throws IOException {
        byte[] webp = TestPictures.WEBP;
        List<byte[]> files = List.of(
                TestPictures.jpeg(640, 480),
                TestPictures.png(640, 480),
                TestPictures.gif(640, 480),
                webp,
                TestPictures.withAlpha(webp, 32 << 10),
                TestPictures.withAlpha(webp, 16 << 20));
        long before = direct();

        for (int i = 0; i < 100; i++) {
            for (byte[] file : files.subList(0, i == 0 ? files.size() : files.size() - 1)) {
                checked(file);
            }
        }

        assertThat(direct() - before).isLessThan(DIRECT_BYTES);
    }

    private void checked(byte[] file) throws IOException {
        try {
            PictureHead unused = check.check(written(file), folder.resolve("clean"));
        } catch (Refusal refusal) {
            assertThat(refusal.reason()).isEqualTo(Refusal.Reason.INVALID);
        }
    }

    /** In pieces: one write of all bytes would keep a buffer as large as they are for this thread. */
    private Path written(byte[] file) throws IOException {
        Path upload = folder.resolve("upload");
        try (OutputStream out = Files.newOutputStream(upload)) {
            for (int at = 0; at < file.length; at += PIECE_BYTES) {
                out.write(file, at, Math.min(PIECE_BYTES, file.length - at));
            }
        }
        return upload;
    }
}

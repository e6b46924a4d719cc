package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fanfare.common.model.ClipFormat;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With the ffmpeg of this machine, which CI installs, and with scripts that take its place. */
@Timeout(300)
class FfmpegTest {
    private static final String PATH = System.getenv("PATH");
    private static final boolean EXPECTED = System.getenv("TESTS_NEED_FFMPEG") != null;
    private static final int BROKEN = 20;
    private static final int MANY_BROKEN = Integer.getInteger("fanfare.tests.files", 10_000);
    private static final long SEED = Long.getLong("fanfare.tests.seed", 20_261_127L);

    private static final Supplier<Confinement> CONFINEMENT = Confinement.once(PATH);
    private static final Supplier<Confinement> UNCONFINED = Confinement.once("/nowhere");
    private static final PictureProcesses PICTURES = new PictureProcesses(
            () -> Path.of(System.getProperty("java.io.tmpdir"), "draft"), CONFINEMENT, List.of(), /* secondsMax= */ 60);

    @TempDir
    Path folder;

    @AfterAll
    static void endChildren() {
        PICTURES.close();
    }

    private final Settings.Media settings = SettingsLoader.defaultsWith().media();

    /** Skipped without it, but not where CI has installed it. */
    private void needsFfmpeg() {
        boolean there = Ffmpeg.program(settings, PATH).isPresent();
        assumeTrue(there || EXPECTED, "ffmpeg is not on the PATH");
        assertThat(there).as(".ci/run installs ffmpeg").isTrue();
    }

    private Path draft(String name) {
        return folder.resolve(name);
    }

    private Rendition make(ClipMaker maker, byte[] file) throws IOException {
        Path upload = Files.write(draft("upload"), file);
        ClipHead head = ClipHead.read(upload).orElseThrow();
        int[] drafts = {0};
        Supplier<Path> more = () -> draft("more" + drafts[0]++);
        Rendition made = TestClips.make(maker, head, upload, draft("original"), draft("small"), more);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .as("nothing else is left")
                    .isSubsetOf("original", "small", "script", "told");
        }
        return made;
    }

    private ClipMaker maker(Ffmpeg ffmpeg) {
        return new ClipMaker(settings, new PictureCheck(settings.pixelsMax()), PICTURES, Optional.ofNullable(ffmpeg));
    }

    private ClipMaker maker() {
        return maker(Ffmpeg.of(settings, PATH, CONFINEMENT).orElseThrow());
    }

    /** Another program in its place. */
    private ClipMaker script(String... lines) throws IOException {
        Path script = Files.writeString(draft("script"), "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Path unused = Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        Settings.Media with =
                SettingsLoader.defaultsWith("media.ffmpeg=" + script).media();
        return maker(Ffmpeg.of(with, PATH, CONFINEMENT, /* secondsMax= */ 2).orElseThrow());
    }

    private static void assertNoPreview(Rendition made) {
        assertThat(made.smallWidth()).isZero();
        assertThat(made.blurhash()).isEmpty();
        assertThat(made.clip()).isNotNull();
    }

    @Test
    void aVideoHasAFrameForAPreview() throws IOException {
        needsFfmpeg();
        for (byte[] file : List.of(TestClips.MP4, TestClips.MOV, TestClips.FRAGMENTED, TestClips.WEBM)) {
            Rendition made = make(maker(), file);

            assertThat(List.of(made.smallWidth(), made.smallHeight())).containsExactly(64, 48);
            assertThat(made.blurhash()).hasSize(28);
            byte[] small = Files.readAllBytes(draft("small"));
            assertThat(List.of(small[0], small[1])).containsExactly((byte) 0xff, (byte) 0xd8);
            Files.delete(draft("small"));
        }
    }

    @Test
    void theFrameStandsAsTheVideoIsShown() throws IOException {
        needsFfmpeg();

        Rendition made = make(maker(), TestClips.turned());

        assertThat(List.of(made.smallWidth(), made.smallHeight())).containsExactly(48, 64);
    }

    @Test
    void aSoundHasItsCoverAndWithoutOneNothing() throws IOException {
        needsFfmpeg();

        Rendition made = make(maker(), TestClips.MP3_WITH_COVER);

        assertThat(List.of(made.smallWidth(), made.smallHeight())).containsExactly(120, 80);
        assertThat(made.width()).isZero();
        Files.delete(draft("small"));
        for (byte[] file : List.of(TestClips.MP3, TestClips.OGG, TestClips.FLAC, TestClips.M4A, TestClips.AAC)) {
            assertNoPreview(make(maker(), file));
            assertThat(draft("small")).doesNotExist();
        }
    }

    @Test
    void withoutFfmpegAVideoIsStoredWithoutAPreview() throws IOException {
        assertNoPreview(make(maker(null), TestClips.MP4));
        assertThat(Ffmpeg.program(settings, folder + ":relative::/nowhere")).isEmpty();
        Settings.Media none = SettingsLoader.defaultsWith("media.ffmpeg=none").media();
        assertThat(Ffmpeg.of(none, PATH, CONFINEMENT)).isEmpty();
    }

    /** The arguments and the environment that the program gets, and those that it does not get. */
    @Test
    void itKnowsNothingOfThisProcessAndReadsOneFileOfOneKind() throws IOException {
        Path log = draft("told");
        assertNoPreview(make(script("env > " + log, "echo \"$@\" >> " + log, "exit 1"), TestClips.WEBM));

        assertThat(Files.readString(log))
                .as("prlimit lets it write nothing, not even this")
                .isEmpty();
        Files.delete(log);
        Ffmpeg bare = Ffmpeg.of(
                        SettingsLoader.defaultsWith("media.ffmpeg=" + draft("script"))
                                .media(),
                        "/nowhere",
                        UNCONFINED,
                        /* secondsMax= */ 2)
                .orElseThrow();
        assertNoPreview(make(maker(bare), TestClips.WEBM));
        Map<String, String> environment = new HashMap<>();
        List<String> lines = Files.readAllLines(log);
        for (String line : lines) {
            String[] words = line.split("=", 2);
            if (words.length == 2 && !line.startsWith("-")) {
                String unused = environment.put(words[0], words[1]);
            }
        }
        // The shell of the script has set the others.
        assertThat(environment.keySet()).isSubsetOf("LC_ALL", "PWD", "OLDPWD", "SHLVL", "_", "PATH");
        assertThat(lines.get(lines.size() - 1))
                .contains("-nostdin", "-protocol_whitelist file -f matroska", "-codec_whitelist h264,", "-i file:/");
    }

    @Test
    void aProgramThatTakesTooLongIsKilledWithItsChildren() throws IOException {
        long began = System.nanoTime();
        assertNoPreview(make(script("sleep 60 & sleep 60"), TestClips.MP4));

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
        // What is killed may be there for a moment, until it has had its turn to end.
        TestRedis.awaitUntil("its children have ended", () -> ProcessHandle.current()
                .descendants()
                .map(each -> each.info().commandLine().orElse(""))
                .noneMatch(line -> line.contains("sleep 60")));
    }

    @Test
    void aKilledProgramIsNotTriedAgainAndAnyOtherFailureIsTriedOnceMore() throws IOException {
        Path log = draft("told");
        ClipHead head = ClipHead.video(ClipFormat.MP4, 5, 10, 64, 48);
        Path clip = Files.write(draft("original"), TestClips.MP4);
        for (String end : List.of("sleep 60", "cat /dev/zero", "kill -9 $$", "exit 1")) {
            ClipMaker unused = script("echo tried >> " + log, end);
            Settings.Media with = SettingsLoader.defaultsWith("media.ffmpeg=" + draft("script"))
                    .media();
            Ffmpeg bare =
                    Ffmpeg.of(with, "/nowhere", UNCONFINED, /* secondsMax= */ 2).orElseThrow();

            assertThat(bare.frame(head, clip, draft("small"))).isFalse();
            assertThat(Files.readAllLines(log)).as(end).hasSize(end.equals("exit 1") ? 2 : 1);
            Files.delete(log);
        }
    }

    @Test
    void aPreviewThatCannotBeWrittenLeavesTheFile() throws IOException {
        needsFfmpeg();
        Path upload = Files.write(draft("upload"), TestClips.MP4);
        ClipHead head = ClipHead.read(upload).orElseThrow();

        Rendition made = TestClips.make(
                maker(), head, upload, draft("original"), draft("small"), () -> folder.resolve("no/file"));

        assertNoPreview(made);
        assertThat(draft("original")).hasSize(TestClips.MP4.length);
    }

    @Test
    void aFolderIsNoProgram() throws IOException {
        Path unused = Files.createDirectory(draft("ffmpeg"));
        assertThat(Ffmpeg.program(settings, folder.toString())).isEmpty();
        Settings.Media named =
                SettingsLoader.defaultsWith("media.ffmpeg=" + draft("ffmpeg")).media();
        assertThat(Ffmpeg.program(named, PATH)).isEmpty();
    }

    @Test
    void theOutputIsCheckedLikeAnUpload() throws IOException {
        for (String line : List.of(
                "cat /dev/zero",
                "echo '<html><script>alert(1)</script>'",
                "exit 0",
                "exit 3",
                "kill -9 $$",
                "cat >&2")) {
            assertNoPreview(make(script(line), TestClips.MP4));
            assertThat(draft("small")).doesNotExist();
        }
        Path unused = Files.write(draft("told"), TestPictures.hugePng(8000, 5000));
        assertNoPreview(make(script("cat " + draft("told")), TestClips.MP4));
    }

    /** A playlist that names other files is what ffmpeg is known for. */
    @Test
    void aFileThatNamesOthersIsNoVideo() throws IOException {
        needsFfmpeg();
        Path secret = Files.writeString(draft("told"), "secret");
        byte[] list = ("#EXTM3U\n#EXTINF:10,\nfile://" + secret + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] file = Arrays.copyOf(TestClips.MP4, TestClips.MP4.length);
        System.arraycopy(
                list, 0, file, TestClips.find(file, "mdat".getBytes(StandardCharsets.US_ASCII)) + 4, list.length);

        Rendition made = make(maker(), file);

        assertThat(made.clip()).isNotNull();
        assertThat(ClipHead.read(Files.write(draft("upload"), list))).isEmpty();
        Files.delete(draft("upload"));
    }

    @Tag("programs")
    @Test
    void brokenFilesAreStoredOrRefused() throws IOException {
        needsFfmpeg();
        breakFiles(BROKEN, SEED);
    }

    @Test
    @Tag("faults")
    @Timeout(3600)
    void manyBrokenFilesAreStoredOrRefused() throws IOException {
        needsFfmpeg();
        breakFiles(MANY_BROKEN, SEED + 1);
    }

    private void breakFiles(int count, long seed) throws IOException {
        Random random = new Random(seed);
        List<byte[]> files = TestClips.all();
        int previews = 0;
        int refused = 0;
        for (int i = 0; i < count; i++) {
            byte[] file = TestPictures.mutated(files.get(i % files.size()), random);
            try {
                boolean clip = ClipHead.read(Files.write(draft("upload"), file)).isPresent();
                Files.delete(draft("upload"));
                if (clip && make(maker(), file).smallWidth() > 0) {
                    previews++;
                    Files.delete(draft("small"));
                }
            } catch (Refusal refusal) {
                refused++;
                boolean unused = Files.deleteIfExists(draft("upload"));
            }
        }
        System.out.println("seed " + seed + ": " + previews + " previews, " + refused + " refused of " + count);
        assertThat(previews).isPositive();
    }
}

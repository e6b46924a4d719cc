package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.fanfare.common.model.Clip;
import io.fanfare.common.model.ClipFormat;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClipHeadTest {
    private static final int BROKEN = 5000;
    private static final int MANY_BROKEN = Integer.getInteger("fanfare.tests.files", 100_000);
    private static final long SEED = Long.getLong("fanfare.tests.seed", 20_261_127L);

    private final Settings.Media settings = SettingsLoader.defaultsWith().media();

    @TempDir
    Path folder;

    private Optional<ClipHead> read(byte[] file) throws IOException {
        return ClipHead.read(Files.write(folder.resolve("upload"), file));
    }

    private Path original() {
        return folder.resolve("original");
    }

    private static ClipMaker maker(Settings.Media settings) {
        return new ClipMaker(settings, new PictureCheck(settings.pixelsMax()), /* pictures= */ null, Optional.empty());
    }

    /** The file that is stored of it. */
    private byte[] stored(byte[] file) throws IOException {
        ClipHead head = read(file).orElseThrow();
        Rendition made = TestClips.make(
                maker(settings),
                head,
                folder.resolve("upload"),
                original(),
                folder.resolve("small"),
                () -> folder.resolve("more"));
        assertThat(made.extension()).isEqualTo(head.format().extension());
        return Files.readAllBytes(original());
    }

    static List<Arguments> files() {
        return List.of(
                Arguments.of(ClipFormat.MP4, TestClips.MP4, 2000, 10),
                Arguments.of(ClipFormat.QUICKTIME, TestClips.MOV, 2000, 10),
                Arguments.of(ClipFormat.WEBM, TestClips.WEBM, 2000, 10),
                Arguments.of(ClipFormat.MP4, TestClips.FRAGMENTED, 0, 0),
                Arguments.of(ClipFormat.MP3, TestClips.MP3, 2088, 0),
                Arguments.of(ClipFormat.MP3, TestClips.MP3_WITH_COVER, 2088, 0),
                Arguments.of(ClipFormat.OGG, TestClips.OGG, 2000, 0),
                Arguments.of(ClipFormat.OGG, TestClips.VORBIS, 1000, 0),
                Arguments.of(ClipFormat.FLAC, TestClips.FLAC, 250, 0),
                Arguments.of(ClipFormat.WAVE, TestClips.wave(12_000), 1500, 0),
                Arguments.of(ClipFormat.M4A, TestClips.M4A, 1000, 0),
                Arguments.of(ClipFormat.AAC, TestClips.AAC, 0, 0),
                Arguments.of(ClipFormat.WEBM_SOUND, TestClips.WEBM_SOUND, 1008, 0));
    }

    @ParameterizedTest
    @MethodSource("files")
    void aFileIsRecognisedByItsBytes(ClipFormat format, byte[] file, long millis, int frames) throws IOException {
        ClipHead head = read(file).orElseThrow();

        assertThat(head.format()).isEqualTo(format);
        assertThat(head.clip().millis()).isCloseTo(millis, within(80L));
        assertThat(head.clip().framesPerSecond()).isEqualTo(frames);
        boolean video = format.type().startsWith("video/");
        assertThat(head.clip().kind()).isEqualTo(video ? Clip.Kind.VIDEO : Clip.Kind.AUDIO);
        assertThat(List.of(head.width(), head.height())).isEqualTo(video ? List.of(64, 48) : List.of(0, 0));
        if (millis > 0) {
            assertThat(head.clip().bitsPerSecond())
                    .isCloseTo(file.length * 8000L / head.clip().millis(), within(1L));
        }
    }

    @Test
    void aVideoOfAPhoneThatWasHeldUprightIsAsHighAsItIsShown() throws IOException {
        ClipHead head = read(TestClips.turned()).orElseThrow();

        assertThat(List.of(head.width(), head.height())).containsExactly(48, 64);
    }

    @Test
    void theStoredBytesAreThoseThatWereSent() throws IOException {
        for (byte[] file : List.of(TestClips.WEBM, TestClips.MP3_WITH_COVER, TestClips.OGG, TestClips.M4A)) {
            assertThat(stored(file)).isEqualTo(file);
        }
    }

    @Test
    void whereAVideoWasTakenIsOverwrittenAndNothingOfItMoves() throws IOException {
        byte[] place = "+48.1371+011.5754/".getBytes(StandardCharsets.US_ASCII);
        byte[] file = TestClips.withBox(TestClips.box("udta", TestClips.box("loci", place)));

        byte[] stored = stored(file);

        assertThat(stored).hasSameSizeAs(file);
        assertThat(TestClips.find(stored, place)).isEqualTo(-1);
        byte[] encoder = "Lavf".getBytes(StandardCharsets.US_ASCII);
        assertThat(TestClips.find(file, encoder)).isPositive();
        assertThat(TestClips.find(stored, encoder)).isEqualTo(-1);
        ClipHead again = read(stored).orElseThrow();
        assertThat(again.metadata()).isEmpty();
        assertThat(again.width()).isEqualTo(64);
        int data = TestClips.find(file, "mdat".getBytes(StandardCharsets.US_ASCII));
        assertThat(Arrays.copyOfRange(stored, data, stored.length))
                .isEqualTo(Arrays.copyOfRange(file, data, file.length));
    }

    @Test
    void whereASoundWasRecordedIsOverwrittenAndItsTitlesStay() throws IOException {
        byte[] place = "+48.1371+011.5754/".getBytes(StandardCharsets.US_ASCII);
        byte[] title = "A song".getBytes(StandardCharsets.US_ASCII);
        byte[] handler = "\0\0\0\0\0\0\0\0mdirappl".getBytes(StandardCharsets.US_ASCII);
        byte[] titles = TestClips.box(
                "meta", TestClips.joined(new byte[4], TestClips.box("hdlr", handler), TestClips.box("ilst", title)));
        byte[] loci = TestClips.box("loci", place);
        byte[] ofCamera =
                TestClips.box("meta", TestClips.joined(new byte[4], TestClips.box("hdlr", new byte[24]), loci));
        int first = ByteBuffer.wrap(TestClips.M4A).getInt(0);
        List<Map.Entry<byte[], Boolean>> keeps = List.of(
                Map.entry(TestClips.box("udta", TestClips.joined(loci, titles)), true),
                Map.entry(TestClips.box("udta", TestClips.joined(titles, ofCamera, new byte[4])), true),
                Map.entry(TestClips.box("udta", loci), false),
                Map.entry(TestClips.box("udta", TestClips.joined(titles, new byte[8], place)), false),
                Map.entry(ofCamera, false));
        for (Map.Entry<byte[], Boolean> keep : keeps) {
            byte[] file = TestPictures.inserted(TestClips.M4A, first, keep.getKey());

            byte[] stored = stored(file);

            assertThat(stored).hasSameSizeAs(file);
            assertThat(TestClips.find(file, place)).isPositive();
            assertThat(TestClips.find(stored, place)).isEqualTo(-1);
            assertThat(TestClips.find(stored, title) > 0).isEqualTo(keep.getValue());
        }
    }

    @Test
    void aFileThatIsNoVideoAndNoSoundIsLeftToPictures() throws IOException {
        for (byte[] file : List.of(
                TestPictures.jpeg(40, 30),
                TestPictures.png(40, 30),
                TestPictures.gif(40, 30),
                TestPictures.WEBP,
                "<html><script>alert(1)</script>".getBytes(StandardCharsets.US_ASCII),
                new byte[0],
                new byte[] {(byte) 0xff},
                TestClips.box("ftyp", "heic0000mif1".getBytes(StandardCharsets.US_ASCII)))) {
            assertThat(read(file)).isEmpty();
        }
    }

    @Test
    void aClipThatBrowsersDoNotPlayIsRefusedWithASentence() {
        byte[] matroska = TestClips.WEBM.clone();
        int type = TestClips.find(matroska, "webm".getBytes(StandardCharsets.US_ASCII));
        matroska[type] = 'x';
        byte[] theora = TestClips.VORBIS.clone();
        byte[] name = "\u0080theora".getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(name, 0, theora, 28, name.length);
        byte[] avi = "RIFF0000AVI LIST00000000".getBytes(StandardCharsets.US_ASCII);
        byte[] onlyOnes = new byte[5000];
        Arrays.fill(onlyOnes, (byte) 0xff);
        onlyOnes[1] = (byte) 0xfb;
        byte[] page = "ID3\4\0\0\0\0\0\0<html><script>alert(1)</script>".getBytes(StandardCharsets.US_ASCII);
        byte[] nothing = TestClips.box("ftyp", "isom0000isom".getBytes(StandardCharsets.US_ASCII));
        for (byte[] file : List.of(matroska, theora, avi, onlyOnes, page, nothing)) {
            assertThatExceptionOfType(Refusal.class)
                    .isThrownBy(() -> read(file))
                    .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.INVALID))
                    .withMessageContaining("send MP4, QuickTime or WebM, or MP3");
        }
    }

    /** A hundred thousand empty boxes in a file of a megabyte. */
    @Test
    void aFileOfNothingButHeadsIsGivenUp() {
        byte[] heads = new byte[1 << 20];
        byte[] empty = TestClips.box("free", new byte[0]);
        for (int at = 0; at + empty.length <= heads.length; at += empty.length) {
            System.arraycopy(empty, 0, heads, at, empty.length);
        }
        assertThatExceptionOfType(Refusal.class).isThrownBy(() -> read(TestClips.withBox(heads)));
    }

    @Test
    void aClipThatIsTooLargeOrUnsupportedIsRefusedAndStaysWhereItIs() throws IOException {
        for (String setting :
                List.of("media.video-bytes-max=0", "media.video-bytes-max=8000", "media.pixels-max=10000")) {
            byte[] file = TestClips.MP4.clone();
            if (setting.contains("pixels")) {
                int at = TestClips.find(file, new byte[] {0, 64, 0, 0, 0, 48, 0, 0});
                file[at] = 1;
                file[at + 4] = 1;
            }
            ClipHead head = read(file).orElseThrow();
            ClipMaker maker = maker(SettingsLoader.defaultsWith(setting).media());

            assertThatExceptionOfType(Refusal.class)
                    .as(setting)
                    .isThrownBy(() -> TestClips.make(
                            maker,
                            head,
                            folder.resolve("upload"),
                            original(),
                            folder.resolve("small"),
                            () -> original()));
            assertThat(original()).doesNotExist();
        }
    }

    /** Each is read or refused; nothing else is thrown, and little is read of any. */
    @Test
    void brokenFilesAreReadOrRefused() throws IOException {
        breakFiles(BROKEN, SEED);
    }

    @Test
    @Tag("faults")
    void manyBrokenFilesAreReadOrRefused() throws IOException {
        breakFiles(MANY_BROKEN, SEED + 1);
    }

    private void breakFiles(int count, long seed) throws IOException {
        Random random = new Random(seed);
        List<byte[]> files = TestClips.all();
        int refused = 0;
        int read = 0;
        for (int i = 0; i < count; i++) {
            byte[] file = brokenHead(files.get(i % files.size()), random);
            try {
                Optional<ClipHead> head = read(file);
                head.ifPresent(found -> assertThat(found.clip().millis()).isNotNegative());
                read++;
            } catch (Refusal refusal) {
                assertThat(refusal.reason()).as("seed %d, file %d", seed, i).isEqualTo(Refusal.Reason.INVALID);
                refused++;
            }
        }
        System.out.println("seed " + seed + ": " + read + " clips read, " + refused + " files refused");
        assertThat(read).isGreaterThan(count / 10);
        assertThat(refused).isGreaterThan(count / 10);
    }

    /** Broken in its first bytes, where the heads are. */
    private static byte[] brokenHead(byte[] file, Random random) {
        int length = Math.min(file.length, 400);
        byte[] head = TestPictures.mutated(Arrays.copyOf(file, length), random);
        byte[] broken = head.length < length ? head : file.clone();
        System.arraycopy(head, 0, broken, 0, head.length);
        return broken;
    }
}

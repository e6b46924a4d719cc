package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fanfare.common.model.Refusal;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PictureMakerTest {
    private static final int PIXELS_MAX = 33_177_600;

    /** How many broken files are tried; the long form takes more of another seed. */
    private static final int BROKEN = 300;

    private static final int MANY_BROKEN = Integer.getInteger("fanfare.tests.files", 10_000);

    private static final long SEED = Long.getLong("fanfare.tests.seed", 20_261_124L);

    @TempDir
    Path folder;

    private final PictureCheck check = new PictureCheck(PIXELS_MAX);

    private Rendition make(byte[] file) throws IOException {
        return make(PictureUse.ATTACHMENT, file);
    }

    private Rendition make(PictureUse use, byte[] file) throws IOException {
        Path upload = Files.write(folder.resolve("upload"), file);
        Path cleaned = folder.resolve("clean");
        return PictureMaker.make(use, check.check(upload, cleaned), cleaned, original(), small());
    }

    private Path original() {
        return folder.resolve("original");
    }

    private Path small() {
        return folder.resolve("small");
    }

    private BufferedImage shown(Path file) throws IOException {
        return ImageIO.read(file.toFile());
    }

    private void assertRefused(byte[] file, String sentence) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> make(file))
                .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.INVALID))
                .withMessageContaining(sentence);
    }

    private static boolean isRed(BufferedImage image, double x, double y) {
        Color colour = new Color(image.getRGB((int) (x * image.getWidth()), (int) (y * image.getHeight())));
        return colour.getRed() > 180 && colour.getBlue() < 80;
    }

    private long cost(byte[] file) throws IOException {
        Path upload = Files.write(folder.resolve("upload"), file);
        return check.check(upload, folder.resolve("clean")).cost();
    }

    @Test
    void aPictureThatTakesLongerThanAPlainJpegCountsMore() throws IOException {
        assertThat(cost(TestPictures.jpeg(50, 40))).isEqualTo(2000);
        assertThat(cost(TestPictures.progressiveJpeg(50, 40))).isEqualTo(4000);
        assertThat(cost(TestPictures.png(50, 40))).isEqualTo(8000);
        assertThat(cost(TestPictures.gif(50, 40))).isEqualTo(8000);
    }

    @Test
    void aJpegStaysOneInTwoSizes() throws IOException {
        Rendition made = make(TestPictures.jpeg(1600, 900));

        assertThat(made.extension()).isEqualTo("jpg");
        assertThat(List.of(made.width(), made.height())).containsExactly(1600, 900);
        assertThat(List.of(made.smallWidth(), made.smallHeight())).containsExactly(640, 360);
        assertThat(made.blurhash()).hasSize(28);
        assertThat(isRed(shown(original()), 0.2, 0.2)).isTrue();
        assertThat(shown(small()).getWidth()).isEqualTo(640);
    }

    @Tag("slow")
    @Test
    void aPhotographOfTwelveMegapixelsIsScaledDown() throws IOException {
        Rendition made = make(TestPictures.jpeg(4000, 3000));

        assertThat((long) made.width() * made.height()).isBetween(8_280_000L, 3840L * 2160);
        assertThat((double) made.width() / made.height()).isBetween(1.33, 1.34);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aPictureIsTurnedUprightAsItsExifSaysAndLosesIt(int orientation) throws IOException {
        byte[] file = TestPictures.withExif(TestPictures.jpeg(320, 200), orientation);
        assertThat(new String(file, StandardCharsets.ISO_8859_1)).contains("SECRET-PLACE");

        Rendition made = make(file);

        boolean lying = orientation > 4;
        assertThat(List.of(made.width(), made.height())).isEqualTo(lying ? List.of(200, 320) : List.of(320, 200));
        BufferedImage upright = shown(original());
        // Where the first row and the first column of the file are to be shown, by EXIF's table.
        boolean right = List.of(2, 3, 6, 7).contains(orientation);
        boolean below = List.of(3, 4, 7, 8).contains(orientation);
        assertThat(isRed(upright, right ? 0.8 : 0.2, below ? 0.8 : 0.2)).isTrue();
        assertThat(isRed(upright, right ? 0.2 : 0.8, below ? 0.8 : 0.2)).isFalse();
        assertThat(isRed(upright, right ? 0.8 : 0.2, below ? 0.2 : 0.8)).isFalse();
        for (Path written : List.of(original(), small())) {
            assertThat(Files.readString(written, StandardCharsets.ISO_8859_1)).doesNotContain("SECRET", "Exif");
        }
    }

    @Test
    void transparencyIsKept() throws IOException {
        Rendition made = make(TestPictures.transparentPng(100, 60));

        assertThat(made.extension()).isEqualTo("png");
        assertThat(new Color(shown(original()).getRGB(80, 30), true).getAlpha()).isEqualTo(0x40);
        assertThat(new Color(shown(original()).getRGB(10, 10), true).getAlpha()).isEqualTo(0xff);
    }

    @Test
    void ofAGifTheFirstFrameIsKept() throws IOException {
        Rendition made = make(TestPictures.gif(64, 48));

        assertThat(made.extension()).isEqualTo("png");
        assertThat(isRed(shown(original()), 0.2, 0.2)).isTrue();
    }

    @Test
    void bothKindsOfWebpAreRead() throws IOException {
        for (byte[] file : List.of(TestPictures.WEBP, TestPictures.WEBP_LOSSLESS)) {
            Rendition made = make(file);

            assertThat(List.of(made.width(), made.height())).containsExactly(24, 16);
            assertThat(made.extension()).isEqualTo("png");
            assertThat(new Color(shown(original()).getRGB(0, 0), true).getAlpha())
                    .isLessThan(20);
            assertThat(new Color(shown(original()).getRGB(12, 8), true).getAlpha())
                    .isGreaterThan(240);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWebpIsTurnedUprightAsItsExifSays(boolean asInJpeg) throws IOException {
        for (byte[] file : List.of(TestPictures.WEBP, TestPictures.WEBP_LOSSLESS)) {
            Rendition turned = make(TestPictures.webpWithExif(file, 6, asInJpeg));
            Rendition upright = make(TestPictures.webpWithExif(file, 1, asInJpeg));

            assertThat(List.of(turned.width(), turned.height())).containsExactly(16, 24);
            assertThat(List.of(upright.width(), upright.height())).containsExactly(24, 16);
        }
        byte[] cutOff = TestPictures.webpWithExif(TestPictures.WEBP, 6, asInJpeg);
        assertThat(make(Arrays.copyOf(cutOff, cutOff.length - 20)).width()).isEqualTo(24);
    }

    @Test
    void avatarsAndHeadersAreCutToTheirShapes() throws IOException {
        Rendition avatar = make(PictureUse.AVATAR, TestPictures.jpeg(900, 300));
        Rendition header = make(PictureUse.HEADER, TestPictures.jpeg(300, 900));

        assertThat(List.of(avatar.width(), avatar.height(), avatar.smallWidth()))
                .containsExactly(400, 400, 0);
        assertThat(List.of(header.width(), header.height())).containsExactly(1500, 500);
    }

    @Test
    void fortyMegapixelsAreRefusedBeforeTheyAreDecoded() {
        assertRefused(TestPictures.hugePng(8000, 5000), "too large: at most 33177600 pixels, not 8000 x 5000");
        assertRefused(TestPictures.hugePng(65_000, 65_000 / 100), "too large");
    }

    @Tag("slow")
    @Test
    void thirtyThreeMegapixelsAreDecodedInABoundedSize() throws IOException {
        Rendition made = make(TestPictures.hugePng(7680, 4320));

        assertThat((long) made.width() * made.height()).isLessThanOrEqualTo(3840L * 2160);
    }

    @Test
    void aPageHiddenInAPngDoesNotComeOutAgain() throws IOException {
        byte[] page = "<html><script>alert(document.cookie)</script></html>".getBytes(StandardCharsets.US_ASCII);
        byte[] text = TestPictures.withChunk(TestPictures.png(64, 64), "tEXt", page);
        byte[] after = TestPictures.inserted(text, text.length, page);

        Rendition made = make(after);

        assertThat(made.extension()).isEqualTo("png");
        assertThat(Files.readString(original(), StandardCharsets.ISO_8859_1)).doesNotContain("script");
    }

    @Test
    void textThatUnpacksToGigabytesIsNotUnpacked() throws IOException {
        byte[] bomb = TestPictures.zipped(new byte[64 << 20]);
        byte[] body = TestPictures.inserted(bomb, 0, "Comment\0\0".getBytes(StandardCharsets.US_ASCII));
        byte[] palette = TestPictures.file("png", TestPictures.image(64, 64, BufferedImage.TYPE_BYTE_INDEXED));
        byte[] file = palette;
        for (int i = 0; i < 64; i++) {
            file = TestPictures.withChunk(file, "zTXt", body);
        }

        assertThat(make(file).width()).isEqualTo(64);
    }

    @Test
    void aFileThatIsNoPictureIsRefusedWithASentence() {
        assertRefused("<html>".getBytes(StandardCharsets.US_ASCII), "no picture that this server reads");
        assertRefused(new byte[0], "no picture that this server reads");
        assertRefused(
                "\0\0\0\u0018ftypmp42\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1),
                "A picture is needed here, no video and no sound");
        assertRefused("<svg xmlns='http://www.w3.org/2000/svg'/>".getBytes(StandardCharsets.US_ASCII), "no picture");
        assertRefused(Arrays.copyOf(TestPictures.png(64, 64), 60), "broken");
    }

    @Test
    void aJpegOfThousandsOfScansIsRefused() throws IOException {
        byte[] jpeg = TestPictures.jpeg(640, 480);
        int scan = 0;
        while ((jpeg[scan] & 0xff) != 0xff || (jpeg[scan + 1] & 0xff) != 0xda) {
            scan++;
        }
        byte[] head = Arrays.copyOfRange(jpeg, scan, scan + 40);
        byte[] file = jpeg;
        for (int i = 0; i < 100; i++) {
            file = TestPictures.inserted(file, scan, head);
        }

        assertRefused(file, "parts");
    }

    /** Each comes out clean or is refused; nothing else is thrown, and nothing takes long. */
    @Test
    void brokenFilesAreRefusedOrReencoded() throws IOException {
        breakFiles(BROKEN, SEED);
    }

    @Test
    @Tag("faults")
    void manyBrokenFilesAreRefusedOrReencoded() throws IOException {
        breakFiles(MANY_BROKEN, SEED + 1);
    }

    private void breakFiles(int count, long seed) throws IOException {
        Random random = new Random(seed);
        List<byte[]> files = List.of(
                TestPictures.withExif(TestPictures.jpeg(48, 32), 6),
                TestPictures.transparentPng(40, 30),
                TestPictures.file("png", TestPictures.image(48, 40, BufferedImage.TYPE_BYTE_INDEXED)),
                TestPictures.gif(40, 30),
                TestPictures.WEBP,
                TestPictures.WEBP_LOSSLESS);
        int refused = 0;
        int made = 0;
        for (int i = 0; i < count; i++) {
            byte[] file = TestPictures.mutated(files.get(i % files.size()), random);
            try {
                Rendition rendition = make(file);
                assertThat(shown(original()).getWidth())
                        .as("seed %d, file %d", seed, i)
                        .isEqualTo(rendition.width());
                made++;
            } catch (Refusal refusal) {
                assertThat(refusal.reason()).isEqualTo(Refusal.Reason.INVALID);
                refused++;
            }
        }
        System.out.println("seed " + seed + ": " + made + " pictures made, " + refused + " files refused");
        assertThat(made).isGreaterThan(count / 10);
        assertThat(refused).isGreaterThan(count / 10);
    }
}

package io.fanfare.media;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Videos and sounds for tests, each of a few KiB. Those that are read from files were made by ffmpeg from its test
 * picture and a tone of 440 Hz.
 */
public final class TestClips {
    /** H.264 and AAC: 64 x 48, two seconds of ten frames each. */
    public static final byte[] MP4 = file("clip.mp4");

    /** The same as QuickTime. */
    public static final byte[] MOV = file("clip.mov");

    /** The same MP4 in fragments, whose head has no length. */
    public static final byte[] FRAGMENTED = file("fragmented.mp4");

    /** VP8: 64 x 48, two seconds of ten frames each. */
    public static final byte[] WEBM = file("clip.webm");

    /** Two seconds. */
    public static final byte[] MP3 = file("sound.mp3");

    /** The same with a red picture of 120 x 80. */
    public static final byte[] MP3_WITH_COVER = file("cover.mp3");

    /** Opus, two seconds. */
    public static final byte[] OGG = file("sound.ogg");

    /** Vorbis, a second. */
    public static final byte[] VORBIS = file("vorbis.ogg");

    /** A quarter of a second. */
    public static final byte[] FLAC = file("sound.flac");

    /** A second. */
    public static final byte[] M4A = file("sound.m4a");

    /** One second long; nothing in it says so. */
    public static final byte[] AAC = file("sound.aac");

    /** Opus, a second. */
    public static final byte[] WEBM_SOUND = file("sound.webm");

    private static final byte[] MATRIX = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    private static final byte[] TURNED = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 0, 0, 0, 0, 0, 0
    };

    private TestClips() {}

    /** One of each format and codec. */
    public static List<byte[]> all() {
        return List.of(
                MP4, MOV, FRAGMENTED, WEBM, MP3, MP3_WITH_COVER, OGG, VORBIS, FLAC, M4A, AAC, WEBM_SOUND, wave(8000));
    }

    private static byte[] file(String name) {
        try (InputStream in = TestClips.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Silence of so many bytes, 8000 a second. */
    public static byte[] wave(int bytes) {
        ByteBuffer file = ByteBuffer.allocate(44 + bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(36 + bytes);
        file.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16).putShort((short) 1);
        file.putShort((short) 1).putInt(8000).putInt(8000).putShort((short) 1).putShort((short) 8);
        file.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(bytes);
        return file.array();
    }

    /** The MP4 as a phone makes it that is held upright: to be turned by a quarter when it is shown. */
    public static byte[] turned() {
        byte[] head = "tkhd".getBytes(StandardCharsets.US_ASCII);
        int at = find(MP4, MATRIX, find(MP4, head));
        byte[] turned = MP4.clone();
        System.arraycopy(TURNED, 0, turned, at, TURNED.length);
        return turned;
    }

    /** A box of MP4. */
    public static byte[] box(String type, byte[] body) {
        return ByteBuffer.allocate(8 + body.length)
                .putInt(8 + body.length)
                .put(type.getBytes(StandardCharsets.US_ASCII))
                .put(body)
                .array();
    }

    /** These bytes one behind the other. */
    static byte[] joined(byte[]... parts) {
        ByteBuffer joined = ByteBuffer.allocate(
                Arrays.stream(parts).mapToInt(part -> part.length).sum());
        for (byte[] part : parts) {
            joined.put(part);
        }
        return joined.array();
    }

    /** The MP4 with another box behind its first, so that nothing else of it is where it was. */
    public static byte[] withBox(byte[] box) {
        int first = ByteBuffer.wrap(MP4).getInt(0);
        return TestPictures.inserted(MP4, first, box);
    }

    /** The offset of these bytes; -1 = nowhere. */
    public static int find(byte[] file, byte[] wanted) {
        return find(file, wanted, 0);
    }

    private static int find(byte[] file, byte[] wanted, int from) {
        for (int at = from; at + wanted.length <= file.length; at++) {
            if (Arrays.equals(file, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        return -1;
    }

    /**
     * Stores a clip and makes its preview.
     *
     * @param upload is moved to {@code original}
     */
    static Rendition make(ClipMaker maker, ClipHead head, Path upload, Path original, Path small, Supplier<Path> drafts)
            throws IOException {
        maker.store(head, upload, original);
        return ClipMaker.rendition(head, maker.preview(head, original, small, drafts));
    }
}

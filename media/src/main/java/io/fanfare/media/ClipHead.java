package io.fanfare.media;

import io.fanfare.common.model.Clip;
import io.fanfare.common.model.ClipFormat;
import io.fanfare.common.model.Refusal;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The properties of a video or a sound, read from the frames around its data. Nothing is decoded, and little is read,
 * within the bounds of {@link ClipFile}: a file that breaks off or contradicts itself is refused.
 *
 * @param width as it is shown, turned upright; 0 = a sound
 * @param metadata parts of the file that describe it and are not needed to show it: where it was taken, by which camera
 */
record ClipHead(ClipFormat format, Clip clip, int width, int height, List<Part> metadata) {
    /** First bytes by which a format is recognised. */
    static final int HEAD_BYTES = PictureFormat.HEAD_BYTES;

    /** Longer than a video can be that fits into a file. */
    private static final long MILLIS_MAX = 1000L * 3600 * 24 * 30;

    /** Nothing shows more. */
    private static final int SIDE_MAX = 32_768;

    private static final double FRAMES_MAX = 1000;

    /** A part of a file. */
    record Part(long from, long length) {}

    /** A sound of so many seconds. */
    static ClipHead sound(ClipFormat format, double seconds) {
        return new ClipHead(format, new Clip(Clip.Kind.AUDIO, millis(seconds), 0, 0, 0), 0, 0, List.of());
    }

    /** A video of so many seconds and frames a second; 0 = not known. */
    static ClipHead video(ClipFormat format, double seconds, double frames, long width, long height) {
        if (width <= 0 || height <= 0 || width > SIDE_MAX || height > SIDE_MAX) {
            throw broken();
        }
        int[] rate = rate(frames);
        Clip clip = new Clip(Clip.Kind.VIDEO, millis(seconds), 0, rate[0], rate[1]);
        return new ClipHead(format, clip, (int) width, (int) height, List.of());
    }

    ClipHead with(List<Part> parts) {
        return new ClipHead(format, clip, width, height, List.copyOf(parts));
    }

    long pixels() {
        return (long) width * height;
    }

    /** Whether a file with these first bytes is probably a video or a sound. */
    static boolean isLikely(byte[] head) {
        return PictureFormat.isMovie(head);
    }

    /**
     * Reads the head of a file; empty when it is no video and no sound. Fails with {@code Refusal(INVALID)} for one
     * that is broken, or of a kind that browsers do not play.
     */
    static Optional<ClipHead> read(Path path) throws IOException {
        try (ClipFile file = ClipFile.open(path)) {
            ByteBuffer head = file.upTo(0, HEAD_BYTES);
            byte[] first = new byte[head.limit()];
            ByteBuffer unused = head.get(0, first);
            if (!isLikely(first)) {
                return Optional.empty();
            }
            ClipHead read = read(file, head);
            return Optional.of(read.withRateOf(file.bytes()));
        } catch (BufferUnderflowException | IndexOutOfBoundsException | ArithmeticException e) {
            throw broken();
        }
    }

    private static ClipHead read(ClipFile file, ByteBuffer head) throws IOException {
        if (ClipFile.is(head, 4, "ftyp")) {
            return new Mp4Head(file).read();
        }
        if (head.getInt(0) == WebmHead.EBML) {
            return new WebmHead(file).read();
        }
        if (ClipFile.is(head, 0, "OggS")) {
            return OggHead.read(file);
        }
        if (ClipFile.is(head, 0, "RIFF")) {
            return WaveHead.read(file);
        }
        return MpegAudioHead.read(file);
    }

    private ClipHead withRateOf(long bytes) {
        long rate = clip.millis() == 0 ? 0 : Math.round(bytes * 8000.0 / clip.millis());
        Clip rated = new Clip(clip.kind(), clip.millis(), rate, clip.frames(), clip.frameSeconds());
        return new ClipHead(format, rated, width, height, metadata);
    }

    private static long millis(double seconds) {
        double millis = seconds * 1000;
        return millis >= 1 && millis <= MILLIS_MAX ? Math.round(millis) : 0;
    }

    /** As a fraction, in which the rates of television keep their 1001. */
    private static int[] rate(double frames) {
        if (!(frames > 0 && frames <= FRAMES_MAX)) {
            return new int[] {0, 0};
        }
        for (int per : List.of(1, 1001)) {
            double shown = frames * per / (per == 1 ? 1 : 1000);
            if (Math.abs(shown - Math.rint(shown)) < 0.002) {
                int whole = (int) Math.rint(shown);
                return per == 1 ? new int[] {whole, 1} : new int[] {whole * 1000, per};
            }
        }
        return new int[] {(int) Math.round(frames * 1000), 1000};
    }

    /** The refusal of a broken file, whichever way it is broken. */
    static Refusal broken() {
        return new Refusal(
                Refusal.Reason.INVALID,
                "The video or sound is broken, or of a kind that browsers do not play: send MP4, QuickTime or WebM, or MP3, Ogg, FLAC, WAV, M4A or AAC.");
    }

    /** The refusal of a server that takes pictures only. */
    static Refusal notTaken() {
        return new Refusal(
                Refusal.Reason.INVALID, "Video and sound cannot be uploaded on this server: send a picture.");
    }

    static Refusal tooLong(long bytesMax) {
        return new Refusal(
                Refusal.Reason.TOO_LARGE, "The video or sound is too large: at most " + bytesMax + " bytes.");
    }
}

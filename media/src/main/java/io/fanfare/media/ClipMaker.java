package io.fanfare.media;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.failure.Reason;
import io.fanfare.media.ClipHead.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes of an uploaded video or sound the files that are served: the same, but where it was taken and by which camera
 * is overwritten; and a preview, a frame of it or its cover, where there is an ffmpeg. What ffmpeg makes of it is taken
 * for an uploaded picture. Blocks. Immutable.
 */
final class ClipMaker {
    private static final Logger LOG = LoggerFactory.getLogger(ClipMaker.class);
    private static final byte[] FREE = "free".getBytes(StandardCharsets.US_ASCII);
    private static final int OVERWRITE_BYTES = 64 << 10;
    private static final int BOX_HEAD = 8;
    private static final int LONG_BOX_HEAD = 16;

    private final ClipLimit limit;
    private final long pixelsMax;
    private final PictureCheck check;
    private final PictureProcesses pictures;
    private final Optional<Ffmpeg> ffmpeg;

    /** @param ffmpeg empty = nothing has a preview */
    ClipMaker(Settings.Media settings, PictureCheck check, PictureProcesses pictures, Optional<Ffmpeg> ffmpeg) {
        this.limit = new ClipLimit(settings.videoBytesMax());
        this.pixelsMax = settings.pixelsMax();
        this.check = check;
        this.pictures = pictures;
        this.ffmpeg = ffmpeg;
    }

    /**
     * Stores what is served of it. Fails with {@code Refusal(INVALID)} where none are taken, and for what is too large.
     *
     * @param upload the file, which is moved
     * @param original where it goes
     */
    void store(ClipHead head, Path upload, Path original) throws IOException {
        limit.check(Files.size(upload));
        if (head.pixels() > pixelsMax) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "The video is too large: at most " + pixelsMax + " pixels, not " + head.width() + " x "
                            + head.height() + ".");
        }
        Path unused = Files.move(upload, original, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel channel = FileChannel.open(original, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (Part part : head.metadata()) {
                overwrite(channel, part);
            }
            channel.force(true);
        }
    }

    /** The properties of the clip with its preview, if it has one. */
    static Rendition rendition(ClipHead head, Optional<Rendition> preview) {
        return new Rendition(
                head.format().extension(),
                head.width(),
                head.height(),
                preview.map(Rendition::smallWidth).orElse(0),
                preview.map(Rendition::smallHeight).orElse(0),
                preview.map(Rendition::blurhash).orElse(""),
                head.clip());
    }

    /** Whether anything has one. */
    boolean hasPreviews() {
        return ffmpeg.isPresent();
    }

    /**
     * Makes a preview of what is stored; empty when there is none, whatever fails: the file is good without it.
     *
     * @param small where it goes
     * @param drafts paths for more files, of which none stays
     */
    Optional<Rendition> preview(ClipHead head, Path clip, Path small, Supplier<Path> drafts) {
        try {
            return tried(head, clip, small, drafts);
        } catch (IOException | RuntimeException failure) {
            // Its message may name a file.
            LOG.warn("no preview cause={}", Reason.kind(failure));
            return Optional.empty();
        }
    }

    private Optional<Rendition> tried(ClipHead head, Path clip, Path small, Supplier<Path> drafts) throws IOException {
        if (ffmpeg.isEmpty()) {
            return Optional.empty();
        }
        List<Path> drawn = Stream.generate(drafts).limit(3).toList();
        Optional<Rendition> made = Optional.empty();
        try {
            if (ffmpeg.get().frame(head, clip, drawn.get(0))) {
                PictureHead frame = check.check(drawn.get(0), drawn.get(1));
                made = Optional.of(pictures.make(PictureUse.ATTACHMENT, frame, drawn.get(1), drawn.get(2), small));
            }
            return made;
        } catch (Refusal noPicture) {
            return Optional.empty();
        } finally {
            if (made.isEmpty()) {
                boolean unused = Files.deleteIfExists(small);
            }
            for (Path draft : drawn) {
                boolean unused = Files.deleteIfExists(draft);
            }
        }
    }

    /** Makes free room of a box, which is as long as before, so that nothing in the file moves. */
    private static void overwrite(FileChannel channel, Part box) throws IOException {
        ByteBuffer length = ByteBuffer.allocate(4);
        while (length.hasRemaining() && channel.read(length, box.from() + length.position()) >= 0) {
            // Four bytes.
        }
        int head = length.getInt(0) == 1 ? LONG_BOX_HEAD : BOX_HEAD;
        write(channel, ByteBuffer.wrap(FREE), box.from() + 4);
        long at = box.from() + head;
        long end = box.from() + box.length();
        while (at < end) {
            int bytes = (int) Math.min(OVERWRITE_BYTES, end - at);
            write(channel, ByteBuffer.allocate(bytes), at);
            at += bytes;
        }
    }

    private static void write(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
        while (bytes.hasRemaining()) {
            int unused = channel.write(bytes, at + bytes.position());
        }
    }
}

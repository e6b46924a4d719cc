package io.fanfare.media;

import io.fanfare.common.model.ClipFormat;
import io.fanfare.media.ClipHead.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The boxes of an MP4 or QuickTime file that have its length, its size and its tracks (ISO/IEC 14496-12). */
final class Mp4Head {
    /** Still pictures, and what no browser plays. */
    private static final Set<String> OTHER_BRANDS =
            Set.of("heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis", "crx ");

    private static final Set<String> SOUND_BRANDS = Set.of("M4A ", "M4B ", "M4P ");

    /** Boxes that hold others that are looked at. */
    private static final Set<String> CONTAINERS = Set.of("moov", "trak", "mdia", "minf", "stbl", "mvex");

    /** Boxes of metadata: names, places, cameras. */
    private static final Set<String> METADATA = Set.of("udta", "meta", "uuid");

    private static final int DEPTH_MAX = 6;
    private static final int BOX_HEAD = 8;
    private static final int LONG_BOX_HEAD = 16;
    private static final int FULL_BOX = 4;

    /** Bytes before the titles: two heads and the kind of the handler. */
    private static final int TITLES_HEAD = 32;

    private static final int FIXED_POINT = 16;

    private final ClipFile file;
    private final List<Part> metadata = new ArrayList<>();

    /** The same of a sound, whose titles and cover stay. */
    private final List<Part> metadataBesideTitles = new ArrayList<>();

    private final List<Track> tracks = new ArrayList<>();
    private double seconds;
    private boolean hasMovie;
    private double movieScale;

    Mp4Head(ClipFile file) {
        this.file = file;
    }

    /** A track, by its boxes. */
    private static final class Track {
        private String handler = "";
        private long width;
        private long height;
        private boolean turned;
        private double seconds;
        private long samples;
    }

    ClipHead read() throws IOException {
        int brandBox = file.at(0, BOX_HEAD).getInt(0);
        if (brandBox < LONG_BOX_HEAD) {
            throw ClipHead.broken();
        }
        String brand = ClipFile.text(file.at(BOX_HEAD, 4), 0, 4);
        if (OTHER_BRANDS.contains(brand)) {
            throw ClipHead.broken();
        }
        boxes(0, file.bytes(), 0);
        if (!hasMovie) {
            throw ClipHead.broken();
        }
        boolean sound = tracks.stream().anyMatch(track -> track.handler.equals("soun"));
        if (!SOUND_BRANDS.contains(brand)) {
            for (Track track : tracks) {
                if (track.handler.equals("vide")) {
                    return video(track, brand);
                }
            }
        }
        if (!sound) {
            throw ClipHead.broken();
        }
        return ClipHead.sound(ClipFormat.M4A, seconds).with(metadataBesideTitles);
    }

    private ClipHead video(Track track, String brand) {
        double frames = track.seconds > 0 ? track.samples / track.seconds : 0;
        ClipFormat format = brand.equals("qt  ") ? ClipFormat.QUICKTIME : ClipFormat.MP4;
        return ClipHead.video(
                        format,
                        seconds,
                        frames,
                        track.turned ? track.height : track.width,
                        track.turned ? track.width : track.height)
                .with(metadata);
    }

    private void boxes(long from, long end, int depth) throws IOException {
        long at = from;
        while (at + BOX_HEAD <= end) {
            ByteBuffer head = file.at(at, BOX_HEAD);
            long length = head.getInt(0) & 0xffffffffL;
            String type = ClipFile.text(head, 4, 4);
            int headBytes = BOX_HEAD;
            if (length == 1) {
                length = file.at(at + BOX_HEAD, 8).getLong(0);
                headBytes = LONG_BOX_HEAD;
            } else if (length == 0 && depth == 0) {
                length = end - at;
            } else if (length == 0) {
                return; // The end of a list of QuickTime.
            }
            if (length < headBytes) {
                throw ClipHead.broken();
            }
            if (length > end - at) {
                if (depth == 0 && hasMovie) {
                    return; // Cut off behind what is needed to show it.
                }
                throw ClipHead.broken();
            }
            box(type, at, at + headBytes, at + length, depth);
            at += length;
        }
    }

    private void box(String type, long start, long from, long end, int depth) throws IOException {
        if (METADATA.contains(type)) {
            Part whole = new Part(start, end - start);
            metadata.add(whole);
            metadataBesideTitles.addAll(type.equals("udta") ? besideTitles(whole, from, end) : List.of(whole));
            return;
        }
        switch (type) {
            case "moov" -> hasMovie = true;
            case "trak" -> tracks.add(new Track());
            case "mvhd" -> movieHead(from);
            case "mehd" -> fragments(from);
            case "tkhd" -> trackHead(from);
            case "mdhd" -> mediaHead(from);
            case "hdlr" -> handler(from);
            case "stsz", "stz2" -> samples(from);
            default -> {}
        }
        if (CONTAINERS.contains(type) && depth < DEPTH_MAX) {
            boxes(from, end, depth + 1);
        }
    }

    /** The boxes in one, but for that of titles and cover; all of it when it has none, or more than boxes. */
    private List<Part> besideTitles(Part whole, long from, long end) throws IOException {
        List<Part> beside = new ArrayList<>();
        boolean hasTitles = false;
        long at = from;
        while (at + BOX_HEAD <= end) {
            long length = file.at(at, BOX_HEAD).getInt(0) & 0xffffffffL;
            if (length < BOX_HEAD || length > end - at) {
                return List.of(whole);
            }
            if (isTitles(at, length)) {
                hasTitles = true;
            } else {
                beside.add(new Part(at, length));
            }
            at += length;
        }
        return hasTitles ? beside : List.of(whole);
    }

    /** Whether it is the list that players show; those of cameras have another handler. */
    private boolean isTitles(long at, long length) throws IOException {
        if (length < TITLES_HEAD) {
            return false;
        }
        ByteBuffer head = file.at(at, TITLES_HEAD);
        return ClipFile.is(head, 4, "meta") && ClipFile.is(head, 16, "hdlr") && ClipFile.is(head, 28, "mdir");
    }

    private Track track() {
        return tracks.isEmpty() ? new Track() : tracks.get(tracks.size() - 1);
    }

    private boolean isLong(long from) throws IOException {
        return file.at(from, FULL_BOX).get(0) == 1;
    }

    /** The duration in seconds behind the two times of a head; 0 = not known. */
    private double duration(long from, boolean isLong, int between) throws IOException {
        ByteBuffer numbers = file.at(from + FULL_BOX + (isLong ? 16 : 8), isLong ? 12 + between : 8 + between);
        long scale = numbers.getInt(0) & 0xffffffffL;
        movieScale = scale;
        long units = isLong ? numbers.getLong(4 + between) : numbers.getInt(4 + between) & 0xffffffffL;
        boolean unknown = units == (isLong ? -1 : 0xffffffffL);
        return scale == 0 || unknown || units < 0 ? 0 : (double) units / scale;
    }

    private void movieHead(long from) throws IOException {
        seconds = duration(from, isLong(from), 0);
    }

    /** The length of a movie whose parts come one by one; its head has none. */
    private void fragments(long from) throws IOException {
        boolean isLong = isLong(from);
        ByteBuffer length = file.at(from + FULL_BOX, isLong ? 8 : 4);
        long units = isLong ? length.getLong(0) : length.getInt(0) & 0xffffffffL;
        if (seconds == 0 && movieScale > 0 && units > 0) {
            seconds = units / movieScale;
        }
    }

    private void trackHead(long from) throws IOException {
        int matrix = FULL_BOX + (isLong(from) ? 48 : 36);
        ByteBuffer body = file.at(from + matrix, 44);
        Track track = track();
        track.turned = body.getInt(0) == 0 && body.getInt(16) == 0 && body.getInt(4) != 0;
        track.width = (body.getInt(36) & 0xffffffffL) >>> FIXED_POINT;
        track.height = (body.getInt(40) & 0xffffffffL) >>> FIXED_POINT;
    }

    private void mediaHead(long from) throws IOException {
        double kept = movieScale;
        track().seconds = duration(from, isLong(from), 0);
        movieScale = kept;
    }

    private void handler(long from) throws IOException {
        String type = ClipFile.text(file.at(from + FULL_BOX + 4, 4), 0, 4);
        Track track = track();
        if (track.handler.isEmpty()) {
            track.handler = type; // QuickTime has a second one, of the data.
        }
    }

    private void samples(long from) throws IOException {
        track().samples = file.at(from + FULL_BOX + 4, 4).getInt(0) & 0xffffffffL;
    }
}

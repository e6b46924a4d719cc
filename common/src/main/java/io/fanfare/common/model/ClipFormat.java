package io.fanfare.common.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The formats of video and sound that are stored, as they are: their extensions, and the types they are served as. */
public enum ClipFormat {
    MP4("mp4", "mov", "video/mp4 video/x-m4v"),
    QUICKTIME("mov", "mov", "video/quicktime"),
    WEBM("webm", "matroska", "video/webm"),
    MP3("mp3", "mp3", "audio/mpeg audio/mp3"),
    OGG("ogg", "ogg", "audio/ogg audio/opus audio/vorbis"),
    FLAC("flac", "flac", "audio/flac audio/x-flac"),
    WAVE("wav", "wav", "audio/wav audio/wave audio/x-wav audio/vnd.wave"),
    M4A("m4a", "mov", "audio/mp4 audio/m4a audio/x-m4a"),
    AAC("aac", "aac", "audio/aac audio/x-aac audio/aacp"),
    WEBM_SOUND("weba", "matroska", "audio/webm");

    private final String extension;
    private final String demuxer;
    /** With spaces between. */
    private final String types;

    ClipFormat(String extension, String demuxer, String types) {
        this.extension = extension;
        this.demuxer = demuxer;
        this.types = types;
    }

    /** The extension of its files' names. */
    public String extension() {
        return extension;
    }

    /** The part of ffmpeg that reads it. */
    public String demuxer() {
        return demuxer;
    }

    /** The media type. */
    public String type() {
        return types().get(0);
    }

    /** The media type, and the other names that browsers and phones have for it. */
    public List<String> types() {
        return List.of(types.split(" "));
    }

    /** The format of a file of this name; empty = a picture. */
    public static Optional<ClipFormat> named(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1);
        return Arrays.stream(values())
                .filter(format -> format.extension.equals(extension))
                .findFirst();
    }
}

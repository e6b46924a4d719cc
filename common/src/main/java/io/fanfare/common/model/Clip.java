package io.fanfare.common.model;

import java.util.Locale;
import java.util.Optional;

/**
 * The properties of a video or a sound beside its size.
 *
 * @param millis how long it lasts; 0 = not known
 * @param bitsPerSecond of the whole file; 0 = not known
 * @param frames pictures in {@code frameSeconds}; 0 = not known, or a sound
 */
public record Clip(Kind kind, long millis, long bitsPerSecond, int frames, int frameSeconds) {
    private static final int WORDS = 6;

    /** The kind of a clip; the names are those of Mastodon. */
    public enum Kind {
        VIDEO,
        AUDIO;

        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }

        private String letter() {
            return wire().substring(0, 1);
        }
    }

    /** Pictures a second; 0 = not known. */
    public double framesPerSecond() {
        return frameSeconds == 0 ? 0 : (double) frames / frameSeconds;
    }

    /** The clip as text without spaces, behind a slash. */
    String encoded() {
        return "/" + kind.letter() + "/" + millis + "/" + bitsPerSecond + "/" + frames + "/" + frameSeconds;
    }

    /** Reads the output of {@link #encoded}, also with more behind it; empty for anything else. */
    static Optional<Clip> of(String encoded) {
        String[] words = encoded.split("/", -1);
        if (words.length < WORDS) {
            return Optional.empty();
        }
        for (Kind kind : Kind.values()) {
            if (kind.letter().equals(words[1])) {
                return Optional.of(new Clip(
                        kind,
                        Long.parseLong(words[2]),
                        Long.parseLong(words[3]),
                        Integer.parseInt(words[4]),
                        Integer.parseInt(words[5])));
            }
        }
        return Optional.empty();
    }
}

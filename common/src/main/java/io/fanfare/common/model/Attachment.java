package io.fanfare.common.model;

import java.util.Optional;

/**
 * A picture, video or sound of a status, with all that showing it needs.
 *
 * @param name of its file; the names of its sizes follow from it
 * @param width 0 = a sound
 * @param smallWidth of its small size, of a video or sound of its preview; 0 = there is none
 * @param blurhash a few colours of it as text; empty = there is no preview
 * @param focus what must stay visible when it is cut
 * @param description for who does not see it; empty = none
 * @param clip null = a picture
 */
public record Attachment(
        long id,
        String name,
        int width,
        int height,
        int smallWidth,
        int smallHeight,
        String blurhash,
        Focus focus,
        String description,
        Clip clip) {
    /** Most pictures of one status. A video or a sound stands alone. */
    public static final int MAX = 4;

    /** Characters that a description may have. */
    public static final int DESCRIPTION_MAX = 1500;

    private static final int WORDS = 10;

    /** A point of a picture: from -1, -1 at the lower left to 1, 1 at the upper right. */
    public record Focus(double x, double y) {
        public static final Focus CENTRE = new Focus(0, 0);

        /** The two numbers as they stand in a line. */
        public String words() {
            return x + " " + y;
        }
    }

    /** The same with another description and focus; null = as it is. */
    public Attachment with(String otherDescription, Focus otherFocus) {
        return new Attachment(
                id,
                name,
                width,
                height,
                smallWidth,
                smallHeight,
                blurhash,
                otherFocus == null ? focus : otherFocus,
                otherDescription == null ? description : otherDescription,
                clip);
    }

    /** Whether it is a video or a sound. */
    public boolean isClip() {
        return clip != null;
    }

    /** Mastodon's name of its type: image, video or audio. */
    public String type() {
        return clip == null ? "image" : clip.kind().wire();
    }

    /**
     * All of it as text, in which the description comes last. What is known of a video stands in the word of the
     * blurhash, which no blurhash contains a slash of: so older processes and every script read the line as that of a
     * picture, and lose nothing of it.
     */
    public String line() {
        return id + " " + lineWithoutId();
    }

    /** The same of a picture that has no id yet. */
    public String lineWithoutId() {
        return String.join(" ", picture(), focus.words(), description);
    }

    /** The part of {@link #line} that does not come from the uploader. */
    public String picture() {
        return String.join(
                " ",
                name,
                Integer.toString(width),
                Integer.toString(height),
                Integer.toString(smallWidth),
                Integer.toString(smallHeight),
                clip == null ? blurhash : blurhash + clip.encoded());
    }

    /** Reads the output of {@link #line}; empty for anything else. */
    public static Optional<Attachment> of(String line) {
        String[] words = line.split(" ", WORDS);
        if (words.length < WORDS) {
            return Optional.empty();
        }
        try {
            int slash = words[6].indexOf('/');
            Optional<Clip> clip = slash < 0 ? Optional.empty() : Clip.of(words[6].substring(slash));
            if (slash >= 0 && clip.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new Attachment(
                    Long.parseLong(words[0]),
                    words[1],
                    Integer.parseInt(words[2]),
                    Integer.parseInt(words[3]),
                    Integer.parseInt(words[4]),
                    Integer.parseInt(words[5]),
                    slash < 0 ? words[6] : words[6].substring(0, slash),
                    new Focus(Double.parseDouble(words[7]), Double.parseDouble(words[8])),
                    words[9],
                    clip.orElse(null)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}

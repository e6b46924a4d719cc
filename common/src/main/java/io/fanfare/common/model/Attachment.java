package io.fanfare.common.model;

import java.util.Optional;

/**
 * A picture of a status, with all that showing it needs.
 *
 * @param name of its file; the names of its sizes follow from it
 * @param blurhash a few colours of it as text
 * @param focus what must stay visible when it is cut
 * @param description for who does not see it; empty = none
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
        String description) {
    /** Most pictures of one status. */
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
                otherDescription == null ? description : otherDescription);
    }

    /** All of it as text, in which the description comes last. */
    public String line() {
        return id + " " + lineWithoutId();
    }

    /** The same of a picture that has no id yet. */
    public String lineWithoutId() {
        return String.join(" ", picture(), focus.words(), description);
    }

    /** Of this the part that does not come from who has uploaded it. */
    public String picture() {
        return String.join(
                " ",
                name,
                Integer.toString(width),
                Integer.toString(height),
                Integer.toString(smallWidth),
                Integer.toString(smallHeight),
                blurhash);
    }

    /** What {@link #line} wrote; empty for anything else. */
    public static Optional<Attachment> of(String line) {
        String[] words = line.split(" ", WORDS);
        if (words.length < WORDS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Attachment(
                    Long.parseLong(words[0]),
                    words[1],
                    Integer.parseInt(words[2]),
                    Integer.parseInt(words[3]),
                    Integer.parseInt(words[4]),
                    Integer.parseInt(words[5]),
                    words[6],
                    new Focus(Double.parseDouble(words[7]), Double.parseDouble(words[8])),
                    words[9]));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}

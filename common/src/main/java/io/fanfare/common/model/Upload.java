package io.fanfare.common.model;

import io.fanfare.common.id.Id;
import java.time.Duration;
import java.util.Optional;

/**
 * An upload that is not posted yet. A large picture is made by a job: until then its record names the source, and has
 * as many fields as {@link Attachment#line}, in which older processes find no attachment.
 */
public sealed interface Upload {
    /** Dashes stand where the numbers of an attachment do. */
    int WORDS = 10;

    String NONE = "-";

    long id();

    /** A picture that can be posted. */
    record Ready(Attachment picture) implements Upload {
        @Override
        public long id() {
            return picture.id();
        }
    }

    /**
     * One that is still made.
     *
     * @param source the file that it is made of
     * @param orientation how the camera was held, as EXIF numbers it
     * @param description empty = none
     */
    record Pending(long id, String source, int orientation, Attachment.Focus focus, String description)
            implements Upload {
        /** Its job gives up long before: one that is still not made then has lost its job. */
        private static final Duration OVERDUE = Duration.ofHours(2);

        /** Whether nobody waits for it any more, at this time. */
        public boolean isOverdue(long nowMillis) {
            return nowMillis - Id.epochMillis(id) > OVERDUE.toMillis();
        }

        /** The fields of its record behind the id. */
        public String lineWithoutId() {
            return String.join(
                    " ", source, NONE, NONE, NONE, Integer.toString(orientation), NONE, focus.words(), description);
        }
    }

    /** One that cannot be made. */
    record Failed(long id, Cause cause) implements Upload {}

    /** Why. */
    enum Cause {
        /** The file is broken. */
        BROKEN("broken"),
        /** Any other reason: the server has tried for long. */
        LOST("lost");

        private final String wire;

        Cause(String wire) {
            this.wire = wire;
        }

        /** As its record has it. */
        public String wire() {
            return wire;
        }
    }

    /** Reads a line of {@code uploads}; empty for anything else. */
    static Optional<Upload> of(String line) {
        String[] words = line.split(" ", WORDS);
        if (words.length < WORDS || !words[2].equals(NONE)) {
            return Attachment.of(line).map(Ready::new);
        }
        try {
            long id = Long.parseLong(words[0]);
            if (words[6].equals(NONE)) {
                Attachment.Focus focus =
                        new Attachment.Focus(Double.parseDouble(words[7]), Double.parseDouble(words[8]));
                return Optional.of(new Pending(id, words[1], Integer.parseInt(words[5]), focus, words[9]));
            }
            boolean broken = words[6].equals(Cause.BROKEN.wire);
            return Optional.of(new Failed(id, broken ? Cause.BROKEN : Cause.LOST));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}

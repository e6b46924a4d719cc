package io.fanfare.common.store;

import java.util.Optional;

/**
 * The layout of all that the service stores: keys in Redis, the data folder, backups. A release whose data an older one
 * would misread counts {@link #NOW} up and writes the new mark before anything else; an older release refuses it with a
 * sentence. Immutable.
 */
public final class DataFormat {
    /** The format that this release writes and reads. Keys of format 1 have no namespace. */
    public static final int NOW = 2;

    private DataFormat() {}

    /**
     * The mark of the layout in the data.
     *
     * @param by the version of Fanfare that wrote it; empty = one that wrote no name
     */
    public record Mark(long format, String by) {
        /** That of what this release makes. */
        public static Mark ofThisRelease() {
            return new Mark(NOW, Release.running().version());
        }

        /** In words: {@code format 1, made by Fanfare 0.1.0}. */
        public String words() {
            return "format " + format + (by.isEmpty() ? "" : ", made by Fanfare " + by);
        }

        /**
         * Why this release does not touch the data, as a sentence; empty = it reads it.
         *
         * @param what it is, to stand before "has format"
         */
        public Optional<String> refusal(String what) {
            if (format == NOW) {
                return Optional.empty();
            }
            String writer = by.isEmpty() ? "the release of Fanfare that made it" : "Fanfare " + by;
            return Optional.of(what + " has " + words() + "; this is Fanfare "
                    + Release.running().version() + ", which reads format "
                    + NOW + ": run " + writer
                    + (format > NOW
                            ? " or a newer one, or restore a backup from before that upgrade"
                            : ", or begin with an empty Redis and another data folder: nothing converts it"));
        }
    }
}

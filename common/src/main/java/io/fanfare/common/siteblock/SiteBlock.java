package io.fanfare.common.siteblock;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A block of the site.
 *
 * @param id ascends with time; unique among all kinds
 * @param value the key of a {@link BlockedNetwork}, a mail domain in ASCII, or a pattern of user names
 * @param severity of a network; {@link Severity#SIGN_UP_BLOCK} of the other kinds
 * @param comment for moderators; may be empty
 * @param createdMillis Unix time
 * @param endMillis Unix time; 0 = the block has no end
 */
public record SiteBlock(
        long id, Kind kind, String value, Severity severity, String comment, long createdMillis, long endMillis) {
    /** The longest comment, in characters. */
    public static final int COMMENT_CHARS_MAX = 500;

    /** The subject of a block, and how many there may be. */
    public enum Kind {
        NETWORK("network", 10_000),
        /** With all of its subdomains. */
        MAIL_DOMAIN("mail", 10_000),
        NAME("name", 1000);

        private final String label;
        private final int max;

        Kind(String label, int max) {
            this.label = label;
            this.max = max;
        }

        /** The word in Redis and on the command line. */
        public String label() {
            return label;
        }

        public int max() {
            return max;
        }

        public static Optional<Kind> of(String label) {
            return Stream.of(values()).filter(kind -> kind.label.equals(label)).findFirst();
        }
    }

    /** The effect of a network, by Mastodon's names. Each includes the one before. */
    public enum Severity {
        SIGN_UP_REQUIRES_APPROVAL,
        SIGN_UP_BLOCK,
        NO_ACCESS;

        private final String label = name().toLowerCase(Locale.ROOT);

        public String label() {
            return label;
        }

        public static Optional<Severity> of(String label) {
            return Stream.of(values())
                    .filter(severity -> severity.label.equals(label))
                    .findFirst();
        }
    }

    /** Whether the block has ended. */
    public boolean hasEnded(long nowMillis) {
        return endMillis != 0 && endMillis <= nowMillis;
    }

    /** The value as people write it. */
    public String text() {
        return kind == Kind.NETWORK ? network().text() : value;
    }

    /** A line for the log of acts. */
    public String described() {
        return kind.label() + " " + text() + (kind == Kind.NETWORK ? " " + severity.label() : "");
    }

    /** Throws for a block of another kind. */
    public BlockedNetwork network() {
        return BlockedNetwork.of(value);
    }

    /** The value of the field in Redis. */
    String stored() {
        return String.join(
                " ",
                kind.label(),
                severity.label(),
                Long.toString(createdMillis),
                Long.toString(endMillis),
                value,
                comment);
    }

    /** The block of a field; empty for one that only a later version knows. */
    static Optional<SiteBlock> of(long id, String stored) {
        String[] words = stored.split(" ", 6);
        Optional<Kind> kind = Kind.of(words[0]);
        Optional<Severity> severity = Severity.of(words[1]);
        return kind.isEmpty() || severity.isEmpty()
                ? Optional.empty()
                : Optional.of(new SiteBlock(
                        id,
                        kind.get(),
                        words[4],
                        severity.get(),
                        words[5],
                        Long.parseLong(words[2]),
                        Long.parseLong(words[3])));
    }
}

package io.fanfare.stream.match;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of N parts of a stream, by the author alone. All events of an account are in one part, in their order; each event
 * is in exactly one part, on every node, live and on replay. So N readers share a wide stream. The parts have about the
 * same number of authors, not of events.
 *
 * @param index from 0
 * @param count of parts
 */
public record Partition(int index, int count) {
    /** The whole stream. */
    public static final Partition WHOLE = new Partition(0, 1);

    private static final int COUNT_MAX = 1024;
    private static final Pattern FORM = Pattern.compile("(\\d{1,4})/(\\d{1,4})");

    /** Reads {@code 0/4} to {@code 3/4}. Throws {@link InvalidFilter}. */
    public static Partition parse(String name, String text) {
        if (text.isEmpty()) {
            return WHOLE;
        }
        Matcher parts = FORM.matcher(text);
        if (parts.matches()) {
            int index = Integer.parseInt(parts.group(1));
            int count = Integer.parseInt(parts.group(2));
            if (index < count && count <= COUNT_MAX) {
                return new Partition(index, count);
            }
        }
        throw InvalidFilter.unacceptable(
                name,
                "A partition is a number from 0 and their count, at most " + COUNT_MAX + ": 0/4, 1/4, 2/4 or 3/4.");
    }

    public boolean has(long author) {
        return count == 1 || Long.remainderUnsigned(Sample.mix(author), count) == index;
    }

    /** For lists of streams; empty = the whole stream. */
    public String label() {
        return count == 1 ? "" : "partition " + index + "/" + count;
    }
}

package io.fanfare.client.stream;

import io.fanfare.client.error.ProtocolException;
import io.fanfare.client.http.Arguments;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in the log of events, exclusive: a stream that starts from it sends the events after it. Store it with the
 * effects of the events before it.
 *
 * @param value such as {@code 09820acc-42}, the {@code id:} of an event; empty = no position yet
 */
public record Cursor(String value) {
    /** No position: a stream starts now. */
    public static final Cursor NONE = new Cursor("");

    private static final Pattern FORM = Pattern.compile("([0-9a-f]{1,16})-(\\d{1,18})(-end)?");

    /** @param value at most 100 characters; the server answers an unreadable one with a gap */
    public Cursor {
        value = value == null || value.isBlank() ? "" : Arguments.text(value.strip(), "the cursor", 100);
    }

    /**
     * The id of a frame; empty = {@link #NONE}.
     *
     * @throws ProtocolException when it is no position of a log
     */
    static Cursor received(String id) {
        if (!id.isEmpty() && !FORM.matcher(id).matches()) {
            throw new ProtocolException("the server sent an id that is no position of its log");
        }
        return new Cursor(id);
    }

    public boolean isEmpty() {
        return value.isEmpty();
    }

    /** Whether both are of one log, and this one is not before the other. */
    boolean isAtOrAfter(Cursor other) {
        Matcher mine = FORM.matcher(value);
        Matcher theirs = FORM.matcher(other.value);
        return mine.matches()
                && theirs.matches()
                && mine.group(1).equals(theirs.group(1))
                && Long.parseLong(mine.group(2)) >= Long.parseLong(theirs.group(2));
    }

    @Override
    public String toString() {
        return value;
    }
}

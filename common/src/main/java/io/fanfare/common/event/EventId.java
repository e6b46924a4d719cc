package io.fanfare.common.event;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of an event in the one order, as streams send it and clients return it: {@code 5f3a9c01-42}, the
 * {@code id:} of native streams and the cursor behind which a client goes on.
 *
 * @param epoch 8 hex characters; empty = the epoch that holds, which a client may leave out
 * @param seq of the event; it goes up by one per event within an epoch
 */
public record EventId(String epoch, long seq) {
    private static final Pattern FORM = Pattern.compile("(?:([0-9a-f]{8})-)?(\\d{1,18})(-end)?");

    /** The id of this form, also of the last of a stream, see {@link #end}; empty when it is not. */
    public static Optional<EventId> parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String epoch = parts.group(1) == null ? "" : parts.group(1);
        return Optional.of(new EventId(epoch, Long.parseLong(parts.group(2))));
    }

    /** Whether it is the form of {@link #end}. */
    public static boolean isEnd(String text) {
        return text.endsWith("-end") && FORM.matcher(text).matches();
    }

    /** The form by which a stream says that it has sent everything requested, up to this event. */
    public String end() {
        return this + "-end";
    }

    /** Whether it names its epoch. */
    public boolean hasEpoch() {
        return !epoch.isEmpty();
    }

    @Override
    public String toString() {
        return hasEpoch() ? epoch + '-' + seq : Long.toString(seq);
    }
}

package io.fanfare.common.event;

import io.fanfare.common.model.Visibility;
import java.util.List;

/**
 * The wire form of events in Redis, one line that is read without touching the JSON at its end:
 *
 * <pre>s|281474976710656|281474976710600|0|public|{"t":"Hello",...}TAB{"id":"281474976710656",...}
 * kind|subject|actor|target|visibility|match TAB body</pre>
 *
 * In the log its time stands beside it and its seq is its id there; what is published is preceded by a {@link Notice}.
 */
final class EventCodec {
    private EventCodec() {}

    /** JSON has no raw tab: without one there is no match. */
    private static final char TAB = '\t';

    /** An entry of the log. */
    static String encodeEntry(Event event) {
        return event.kind().letter() + "|" + event.subject() + "|" + event.actor() + "|" + event.target() + "|"
                + event.visibility().wire() + "|" + (event.match().isEmpty() ? "" : event.match() + TAB) + event.body();
    }

    /**
     * What is published before the events of one call, {@code 5f3a9c01|42|1795251986123|s281474976710656,f281474976710901}.
     *
     * @param seq of the first of them; those that follow have the next ones
     * @param ids of the events that follow: should one be lost on its way, no other gets its number
     */
    record Notice(String epoch, long seq, long appendedAtMillis, List<String> ids) {}

    /** Whether it is a notice rather than an event: its first field is longer than a kind. */
    static boolean isNotice(String published) {
        return published.indexOf('|') > 1;
    }

    /** Reads a notice. Throws {@link IllegalArgumentException} when it is not of this form. */
    static Notice decodeNotice(String published) {
        Fields fields = new Fields(published);
        String epoch = fields.next();
        return new Notice(epoch, fields.nextNumber(), fields.nextNumber(), fields.ids());
    }

    /** Reads an event. Throws {@link IllegalArgumentException} when it is not of this form. */
    static Event decodeEntry(String entry) {
        return new Fields(entry).event();
    }

    /** Walks over the fields; the body is whatever remains, so it may contain the separator. */
    private static final class Fields {
        private final String line;
        private int at;

        Fields(String line) {
            this.line = line;
        }

        Event event() {
            String letter = next();
            Event.Kind kind = letter.length() == 1 ? Event.Kind.of(letter.charAt(0)) : null;
            long subject = nextNumber();
            long actor = nextNumber();
            long target = nextNumber();
            Visibility visibility = Visibility.of(next());
            if (kind == null || visibility == null) {
                throw malformed();
            }
            int tab = line.indexOf(TAB, at);
            String match = tab < 0 ? "" : line.substring(at, tab);
            return new Event(kind, subject, actor, target, visibility, match, line.substring(Math.max(at, tab + 1)));
        }

        String next() {
            int end = line.indexOf('|', at);
            if (end < 0) {
                throw malformed();
            }
            String field = line.substring(at, end);
            at = end + 1;
            return field;
        }

        long nextNumber() {
            try {
                return Long.parseLong(next());
            } catch (NumberFormatException e) {
                throw malformed();
            }
        }

        List<String> ids() {
            return List.of(line.substring(at).split(","));
        }

        /** The message holds nothing of the line: it may be somebody's text. */
        private IllegalArgumentException malformed() {
            return new IllegalArgumentException("not an event: malformed at character " + at + " of " + line.length());
        }
    }
}

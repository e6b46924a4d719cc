package io.fanfare.common.event;

import io.fanfare.common.model.Visibility;

/**
 * The wire form of events in Redis, one line that is read without touching the JSON at its end:
 *
 * <pre>s|281474976710656|281474976710600|0|public|{"t":"Hello",...}TAB{"id":"281474976710656",...}
 * kind|subject|actor|target|visibility|match TAB body</pre>
 *
 * Events that are appended with one call are a batch: their lines, LF between them, in the log as well as when they are
 * published, behind a {@link Notice}.
 */
final class EventCodec {
    private EventCodec() {}

    /** JSON has no raw tab: without one there is no match. */
    private static final char TAB = '\t';

    /** Four numbers of 19 digits, a visibility and what stands between them take less. */
    private static final int HEAD_CHARS_MAX = 100;

    /** Writes the line of an event. */
    static void encode(StringBuilder lines, Event event) {
        lines.append(event.kind().letter()).append('|');
        lines.append(event.subject()).append('|').append(event.actor()).append('|');
        lines.append(event.target()).append('|').append(event.visibility().wire());
        lines.append('|');
        if (!event.match().isEmpty()) {
            lines.append(event.match()).append(TAB);
        }
        lines.append(event.body());
    }

    /** At least as many characters as {@link #encode} writes. */
    static int charsMax(Event event) {
        return HEAD_CHARS_MAX + event.match().length() + event.body().length();
    }

    /** The lines of a batch; an empty one is an event that was taken out. */
    static String[] lines(String batch) {
        return batch.split("\n", -1);
    }

    /**
     * The notice published before the lines of a batch, {@code 5f3a9c01|42|1795251986123|2|s281474976710656}.
     *
     * @param seq of the first of its events; the others have the next ones
     * @param lastId of the last of them that was not taken out at once: should a message be lost on its way, no other
     *     events get its numbers
     */
    record Notice(String epoch, long seq, long appendedAtMillis, long events, String lastId) {}

    /** Whether it is a notice rather than a batch: its first field is longer than a kind. */
    static boolean isNotice(String published) {
        return published.indexOf('|') > 1 && published.charAt(0) != '\n';
    }

    /** Reads a notice. Throws {@link IllegalArgumentException} when it is not of this form. */
    static Notice decodeNotice(String published) {
        Fields fields = new Fields(published);
        String epoch = fields.next();
        return new Notice(epoch, fields.nextNumber(), fields.nextNumber(), fields.nextNumber(), fields.rest());
    }

    /**
     * Reads the line of an event. Throws {@link UnknownKind}, or another {@link IllegalArgumentException} when it is
     * not of this form.
     */
    static Event decode(String line) {
        return new Fields(line).event();
    }

    /** An event of a kind that this version does not know, of a newer one beside it. */
    static final class UnknownKind extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        private final String id;

        private UnknownKind(String id, int chars) {
            super("an event of an unknown kind, of " + chars + " characters");
            this.id = id;
        }

        /** As {@link Event#id}. */
        String id() {
            return id;
        }

        /** Common during an upgrade, and no failure. */
        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
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
            if (kind == null && letter.length() == 1) {
                throw new UnknownKind(letter + subject, line.length());
            }
            long actor = nextNumber();
            long target = nextNumber();
            Visibility visibility = Visibility.of(next());
            if (kind == null || visibility == null) {
                throw malformed();
            }
            int tab = line.indexOf(TAB, at);
            String match = tab < 0 ? "" : line.substring(at, tab);
            Event event =
                    new Event(kind, subject, actor, target, visibility, match, line.substring(Math.max(at, tab + 1)));
            // Checked here, once: readers of the log expect only readable events.
            var unused = event.embedded();
            return event;
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

        String rest() {
            return line.substring(at);
        }

        /** The message holds nothing of the line: it may be somebody's text. */
        private IllegalArgumentException malformed() {
            return new IllegalArgumentException("not an event: malformed at character " + at + " of " + line.length());
        }
    }
}

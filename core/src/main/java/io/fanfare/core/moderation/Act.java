package io.fanfare.core.moderation;

import io.fanfare.common.keyspace.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * An act of a moderator or an operator, as the log keeps it.
 *
 * @param action a word of the kind {@code role.set}; see docs/operate/moderation.md
 * @param account the account concerned; 0 = none
 * @param report the report concerned; 0 = none
 * @param status the post concerned; 0 = none
 * @param detail further arguments, such as the new role; may be empty
 * @param why the reason that the actor gave; may be empty
 */
public record Act(Actor actor, String action, long account, long report, long status, String detail, String why) {
    /** The longest reason and the longest detail, in characters; the rest is cut off. */
    public static final int TEXT_CHARS_MAX = 500;

    /** The way by which an act reached the server. */
    public enum Via {
        API,
        COMMAND,
        CONSOLE,
        /** A way that this version does not know: a later one has logged the act. */
        OTHER;

        private final String label = name().toLowerCase(Locale.ROOT);

        public String label() {
            return label;
        }

        static Via of(String label) {
            return Stream.of(values())
                    .filter(via -> via.label.equals(label))
                    .findFirst()
                    .orElse(OTHER);
        }
    }

    /**
     * The author of an act.
     *
     * @param account 0 = an operator, who has no account
     * @param name of an operator: the user of the system, or the session at the console; empty for an account
     */
    public record Actor(Via via, long account, String name) {
        public static Actor account(long account) {
            return new Actor(Via.API, account, "");
        }

        /**
         * Somebody who ran a command.
         *
         * @param user of the system
         */
        public static Actor command(String user) {
            return new Actor(Via.COMMAND, 0, user);
        }

        public static Actor console(String session) {
            return new Actor(Via.CONSOLE, 0, session);
        }
    }

    public Act {
        detail = cut(detail);
        why = cut(why);
    }

    /** An act on an account. */
    public static Act on(Actor actor, String action, long account, String why) {
        return new Act(actor, action, account, 0, 0, "", why);
    }

    public Act withDetail(String other) {
        return new Act(actor, action, account, report, status, other, why);
    }

    public Act withReport(long id) {
        return new Act(actor, action, account, id, status, detail, why);
    }

    public Act withStatus(long id) {
        return new Act(actor, action, account, report, id, detail, why);
    }

    private static String cut(String text) {
        String line = text.strip();
        if (line.length() <= TEXT_CHARS_MAX) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(TEXT_CHARS_MAX - 1)) ? TEXT_CHARS_MAX - 1 : TEXT_CHARS_MAX;
        return line.substring(0, end);
    }

    /** Fields and values in turn, as an entry of {@link Keys#MODERATION_LOG} has them; empty ones are left out. */
    List<Object> fields() {
        List<Object> fields =
                new ArrayList<>(List.of("action", action, "via", actor.via().label()));
        add(fields, "by", actor.account());
        add(fields, "name", actor.name());
        add(fields, "account", account);
        add(fields, "report", report);
        add(fields, "status", status);
        add(fields, "detail", detail);
        add(fields, "why", why);
        return fields;
    }

    private static void add(List<Object> fields, String name, long id) {
        if (id != 0) {
            fields.addAll(List.of(name, id));
        }
    }

    private static void add(List<Object> fields, String name, String text) {
        if (!text.isEmpty()) {
            fields.addAll(List.of(name, text));
        }
    }
}

package io.fanfare.app;

import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.server.http.AuditLines;
import io.fanfare.server.runtime.StartFailed;
import java.time.Clock;
import java.util.function.Supplier;

/**
 * The audit event of an action by command, as the console writes one for each of its actions: one line on standard
 * error, with the name of the same logger, whatever became of it.
 */
final class CommandAudit {
    private static final int USER_CHARS_MAX = 64;

    private final String action;
    private final String given;

    /**
     * @param action as the console names it
     * @param given {@code name=value} with spaces between
     */
    CommandAudit(String action, String given) {
        this.action = action;
        this.given = given;
    }

    /** Does it, and logs what became of it. A {@link Refusal} ends the command with its sentence. */
    <T> T of(Supplier<T> work) {
        try {
            T done = work.get();
            note("done");
            return done;
        } catch (Refusal refusal) {
            note("refused");
            throw new StartFailed(refusal.getMessage());
        } catch (RuntimeException e) {
            note("failed");
            throw e;
        }
    }

    /** The user of the system who runs the command, as the log of acts names it. */
    static Actor actor() {
        return Actor.command(user());
    }

    private static String user() {
        return logValue(System.getProperty("user.name", AuditLines.NOTHING), USER_CHARS_MAX);
    }

    void note(String outcome) {
        // Never through the log of a command, which has its trouble alone.
        System.err.println(Terminal.time(Clock.systemUTC().millis()) + " " + AuditLines.LOGGER
                + " - event=command-action action=" + action + " user=" + user() + " outcome=" + outcome
                + " given=\"" + given + "\"");
    }

    /** The user's text as one word of the log: it ends no line and starts no other field. */
    static String logValue(String text, int max) {
        return Terminal.beginning(Terminal.printable(text).replaceAll("[\\s\"=]", "?"), max);
    }
}

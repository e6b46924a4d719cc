package io.fanfare.archive;

import io.fanfare.failure.Reason;
import java.sql.SQLException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs when the database goes, with the reason, and when it is back. Safe for every thread. */
final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcArchive.class);

    private final AtomicBoolean isAway = new AtomicBoolean();

    boolean isAway() {
        return isAway.get();
    }

    void failed(Throwable cause) {
        if (isAway.compareAndSet(false, true)) {
            LOG.warn("the archive does not answer reason={}", reason(cause));
        }
    }

    void answered() {
        // Read first: nearly every call finds it so.
        if (isAway.get() && isAway.compareAndSet(true, false)) {
            LOG.info("the archive answers again");
        }
    }

    /** The last cause of a chain, which is the driver's message; without values of statements, and passwords. */
    static String reason(Throwable cause) {
        if (cause instanceof TimeoutException) {
            return "no answer within archive.timeout";
        }
        Throwable last = cause;
        while (last.getCause() instanceof SQLException next) {
            last = next;
        }
        String state = last instanceof SQLException sql ? sql.getSQLState() : null;
        // Classes 22 and 23, data and constraints, quote what was to be written.
        boolean isAboutValues = state != null && (state.startsWith("22") || state.startsWith("23"));
        String sentence = isAboutValues ? "the database refuses it" : "the database answers: " + Reason.of(last);
        return last instanceof SQLException
                ? withoutPassword(sentence) + (state == null ? "" : " (SQLSTATE " + state + ")")
                : Reason.of(last);
    }

    private static String withoutPassword(String message) {
        return message.replaceAll("(?i)(password=)[^&\\s]*", "$1***");
    }
}

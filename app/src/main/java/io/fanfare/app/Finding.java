package io.fanfare.app;

import io.fanfare.app.operate.Concern;
import io.fanfare.app.operate.Terminal;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.Comparator;

/**
 * One result of {@code fanfare doctor}.
 *
 * @param area {@code redis}, {@code data}, {@code backup}, {@code queue}, {@code reports}, {@code machine},
 *     {@code tls}, {@code archive}, {@code pictures}, {@code mail} or {@code settings}
 * @param what is the case
 * @param remedy the operator's next step; empty if none is needed
 */
record Finding(Level level, String area, String what, String remedy) {
    /** How bad it is. */
    enum Level {
        OK("ok", 0),
        WARNING("warning", 1),
        ERROR("error", 2);

        private final String label;
        private final int status;

        Level(String label, int status) {
            this.label = label;
            this.status = status;
        }

        String label() {
            return label;
        }

        /** The exit status of the command when there is nothing worse. */
        int status() {
            return status;
        }
    }

    static Finding ok(String area, String what) {
        return new Finding(Level.OK, area, what, "");
    }

    static Finding warning(String area, String what, String remedy) {
        return new Finding(Level.WARNING, area, what, remedy);
    }

    static Finding warning(String area, Concern concern) {
        return warning(area, concern.what(), concern.remedy());
    }

    static Finding error(String area, String what, String remedy) {
        return new Finding(Level.ERROR, area, what, remedy);
    }

    /** The level of the worst of them. */
    static Level worst(Collection<Finding> findings) {
        return findings.stream()
                .map(Finding::level)
                .max(Comparator.naturalOrder())
                .orElse(Level.OK);
    }

    String line() {
        return String.format("%-8s %-9s ", level.label, area)
                + Terminal.printable(what)
                + (remedy.isEmpty() ? "" : ". To do: " + Terminal.printable(remedy));
    }

    JsonObject json() {
        return new JsonObject()
                .put("level", level.label())
                .put("area", area)
                .put("what", what)
                .put("to_do", remedy);
    }
}

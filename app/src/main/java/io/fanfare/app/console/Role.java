package io.fanfare.app.console;

import java.util.Locale;

/** What somebody may do who has logged in to the console. */
enum Role {
    /** Looks. */
    VIEWER,
    /** Looks and acts. */
    OPERATOR;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

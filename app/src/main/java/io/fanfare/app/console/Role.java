package io.fanfare.app.console;

import java.util.Locale;

/** The permissions of a console session. */
enum Role {
    /** Looks. */
    VIEWER,
    /** Looks and acts. */
    OPERATOR;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

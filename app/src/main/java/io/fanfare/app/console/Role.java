package io.fanfare.app.console;

import java.util.Locale;

/** The permissions of a console session. */
enum Role {
    /** Looks at what is not private. */
    VIEWER,
    /** Looks at everything, and acts. */
    OPERATOR;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.fanfare.bench.load;

import java.util.Locale;

/** Who posts, as the command line says it. */
public enum Authors {
    /** Who has more followers posts more often. */
    FOLLOWERS,
    /** All alike. */
    UNIFORM;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

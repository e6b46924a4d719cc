package io.fanfare.bench.load;

import java.util.Locale;

/** The authors of the posts, as the command line names them. */
public enum Authors {
    /** An author with more followers posts more often. */
    FOLLOWERS,
    /** All alike. */
    UNIFORM;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

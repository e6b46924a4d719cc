package io.fanfare.server.runtime;

import java.util.Locale;

/** The roles of a process. {@code up} has all of them; scaled out, each runs alone, any number of times. */
public enum Role {
    API,
    WORKER,
    STREAM;

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

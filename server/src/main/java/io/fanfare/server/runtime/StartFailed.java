package io.fanfare.server.runtime;

import io.fanfare.failure.Reason;

/**
 * The process cannot start for a reason that the operator can mend: the message says which, and how. Carries no stack
 * trace.
 */
public final class StartFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartFailed(String message) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }

    /** A server could not listen; {@code group} is its group of settings. */
    public static StartFailed listening(String group, String host, int port, Throwable cause) {
        // The JDK's and the native transport's exceptions have only the words in common.
        boolean taken = String.valueOf(cause.getMessage()).contains("in use");
        String reason = taken
                ? "port " + port + " of " + host + " is taken"
                : "cannot listen on port " + port + " of " + host + " (" + Reason.of(cause) + ")";
        return new StartFailed(reason + ": choose another one with --set " + group + ".port=N"
                + (taken ? ", or stop what uses it" : " and --set " + group + ".host=ADDRESS"));
    }
}

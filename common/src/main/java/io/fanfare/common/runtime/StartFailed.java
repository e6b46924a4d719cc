package io.fanfare.common.runtime;

import java.net.BindException;

/** The process cannot start for a reason that the operator can mend: the message says which, and how. Carries no stack trace. */
public final class StartFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartFailed(String message) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }

    /** A server could not listen; {@code group} is its group of settings. */
    public static StartFailed listening(String group, String host, int port, Throwable cause) {
        String reason = cause instanceof BindException
                ? "port " + port + " of " + host + " is taken or not ours to take"
                : "cannot listen on " + host + ":" + port + " (" + cause.getMessage() + ")";
        return new StartFailed(reason + ": choose another one with --set " + group + ".port=N, or stop what uses it");
    }
}

package io.fanfare.bench.report;

/**
 * A benchmark cannot begin, or its figures would be worth nothing: the message says why, for the person who started it.
 * Carries no stack trace.
 */
public final class BenchFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BenchFailed(String message) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
}

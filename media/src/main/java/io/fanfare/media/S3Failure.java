package io.fanfare.media;

import io.fanfare.failure.Reason;

/** A bucket has answered with an error, or not at all. Carries no stack trace, and nothing secret. */
public final class S3Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final String region;

    private S3Failure(String message, int status, String code, String region) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.status = status;
        this.code = code;
        this.region = region;
    }

    /**
     * A refusal.
     *
     * @param code of S3, such as {@code NoSuchBucket}; empty = none was given
     * @param region in which the bucket is; empty = not said
     */
    static S3Failure answered(String method, int status, String code, String region) {
        String name = code.isEmpty() ? "" : " (" + code + ")";
        return new S3Failure("the bucket answered " + status + name + " to " + method, status, code, region);
    }

    /** An answer that is none of S3. */
    static S3Failure strange(String what) {
        return new S3Failure(what, 0, "", "");
    }

    /** No answer, or one that broke off. */
    static S3Failure silent(Throwable cause) {
        return cause instanceof S3Failure failure
                ? failure
                : new S3Failure("the bucket does not answer: " + Reason.of(cause), 0, "", "");
    }

    /** The HTTP status of the answer; 0 = there was none. */
    int status() {
        return status;
    }

    String code() {
        return code;
    }

    String region() {
        return region;
    }

    /** Whether the same request may succeed a moment later. */
    boolean isPassing() {
        return status == 0 || status == 408 || status == 429 || status >= 500 || code.equals("RequestTimeout");
    }
}

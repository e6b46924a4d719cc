package io.fanfare.stream.match;

/** A filter that cannot be: what is wrong with which parameter, in one sentence for the client. */
public final class InvalidFilter extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String param;
    private final long limit;
    private final long got;

    private InvalidFilter(int status, String param, String message, long limit, long got) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.status = status;
        this.param = param;
        this.limit = limit;
        this.got = got;
    }

    /** A value without sense: 406. */
    public static InvalidFilter unacceptable(String param, String message) {
        return new InvalidFilter(406, param, message, 0, 0);
    }

    /** A number that no stream can serve: 416. */
    public static InvalidFilter outOfRange(String param, String message) {
        return new InvalidFilter(416, param, message, 0, 0);
    }

    /** More values than allowed: 413. */
    public static InvalidFilter tooMany(String param, long limit, long got) {
        return new InvalidFilter(
                413, param, "At most " + limit + " values of " + param + " are allowed, not " + got + ".", limit, got);
    }

    /** A filter for which too little is left: 413. */
    public static InvalidFilter tooLarge(long limit, long held, long terms) {
        return new InvalidFilter(
                413,
                "filter",
                "Your open filters may have " + limit + " terms in all (keywords, accounts, and 8 for a box): "
                        + Math.max(0, limit - held) + " are left, and this one has " + terms
                        + ". Close a stream, or ask for less.",
                limit,
                held + terms);
    }

    /** The HTTP status of the answer. */
    public int status() {
        return status;
    }

    public String param() {
        return param;
    }

    /** 0 when it is not about a number. */
    public long limit() {
        return limit;
    }

    public long got() {
        return got;
    }
}

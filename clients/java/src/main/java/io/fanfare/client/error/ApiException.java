package io.fanfare.client.error;

import java.time.Duration;
import java.util.Optional;

/** The server refused a request. The message names the request, the status and the sentence of the server. */
public final class ApiException extends FanfareException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String sentence;
    private final String param;
    private final Duration retryAfter;

    /**
     * @param request method and path, without query
     * @param sentence of the server
     * @param paramOrNull the wrong parameter, if the server named one
     * @param retryAfterOrNull the wait that the server demands
     */
    public ApiException(String request, int status, String sentence, String paramOrNull, Duration retryAfterOrNull) {
        super(request + " was refused with " + status + ": " + sentence, null);
        this.status = status;
        this.sentence = sentence;
        this.param = paramOrNull;
        this.retryAfter = retryAfterOrNull;
    }

    /** The status code of HTTP. */
    public int status() {
        return status;
    }

    /** The sentence of the server: the reason, and the remedy. */
    public String sentence() {
        return sentence;
    }

    /** The parameter that the server names as wrong. */
    public Optional<String> param() {
        return Optional.ofNullable(param);
    }

    /** The wait that the server demands before the next attempt; present with 429 and 503 only. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}

package io.fanfare.client.error;

/** The base of all failures of this library except wrong arguments, which are {@link IllegalArgumentException}. */
public abstract class FanfareException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FanfareException(String sentence, Throwable causeOrNull) {
        super(sentence, causeOrNull);
    }
}

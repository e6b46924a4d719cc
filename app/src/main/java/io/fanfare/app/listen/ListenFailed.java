package io.fanfare.app.listen;

/** The stream cannot be had, and coming back would not help; the message is a sentence for whoever listens. */
final class ListenFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean wrongRequest;

    /** @param wrongRequest whether a different request would be answered */
    ListenFailed(String sentence, boolean wrongRequest) {
        super(sentence, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.wrongRequest = wrongRequest;
    }

    boolean isWrongRequest() {
        return wrongRequest;
    }
}

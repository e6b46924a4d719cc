package io.fanfare.app.listen;

/** The stream cannot be had, and coming back would not help; the message is a sentence for whoever listens. */
final class ListenFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean askedWrongly;

    /** @param askedWrongly whether another question would be answered */
    ListenFailed(String sentence, boolean askedWrongly) {
        super(sentence, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.askedWrongly = askedWrongly;
    }

    boolean askedWrongly() {
        return askedWrongly;
    }
}

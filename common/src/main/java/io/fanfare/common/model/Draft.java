package io.fanfare.common.model;

/** What an author wants to publish; already validated (see the API's request records). Fields as in {@link Status}. */
public record Draft(
        long authorId,
        String text,
        Visibility visibility,
        String spoilerText,
        boolean sensitive,
        String language,
        long inReplyToId,
        long inReplyToAccountId,
        String clientName) {

    /** A public post of nothing but text. */
    public static Draft of(long authorId, String text) {
        return new Draft(authorId, text, Visibility.PUBLIC, "", false, null, 0, 0, null);
    }
}

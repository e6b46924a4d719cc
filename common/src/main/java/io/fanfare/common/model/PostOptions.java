package io.fanfare.common.model;

/**
 * The properties of a post for which authors have preferences; null = the client did not choose.
 *
 * @param sensitive whether its pictures are hidden until a reader wants to see them
 * @param language ISO 639 code; null also when the author has none
 * @param quotePolicy who may quote it
 */
public record PostOptions(Visibility visibility, Boolean sensitive, String language, QuotePolicy quotePolicy) {
    /** The client chose nothing: everything is as the author's preferences are. */
    public static final PostOptions UNCHOSEN = new PostOptions(null, null, null, null);

    /** Whether the client chose every property, so that preferences need not be read. */
    public boolean areComplete() {
        return visibility != null && sensitive != null && language != null && quotePolicy != null;
    }

    /**
     * The same, with preferences in place of what the client did not choose. Of an account that a moderator has marked
     * as sensitive, it is sensitive whatever the client chose.
     */
    public PostOptions completed(Preferences preferences) {
        return new PostOptions(
                visibility == null ? preferences.visibility() : visibility,
                preferences.sensitized() || (sensitive == null ? preferences.sensitive() : sensitive),
                language == null ? preferences.language() : language,
                quotePolicy == null ? preferences.quotePolicy() : quotePolicy);
    }

    /** The same for everybody, who all may quote it. */
    public PostOptions inPublic() {
        return new PostOptions(Visibility.PUBLIC, sensitive, language, QuotePolicy.PUBLIC);
    }
}

package io.fanfare.common.model;

/**
 * What a user's posts are when they do not say it themselves, and how the user's home is to be.
 *
 * @param language null = not said
 * @param foldsReposts whether the home leaves out reposts of what it shows close below
 */
public record Preferences(
        Visibility visibility, boolean sensitive, String language, QuotePolicy quotePolicy, boolean foldsReposts) {
    /** Those of an account that has said nothing. */
    public static final Preferences PLAIN = new Preferences(Visibility.PUBLIC, false, null, QuotePolicy.PUBLIC, true);
}

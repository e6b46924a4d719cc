package io.fanfare.common.model;

/**
 * What a user's posts are when they do not say it themselves.
 *
 * @param language null = not said
 */
public record Preferences(Visibility visibility, boolean sensitive, String language, QuotePolicy quotePolicy) {
    /** Those of an account that has said nothing. */
    public static final Preferences PLAIN = new Preferences(Visibility.PUBLIC, false, null, QuotePolicy.PUBLIC);
}

package io.fanfare.common.model;

/**
 * A user's defaults for posts that set no value of their own, and options of the user's home.
 *
 * @param language null = not given
 * @param foldsReposts whether the home leaves out reposts of statuses that it shows close below
 */
public record Preferences(
        Visibility visibility, boolean sensitive, String language, QuotePolicy quotePolicy, boolean foldsReposts) {
    /** The preferences of an account that has set none. */
    public static final Preferences PLAIN = new Preferences(Visibility.PUBLIC, false, null, QuotePolicy.PUBLIC, true);
}

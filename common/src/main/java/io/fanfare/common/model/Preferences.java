package io.fanfare.common.model;

/**
 * A user's defaults for posts that set no value of their own, and options of the user's home.
 *
 * @param language null = not given
 * @param foldsReposts whether the home leaves out reposts of statuses that it shows close below
 * @param limited whether a moderator has limited the account: no post of it is public
 * @param sensitized whether a moderator has marked the account as sensitive: each post of it is sensitive
 */
public record Preferences(
        Visibility visibility,
        boolean sensitive,
        String language,
        QuotePolicy quotePolicy,
        boolean foldsReposts,
        boolean limited,
        boolean sensitized) {
    /** The preferences of an account that has set none. */
    public static final Preferences PLAIN = new Preferences(
            Visibility.PUBLIC, false, null, QuotePolicy.PUBLIC, true, /* limited= */ false, /* sensitized= */ false);
}

package io.fanfare.common.model;

/**
 * The words of a post as its author typed them: mentions and tags in the text are not resolved yet.
 *
 * @param spoilerText content warning, empty = none
 * @param place where it was written; null = not given
 */
public record PostWords(String text, String spoilerText, Place place, PostOptions options) {
    /** The same with other options. */
    public PostWords with(PostOptions other) {
        return new PostWords(text, spoilerText, place, other);
    }

    /** The same as unlisted. */
    public PostWords unlisted() {
        return with(
                new PostOptions(Visibility.UNLISTED, options.sensitive(), options.language(), options.quotePolicy()));
    }

    /** The same, with the author's preferences for the options that the client did not choose. */
    public PostWords completed(Preferences preferences) {
        return with(options.completed(preferences));
    }
}

package io.fanfare.common.model;

/**
 * The app that something was posted with, as it was called when the user logged in with it.
 *
 * @param name not empty
 * @param website an {@code http} or {@code https} address of at most {@value #WEBSITE_MAX} characters; null = it has
 *     none, or a longer one, or the post is from before that was kept
 */
public record Application(String name, String website) {
    /** The longest website; a longer one is dropped, since every post would carry it. */
    public static final int WEBSITE_MAX = 200;

    public Application {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an app without a name");
        }
        boolean shown = website != null && !website.isEmpty() && website.length() <= WEBSITE_MAX;
        website = shown ? website : null;
    }

    /**
     * The app with this name and this website; null when it has no name.
     *
     * @param name null or empty = unknown
     * @param website null or empty = none
     */
    public static Application of(String name, String website) {
        return name == null || name.isEmpty() ? null : new Application(name, website);
    }
}

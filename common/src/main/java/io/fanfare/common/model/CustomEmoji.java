package io.fanfare.common.model;

import java.util.regex.Pattern;

/**
 * A picture of the server that people write as {@code :shortcode:}.
 *
 * @param file the name of its picture
 * @param category under which pickers show it; empty = none
 */
public record CustomEmoji(String shortcode, String file, String category) {
    /** Characters of a shortcode, as in Mastodon. */
    public static final int SHORTCODE_MAX = 128;

    /** Characters of a category. */
    public static final int CATEGORY_MAX = 64;

    private static final Pattern SHORTCODE = Pattern.compile("[a-zA-Z0-9_]{2," + SHORTCODE_MAX + "}");

    /** Whether an emoji could have this shortcode, which is without its colons. */
    public static boolean isShortcode(String text) {
        return SHORTCODE.matcher(text).matches();
    }
}

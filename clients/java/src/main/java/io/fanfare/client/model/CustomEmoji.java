package io.fanfare.client.model;

/**
 * A picture that stands for a shortcode in texts. A field without a value is null; a list without a value is empty.
 *
 * @param shortcode Without its colons
 * @param category In the list only, and not of one that has none
 */
public record CustomEmoji(String shortcode, String url, String staticUrl, boolean visibleInPicker, String category) {}

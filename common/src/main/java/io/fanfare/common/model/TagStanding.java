package io.fanfare.common.model;

/**
 * How a hashtag stands to a viewer.
 *
 * @param following whether what has it stands in the viewer's home
 * @param featuring whether the viewer's profile shows it
 */
public record TagStanding(boolean following, boolean featuring) {}

package io.fanfare.client.model;

/**
 * How far the account of the token has read, by timeline. A field without a value is null; a list without a value is
 * empty.
 */
public record Markers(Marker home, Marker notifications) {}

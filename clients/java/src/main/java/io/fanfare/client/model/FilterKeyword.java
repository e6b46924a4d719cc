package io.fanfare.client.model;

/** A keyword of a filter. A field without a value is null; a list without a value is empty. */
public record FilterKeyword(String id, String keyword, boolean wholeWord) {}

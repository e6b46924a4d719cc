package io.fanfare.client.model;

/** A line of the table on a profile. A field without a value is null; a list without a value is empty. */
public record ProfileField(String name, String value) {}

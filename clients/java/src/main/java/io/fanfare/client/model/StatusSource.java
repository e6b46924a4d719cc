package io.fanfare.client.model;

/** The text of a status as its author wrote it. A field without a value is null; a list without a value is empty. */
public record StatusSource(String id, String text, String spoilerText) {}

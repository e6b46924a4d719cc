package io.fanfare.client.model;

/** A status that a filter hides. A field without a value is null; a list without a value is empty. */
public record FilterStatus(String id, String statusId) {}

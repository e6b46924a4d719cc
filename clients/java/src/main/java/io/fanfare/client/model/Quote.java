package io.fanfare.client.model;

/**
 * The quote of a status: the quoted status, or the reason why it is not shown. A field without a value is null; a list
 * without a value is empty.
 */
public record Quote(String state, Status quotedStatus, String quotedStatusId) {}

package io.fanfare.client.model;

/** An account that a status names. A field without a value is null; a list without a value is empty. */
public record Mention(String id, String username, String url, String acct) {}

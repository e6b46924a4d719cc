package io.fanfare.client.model;

/** A list of accounts. A field without a value is null; a list without a value is empty. */
public record UserList(String id, String title, String repliesPolicy, boolean exclusive) {}

package io.fanfare.client.model;

/** A hashtag of a status. A field without a value is null; a list without a value is empty. */
public record StatusTag(String name, String url) {}

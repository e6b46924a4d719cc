package io.fanfare.client.model;

/** A group of articles. A field without a value is null; a list without a value is empty. */
public record ArticleGroup(String name, long articlesCount) {}

package io.fanfare.client.model;

import java.util.List;

/** The result of a search. A field without a value is null; a list without a value is empty. */
public record Search(List<Account> accounts, List<Status> statuses, List<Tag> hashtags) {}

package io.fanfare.client.model;

import java.util.List;

/**
 * Followers of an account whom the account of the token follows. A field without a value is null; a list without a
 * value is empty.
 */
public record FamiliarFollowers(String id, List<Account> accounts) {}

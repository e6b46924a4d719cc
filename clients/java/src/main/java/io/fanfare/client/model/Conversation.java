package io.fanfare.client.model;

import java.util.List;

/**
 * The direct messages of a thread among the same accounts. A field without a value is null; a list without a value is
 * empty.
 *
 * @param unread Whether somebody else has written since you have read it or written last
 * @param accounts Who takes part besides you; you alone when nobody else does
 */
public record Conversation(String id, boolean unread, List<Account> accounts, Status lastStatus) {}

/**
 * The stores: each owns one family of keys ({@link io.fanfare.common.keyspace.Keys}) and the Lua scripts that change
 * them, and is the only one that knows their layout.
 *
 * <p>What is atomic is one script in one slot: a post with its lists, counters and job; one side of a follow with its
 * repair job. A change of two users is two such steps; {@code action} runs them.
 *
 * <p>Every store belongs to the event loop of its Redis link.
 */
package io.fanfare.common.store;

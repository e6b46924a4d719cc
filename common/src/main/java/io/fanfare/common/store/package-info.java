/**
 * The stores: each owns one family of keys ({@link io.fanfare.common.redis.Keys}) and the Lua scripts that change them, and is the only one that knows their layout.
 *
 * <p>What is atomic is one script in one slot: a post with its lists, counters and job; one side of a follow with its repair job. What touches two users is two such steps, in the
 * order of {@link io.fanfare.common.store.Follows}. {@link io.fanfare.common.store.Timelines} reads, and trusts nothing but the truth: a status is shown when it lives, its author is
 * followed and the viewer may see it, whatever lies in a home.
 *
 * <p>Every store belongs to the event loop of its Redis link. The tests run whole processes step by step in random order (see {@code Simulation}); whoever changes a step runs them with
 * {@code -Pfaults} too.
 */
package io.fanfare.common.store;

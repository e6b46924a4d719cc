/**
 * The way to Redis, and everything that is spelled for it: keys, scripts, replies.
 *
 * <p>Read {@link io.fanfare.common.redis.RedisLink} first (what callers may do, and what becomes of an answer), then down: {@code Topology} (which server), {@code Node} (keeps
 * a server connected), {@code Pipe} (who waits for which answer), {@code RespConnection} (bytes, one write per turn of the loop). {@code ChannelSubscription} is the other
 * user of connections. To add a key, add it to {@link io.fanfare.common.redis.Keys}; to add a script, a file in {@code lua/}. Why there is no client library:
 * docs/adr/0002-own-resp-link.md.
 */
package io.fanfare.common.redis;

/**
 * The link to Redis: connections, commands, scripts, replies. It knows no feature.
 *
 * <p>Read {@link io.fanfare.redis.RedisLink} first (what callers may do, and what becomes of an answer), then down:
 * {@code Topology} (which server), {@code Node} (keeps a server connected), {@code CommandConnection} (who waits for
 * which answer), {@code RespConnection} (bytes, few writes per turn of the loop). {@code ChannelSubscription} is the
 * other user of connections. A new script is a file in {@code lua/} of the module that loads it. Why there is no client
 * library: docs/adr/0002-own-resp-link.md.
 */
package io.fanfare.redis;

/**
 * Events from Redis to one event loop: {@link io.fanfare.stream.relay.EventRelay} receives them and reads missing ones
 * from the log, {@link io.fanfare.stream.relay.EventRing} keeps the newest and encodes each once per dialect,
 * {@link io.fanfare.stream.relay.ReplayPages} reads older ones.
 */
package io.fanfare.stream.relay;

package io.fanfare.common.event;

/**
 * An event with its place in the one total order.
 *
 * @param epoch 8 hex characters; {@code seq} goes up by one per event within it
 * @param appendedAtMillis the Redis server's clock at the append, Unix time
 */
public record LoggedEvent(String epoch, long seq, long appendedAtMillis, Event event) {}

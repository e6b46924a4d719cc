package io.fanfare.common.event;

/**
 * Where the log stands.
 *
 * @param epoch 8 hex characters
 * @param tip seq of the newest event, 0 when there is none
 * @param floor seq of the oldest event that can still be read, tip + 1 when there is none
 */
public record LogState(String epoch, long tip, long floor) {}

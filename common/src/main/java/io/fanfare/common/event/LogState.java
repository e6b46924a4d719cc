package io.fanfare.common.event;

/**
 * The state of the log.
 *
 * @param epoch 8 hex characters
 * @param tip seq of the newest event, 0 when there is none
 * @param floor lowest seq from which on the log is whole: a number it lacks from there on was taken out because its
 *     status was deleted. At most {@code tip + 1}
 */
public record LogState(String epoch, long tip, long floor) {}

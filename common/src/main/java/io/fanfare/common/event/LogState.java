package io.fanfare.common.event;

/**
 * The state of the log.
 *
 * @param epoch 8 hex characters
 * @param tip seq of the newest event, 0 when there is none
 * @param floor lowest seq from which on the log is whole: a number it lacks from there on was taken out because its
 *     status was deleted. At most {@code tip + 1}
 * @param inherited the last seq of the former epochs; 0 = the log has events of this epoch only
 */
public record LogState(String epoch, long tip, long floor, long inherited) {
    /** A log whose events are all of its own epoch. */
    public LogState(String epoch, long tip, long floor) {
        this(epoch, tip, floor, 0);
    }
}

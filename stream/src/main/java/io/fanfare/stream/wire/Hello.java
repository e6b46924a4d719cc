package io.fanfare.stream.wire;

import io.fanfare.common.event.EventId;

/**
 * The first event of a native stream: EventSource shows no response headers, so everything that the client should know
 * is sent in-band.
 *
 * @param stream name of the stream, as in its path
 * @param conn name of this connection
 * @param resumed whether the stream goes on right after the client's cursor
 * @param from lowest seq that this connection may deliver
 * @param beforeGap whether a gap is the next event
 */
public record Hello(
        String stream, String conn, String epoch, long tip, long floor, boolean resumed, long from, boolean beforeGap) {
    /**
     * The cursor at which the stream starts, for a client that is cut off before its first event. Empty before a gap,
     * which the client would miss if it came back from behind it.
     */
    String cursor() {
        return beforeGap ? "" : new EventId(epoch, from - 1).toString();
    }
}

package io.fanfare.stream;

import io.fanfare.common.http.Parameters;

/**
 * How a client wants to be treated.
 *
 * @param endsAtGap whether the stream ends, with code 4, instead of going on behind a gap when its reader is too slow
 * @param warns whether a slow reader is warned
 * @param until seq after which the stream ends, with code 9; {@link Long#MAX_VALUE} = never
 */
record Manners(boolean endsAtGap, boolean warns, long until) {
    static final Manners USUAL = new Manners(false, true, Long.MAX_VALUE);

    static Manners of(Parameters parameters) {
        return new Manners(
                parameters.text("overflow", "").equals("disconnect"),
                parameters.flag("stall_warnings", true),
                Long.MAX_VALUE);
    }

    Manners until(long seq) {
        return new Manners(endsAtGap, warns, seq);
    }
}

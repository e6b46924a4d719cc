package io.fanfare.stream.wire;

/**
 * Control events as JSON; the native dialects put it into frames of their own. Every value is a number or of a fixed
 * alphabet.
 */
final class ControlEvents {
    private ControlEvents() {}

    static String hello(Hello hello) {
        return "{\"stream\":\"" + hello.stream() + "\",\"conn\":\"" + hello.conn() + "\",\"epoch\":\"" + hello.epoch()
                + "\",\"tip\":" + hello.tip() + ",\"floor\":" + hello.floor() + ",\"resumed\":" + hello.resumed()
                + ",\"from\":" + hello.from() + "}";
    }

    static String gap(Gap gap) {
        // Of two epochs the one ends somewhere and the other begins somewhere.
        boolean counted = gap.reason() != Gap.Reason.EPOCH && gap.from() != Gap.UNKNOWN && gap.to() != Gap.UNKNOWN;
        return "{\"from\":" + orNull(gap.from()) + ",\"to\":" + orNull(gap.to()) + ",\"reason\":\""
                + gap.reason().wire() + "\",\"missed\":" + (counted ? gap.to() - gap.from() + 1 : "null") + "}";
    }

    static String warning(int percentFull) {
        return "{\"code\":\"FALLING_BEHIND\",\"message\":\"The stream is read too slowly: what is "
                + "left unread will be skipped with a gap when the window is full.\",\"percent_full\":" + percentFull
                + "}";
    }

    /** Under the name that Twitter gave the count, whatever the stream goes by. */
    static String limit(long leftOut, long millis) {
        return "{\"track\":" + leftOut + ",\"timestamp_ms\":\"" + millis + "\"}";
    }

    static String vote(long article, long author, long votes, long score) {
        return "{\"id\":\"" + article + "\",\"account_id\":\"" + author + "\",\"votes\":" + votes + ",\"score\":"
                + score + "}";
    }

    static String disconnect(Disconnect why, String stream) {
        return "{\"code\":" + why.code() + ",\"stream_name\":\"" + stream + "\",\"reason\":\"" + why.reason()
                + "\",\"message\":\"" + why.hint() + "\"}";
    }

    private static String orNull(long seq) {
        return seq == Gap.UNKNOWN ? "null" : Long.toString(seq);
    }
}

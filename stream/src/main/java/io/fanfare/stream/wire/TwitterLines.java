package io.fanfare.stream.wire;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.buffer.Buffer;

/**
 * The lines of Twitter's streaming API (v1.1), for clients that were made for it: a status is a {@link Tweet},
 * everything else an envelope. Twitter's API had no message for an edit. There is no hello, and there are no ids.
 *
 * <pre>{@code
 * {"created_at":"Wed Nov 25 05:06:26 +0000 2026","id":281474976710656,"id_str":"281474976710656","text":"Hello",...}
 * {"delete":{"status":{"id":281474976710656,"id_str":"281474976710656","user_id":8,"user_id_str":"8"}}}
 * {"disconnect":{"code":1,"stream_name":"firehose","reason":"shutdown"}}
 * }</pre>
 *
 * @param lengths whether messages stand behind their length ({@code delimited=length})
 * @param tweets how a status is written
 */
record TwitterLines(boolean lengths, Tweet tweets) implements DialectWriter {
    private static final Buffer HEARTBEAT = Buffer.buffer("\r\n");

    @Override
    public String contentType() {
        return "application/json; charset=utf-8";
    }

    @Override
    public Buffer greeting(Hello hello) {
        return HEARTBEAT;
    }

    @Override
    public Buffer event(LoggedEvent logged) {
        Event event = logged.event();
        return JsonLines.line(event.kind() == Event.Kind.DELETE ? deleted(event) : tweets.of(event.body()), lengths);
    }

    private static String deleted(Event event) {
        return "{\"delete\":{\"status\":{\"id\":" + event.subject() + ",\"id_str\":\"" + event.subject()
                + "\",\"user_id\":" + event.actor() + ",\"user_id_str\":\"" + event.actor() + "\"}}}";
    }

    @Override
    public boolean sends(Event.Kind kind) {
        return kind == Event.Kind.STATUS || kind == Event.Kind.DELETE;
    }

    @Override
    public Buffer heartbeat(String epoch, long cursor) {
        return HEARTBEAT;
    }

    @Override
    public Buffer gap(Gap gap) {
        return JsonLines.line("{\"gap\":" + ControlEvents.gap(gap) + "}", lengths);
    }

    @Override
    public Buffer warning(int percentFull) {
        return JsonLines.line("{\"warning\":" + ControlEvents.warning(percentFull) + "}", lengths);
    }

    @Override
    public Buffer limit(long leftOut, long millis) {
        return JsonLines.line("{\"limit\":" + ControlEvents.limit(leftOut, millis) + "}", lengths);
    }

    @Override
    public Buffer disconnect(Disconnect why, String stream, long retryMillis) {
        return JsonLines.line("{\"disconnect\":" + ControlEvents.disconnect(why, stream) + "}", lengths);
    }
}

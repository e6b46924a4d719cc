package io.fanfare.stream.wire;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * Our own dialect for readers of lines: one JSON object a line, ended by CR LF; an empty line is the heartbeat. With
 * lengths, each message stands behind the number of its bytes, the CR LF at its end among them, and heartbeats only
 * before a number.
 *
 * <pre>{@code
 * {"event":"hello","id":"5f3a9c01-41","data":{"stream":"firehose",...}}
 * {"event":"status","id":"5f3a9c01-42","data":{"id":"281474976710656",...}}
 * }</pre>
 *
 * @param lengths whether messages stand behind their length ({@code delimited=length})
 */
record JsonLines(boolean lengths) implements DialectWriter {
    private static final Buffer HEARTBEAT = Buffer.buffer("\r\n");

    @Override
    public String contentType() {
        return "application/x-ndjson; charset=utf-8";
    }

    @Override
    public Buffer greeting(Hello hello) {
        String data = ControlEvents.hello(hello);
        return hello.cursor().isEmpty() ? control("hello", data) : message("hello", hello.cursor(), data);
    }

    @Override
    public Buffer event(LoggedEvent event) {
        return message(
                event.event().kind().wire(),
                event.eventId().toString(),
                event.event().body());
    }

    @Override
    public boolean sends(Event.Kind kind) {
        return kind.isNative();
    }

    @Override
    public Buffer heartbeat(String epoch, long cursor) {
        return HEARTBEAT;
    }

    @Override
    public Buffer gap(Gap gap) {
        return control("gap", ControlEvents.gap(gap));
    }

    @Override
    public Buffer warning(int percentFull) {
        return control("warning", ControlEvents.warning(percentFull));
    }

    @Override
    public Buffer limit(long leftOut, long millis) {
        return control("limit", ControlEvents.limit(leftOut, millis));
    }

    @Override
    public Buffer vote(long article, long author, long votes, long score) {
        return control("vote", ControlEvents.vote(article, author, votes, score));
    }

    @Override
    public Buffer disconnect(Disconnect why, String stream, long retryMillis) {
        return control("disconnect", ControlEvents.disconnect(why, stream));
    }

    private Buffer message(String event, String id, String data) {
        return line("{\"event\":\"" + event + "\",\"id\":\"" + id + "\",\"data\":" + data + "}", lengths);
    }

    private Buffer control(String event, String data) {
        return line("{\"event\":\"" + event + "\",\"data\":" + data + "}", lengths);
    }

    /** A message with the CR LF that ends it, behind its length if wanted. */
    static Buffer line(String json, boolean lengths) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        Buffer line = Buffer.buffer(bytes.length + 16);
        if (lengths) {
            line.appendString(bytes.length + 2 + "\r\n");
        }
        return line.appendBytes(bytes).appendString("\r\n");
    }
}

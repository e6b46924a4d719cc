package io.fanfare.stream.wire;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventId;
import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.buffer.Buffer;

/**
 * Our own dialect of server-sent events. Events of the log carry an id, which is the client's cursor; so does the
 * hello, unless a gap follows. Other control events carry none, so they never move it:
 *
 * <pre>{@code
 * :
 * id: 5f3a9c01-41
 * event: hello
 * data: {"stream":"firehose","conn":"6f2c...","epoch":"5f3a9c01","tip":41,"floor":1,"resumed":false,"from":42}
 *
 * id: 5f3a9c01-42
 * event: status
 * data: {"id":"281474976710656",...}
 *
 * id: 5f3a9c01-57
 *
 * event: gap
 * data: {"from":58,"to":90,"reason":"expired","missed":33}
 *
 * retry: 4211
 * event: disconnect
 * data: {"code":1,"stream_name":"firehose","reason":"shutdown","message":"..."}
 * }</pre>
 *
 * The block with nothing but an id is the heartbeat: by the rules of EventSource it moves the cursor and dispatches
 * nothing. Bodies are JSON without raw line breaks, checked at the append; every other field is of a fixed alphabet.
 */
final class NativeSse implements DialectWriter {
    @Override
    public String contentType() {
        return EVENT_STREAM;
    }

    /** A comment comes first: proxies and clients see that the stream is open even if they hold back the rest. */
    @Override
    public Buffer greeting(Hello hello) {
        String id = hello.cursor().isEmpty() ? "" : "id: " + hello.cursor() + "\n";
        return Buffer.buffer(":\n" + id + "event: hello\ndata: " + ControlEvents.hello(hello) + "\n\n");
    }

    @Override
    public Buffer event(LoggedEvent event) {
        return Buffer.buffer("id: " + event.eventId() + "\nevent: "
                + event.event().kind().wire() + "\ndata: " + event.event().body() + "\n\n");
    }

    @Override
    public boolean sends(Event.Kind kind) {
        return kind.isNative();
    }

    @Override
    public Buffer heartbeat(String epoch, long cursor) {
        return Buffer.buffer("id: " + new EventId(epoch, cursor) + "\n\n");
    }

    /** A heartbeat whose id says that it is the last. */
    @Override
    public Buffer finished(String epoch, long cursor) {
        return Buffer.buffer("id: " + new EventId(epoch, cursor).end() + "\n\n");
    }

    @Override
    public Buffer gap(Gap gap) {
        return Buffer.buffer("event: gap\ndata: " + ControlEvents.gap(gap) + "\n\n");
    }

    @Override
    public Buffer limit(long leftOut, long millis) {
        return Buffer.buffer("event: limit\ndata: " + ControlEvents.limit(leftOut, millis) + "\n\n");
    }

    @Override
    public Buffer vote(long article, long author, long votes, long score) {
        return Buffer.buffer("event: vote\ndata: " + ControlEvents.vote(article, author, votes, score) + "\n\n");
    }

    @Override
    public Buffer disconnect(Disconnect why, String stream, long retryMillis) {
        return Buffer.buffer("retry: " + retryMillis + "\nevent: disconnect\ndata: "
                + ControlEvents.disconnect(why, stream) + "\n\n");
    }

    @Override
    public Buffer warning(int percentFull) {
        return Buffer.buffer("event: warning\ndata: " + ControlEvents.warning(percentFull) + "\n\n");
    }
}

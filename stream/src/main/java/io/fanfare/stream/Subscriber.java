package io.fanfare.stream;

import io.fanfare.common.event.LogPage;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.fanfare.stream.wire.Gap;
import io.fanfare.stream.wire.Hello;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * One open stream: a cursor into the log and a socket. Nothing is queued for it: when its socket takes more, it fetches what follows its cursor, from the ring or, when it has
 * fallen behind the ring, from the log. So a slow reader costs no memory and misses nothing while the log has it; what the log has no more is told by a gap event. Confined to
 * one event loop.
 */
final class Subscriber {
    /** Most bytes that one stream gets in one turn of the event loop, and that wait in its socket. */
    static final int TURN_BYTES_MAX = 64 << 10;

    /** Events read from the log in one go; about a turn's worth. */
    private static final int PAGE_EVENTS = 50;

    private final String name;
    private final HttpServerResponse response;
    private final StreamFilter filter;
    private final Dialect dialect;
    private final StreamHub hub;

    private String epoch;
    private long cursor;
    private long writtenAtNanos;
    private boolean reading;
    private boolean ended;

    /** Where the hub keeps it; only the hub uses this. */
    int index;

    Subscriber(StreamHub hub, String name, HttpServerResponse response, StreamFilter filter, Dialect dialect) {
        this.hub = hub;
        this.name = name;
        this.response = response;
        this.filter = filter;
        this.dialect = dialect;
    }

    /** Sends the first bytes and goes on from there. */
    void begin(Hello hello, Resume start) {
        epoch = start.epoch();
        cursor = start.after();
        response.setWriteQueueMaxSize(TURN_BYTES_MAX);
        response.drainHandler(writable -> pump());
        response.exceptionHandler(gone -> hub.remove(this));
        response.closeHandler(gone -> hub.remove(this));
        write(dialect.greeting(hello));
        if (start.gap() != null) {
            tell(start.gap());
        }
        pump();
    }

    /** Writes what comes next, if there is anything and the socket takes it. */
    void pump() {
        if (ended || reading || response.writeQueueFull()) {
            return;
        }
        EventRing ring = hub.ring();
        if (!epoch.equals(ring.epoch())) {
            enterEpoch(ring.epoch());
        } else if (cursor + 1 < ring.first()) {
            readLog();
        } else {
            EventRing.Slice slice = ring.after(cursor, filter, dialect, TURN_BYTES_MAX);
            cursor = Math.max(cursor, slice.upTo());
            write(slice.bytes());
            if (cursor < ring.tip()) {
                hub.later(this);
            }
        }
    }

    /** Keeps a silent stream open. */
    void beat(long nanos, long idleNanosMax) {
        if (!ended && nanos - writtenAtNanos >= idleNanosMax && !response.writeQueueFull()) {
            write(dialect.heartbeat(epoch, cursor));
        }
    }

    /** Ends the stream and says why, where the dialect can. Completes when that has been sent, fails when the client is gone. */
    Future<Void> end(Disconnect why) {
        if (ended) {
            return Future.succeededFuture();
        }
        // A full socket would hold the last words back for as long as its reader stalls; such a stream just ends.
        if (!response.writeQueueFull()) {
            write(dialect.disconnect(why, name, hub.retryMillis(why)));
        }
        ended = true;
        hub.remove(this);
        return response.end();
    }

    boolean ended() {
        return ended;
    }

    /** The log began anew. This stream was there all the time, so it goes on with the new epoch's first event. */
    private void enterEpoch(String begun) {
        Gap gap = new Gap(Gap.Reason.EPOCH, cursor + 1, 0);
        epoch = begun;
        cursor = hub.floor() - 1;
        tell(gap);
        hub.later(this);
    }

    private void readLog() {
        reading = true;
        hub.log().read(cursor, PAGE_EVENTS).onComplete(this::take, unread -> {
            reading = false;
            hub.retry(this);
        });
    }

    private void take(LogPage page) {
        reading = false;
        if (ended) {
            return;
        }
        if (!page.state().epoch().equals(epoch)) {
            // The ring will know of the new epoch in a moment, and which of its events this stream goes on with.
            hub.retry(this);
            return;
        }
        if (cursor + 1 < page.state().floor()) {
            Gap gap = new Gap(Gap.Reason.EXPIRED, cursor + 1, page.state().floor() - 1);
            cursor = page.state().floor() - 1;
            tell(gap);
        }
        write(encode(page));
        hub.later(this);
    }

    /** As much of the page as one turn takes; the rest is read again, since it may have been deleted by then. */
    private Buffer encode(LogPage page) {
        Buffer bytes = Buffer.buffer();
        for (LoggedEvent event : page.events()) {
            Buffer frame = filter.wants(event.event()) ? dialect.event(event) : null;
            if (frame != null && bytes.length() > 0 && bytes.length() + frame.length() > TURN_BYTES_MAX) {
                return bytes;
            }
            if (frame != null) {
                bytes.appendBuffer(frame);
            }
            cursor = event.seq();
        }
        cursor = page.upTo();
        return bytes;
    }

    private void tell(Gap gap) {
        Buffer words = dialect.gap(gap);
        if (words != null) {
            write(words);
        } else {
            // The dialect cannot say it: the end makes the client load anew what it has missed.
            end(Disconnect.SHED_LOAD).onFailure(gone -> {});
        }
    }

    private void write(Buffer bytes) {
        if (ended || bytes == null || bytes.length() == 0) {
            return;
        }
        writtenAtNanos = hub.nanos();
        response.write(bytes).onFailure(gone -> hub.remove(this));
    }

    /** Called by the hub when the connection is gone: nothing is written any more. */
    void forget() {
        ended = true;
    }
}

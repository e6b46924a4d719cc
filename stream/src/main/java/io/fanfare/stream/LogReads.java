package io.fanfare.stream;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogPage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;

/** Reads the log for streams, a few pages at a time: the connection to Redis also brings the newest events, which must not stand behind thousands of old ones. Confined to one event loop. */
final class LogReads {
    /** Pages on the way at once. */
    private static final int PAGES_MAX = 32;

    private final EventLog log;
    private final ArrayDeque<Read> waiting = new ArrayDeque<>();
    private int onTheWay;
    private boolean sending;

    private record Read(long after, int events, Promise<LogPage> page) {}

    LogReads(EventLog log) {
        this.log = log;
    }

    /** As {@link EventLog#read}, when it is this one's turn. */
    Future<LogPage> read(long after, int events) {
        Read read = new Read(after, events, Promise.promise());
        waiting.add(read);
        next();
        return read.page().future();
    }

    private void next() {
        if (sending) {
            // One was answered at once, as all are while Redis is away: the loop goes on, and does not go down instead.
            return;
        }
        sending = true;
        while (onTheWay < PAGES_MAX && !waiting.isEmpty()) {
            onTheWay++;
            Read read = waiting.poll();
            log.read(read.after(), read.events()).onComplete(page -> {
                onTheWay--;
                next();
                read.page().handle(page);
            });
        }
        sending = false;
    }
}

package io.fanfare.stream.relay;

import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Counters of the streams of one event loop since it began. Written by that loop alone, in plain fields that cost it
 * nothing; other threads see values that are a moment old.
 */
public final class StreamCounters {
    /** Streams that are counted together. */
    public record Kind(String stream, Dialect dialect) {}

    private static final class Count {
        long streams;
    }

    private final Map<Kind, Count> open = new ConcurrentHashMap<>();
    private final Map<Disconnect, Count> ended = new EnumMap<>(Disconnect.class);
    private Consumer<Kind> whenNew = kind -> {};

    /** Streams ever opened. */
    public long opened;

    /** Streams never opened because their address or user has, or opens, too many. */
    public long refused;

    /** Streams never opened because {@code stream.connections-max} were open. */
    public long turnedAway;

    /** WebSockets closed because their client broke a rule. */
    public long violations;

    /** Terms of the filters of open streams. */
    public long terms;

    /** Events written to streams, each once for each. */
    public long deliveries;

    /** All that was written, control events and heartbeats as well. */
    public long bytes;

    public long gaps;
    public long warnings;

    /** Pages read from the log for streams that stood below the ring. */
    public long replays;

    /** Streams that have joined the index. */
    public long joins;

    public StreamCounters() {
        for (Disconnect why : Disconnect.values()) {
            ended.put(why, new Count());
        }
    }

    /** Reports a kind when its first stream is opened. */
    public void whenNew(Consumer<Kind> listener) {
        whenNew = listener;
    }

    public void opened(String stream, Dialect dialect) {
        Kind kind = kind(stream, dialect);
        if (!open.containsKey(kind)) {
            open.put(kind, new Count());
            whenNew.accept(kind);
        }
        open.get(kind).streams++;
        opened++;
    }

    public void closed(String stream, Dialect dialect) {
        open.get(kind(stream, dialect)).streams--;
    }

    /** The server has ended a stream. */
    public void ended(Disconnect why) {
        ended.get(why).streams++;
    }

    public long open(Kind kind) {
        Count streams = open.get(kind);
        return streams == null ? 0 : streams.streams;
    }

    public long endedBy(Disconnect why) {
        return ended.get(why).streams;
    }

    /** Streams whose client left, as far as that is known at the moment. */
    public long left() {
        return Math.max(0, opened - sum(open) - sum(ended));
    }

    private static long sum(Map<?, Count> counts) {
        return counts.values().stream().mapToLong(count -> count.streams).sum();
    }

    /** The same stream has one name over HTTP and another over WebSocket. */
    private static Kind kind(String stream, Dialect dialect) {
        return new Kind(stream.replace('/', ':'), dialect);
    }
}

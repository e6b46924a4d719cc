package io.fanfare.client.stream;

import io.fanfare.client.http.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The options of a stream; {@link #open} opens it. One thread. */
public final class StreamBuilder {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(45);
    private static final int BUFFER_EVENTS = 1000;
    private static final long BUFFER_CHARS = 8L * 1024 * 1024;
    private static final int EVENT_BYTES_MAX = 1024 * 1024;

    private final StreamContext context;
    private final String stream;
    private final Map<String, String> filter;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private Cursor from = Cursor.NONE;
    private Duration silenceMax = SILENCE_MAX;
    private int bufferEvents = BUFFER_EVENTS;
    private long bufferChars = BUFFER_CHARS;
    private int eventBytesMax = EVENT_BYTES_MAX;
    private boolean failsFast;
    private Consumer<StreamEvent.Gap> onGap = gap -> {};
    private Consumer<String> onReconnect = sentence -> {};

    /** @param filter empty for all streams but {@code filter} */
    public StreamBuilder(StreamContext context, String stream, Filter filter) {
        this.context = context;
        this.stream = stream;
        this.filter = filter.parameters();
    }

    /** Starts right after a stored position; {@link Cursor#NONE} starts now. */
    public StreamBuilder from(Cursor cursor) {
        from = Arguments.present(cursor, "the cursor");
        return this;
    }

    /** Without a position: starts at a time. */
    public StreamBuilder since(Instant time) {
        return parameter("since", Arguments.present(time, "the time").toString());
    }

    /** Without a position: starts with so many earlier events, at most 150,000. */
    public StreamBuilder last(int events) {
        return parameter("count", Integer.toString(Arguments.range(events, 1, 150_000, "the count of events")));
    }

    /** Without a position: sends so many earlier events, at most 150,000, and ends. */
    public StreamBuilder onlyLast(int events) {
        return parameter("count", "-" + Arguments.range(events, 1, 150_000, "the count of events"));
    }

    /** Also sends {@link StreamEvent.Voted}. */
    public StreamBuilder votes() {
        return parameter("votes", "true");
    }

    /** At most so many events a second; the server leaves out the others for good. */
    public StreamBuilder maxRate(int eventsPerSecond) {
        return parameter(
                "max_rate", Integer.toString(Arguments.range(eventsPerSecond, 1, 1_000_000, "the rate of events")));
    }

    /** Ends with {@link io.fanfare.client.error.ApiException} (410) instead of continuing after a gap. */
    public StreamBuilder failOnGap() {
        return parameter("on_gap", "fail");
    }

    /**
     * One of several parts of the firehose or the sample, by the author, so that several readers share it. A filter has
     * {@link Filter#partition}.
     *
     * @param index from 0
     * @param count at most 1,024
     */
    public StreamBuilder partition(int index, int count) {
        Arguments.check(
                stream.equals("firehose") || stream.equals("sample"),
                "only the firehose and the sample have partitions here: a filter has them in Filter.partition");
        return parameter("partition", Filter.partitionText(index, count));
    }

    /** A parameter by its name in the API. */
    public StreamBuilder parameter(String name, String value) {
        String unused = parameters.put(
                Arguments.text(name, "the name of the parameter", 50),
                Arguments.present(value, "the parameter " + name));
        return this;
    }

    /** Called with each gap, on the consuming thread, before the batch with the gap is handed over. */
    public StreamBuilder onGap(Consumer<StreamEvent.Gap> callback) {
        onGap = Arguments.present(callback, "the callback");
        return this;
    }

    /**
     * Called on the thread of the stream with a sentence, once for each connection that ends or fails, before another
     * one is opened. An exception of the callback ends the stream.
     */
    public StreamBuilder onReconnect(Consumer<String> callback) {
        onReconnect = Arguments.present(callback, "the callback");
        return this;
    }

    /** Fails when no server answers the first attempt, instead of trying again. */
    public StreamBuilder failFast() {
        failsFast = true;
        return this;
    }

    /** The limits of events that wait for the consumer (1,000 and 8 Mi characters); then the server waits, too. */
    public StreamBuilder buffer(int events, long characters) {
        bufferEvents = Arguments.range(events, 1, 1_000_000, "the count of buffered events");
        Arguments.check(characters >= 1, "the buffer has room for at least one character");
        bufferChars = characters;
        return this;
    }

    /** The largest event (1 MiB); a larger one cuts the connection, and the third in a row ends the stream. */
    public StreamBuilder eventBytesMax(int bytes) {
        eventBytesMax = Arguments.range(bytes, 1024, 64 * 1024 * 1024, "the size of an event in bytes");
        return this;
    }

    /** A connection without a whole line for so long (45 s, three heartbeats) is cut, and another one opened. */
    public StreamBuilder silenceMax(Duration duration) {
        Arguments.check(
                duration != null && duration.compareTo(Duration.ofMillis(100)) >= 0,
                "the longest silence is at least 100 ms; heartbeats come every 15 s");
        silenceMax = duration;
        return this;
    }

    /** Opens the stream on a thread of its own and returns at once. */
    public EventStream open() {
        EventBuffer buffer = new EventBuffer(bufferEvents, bufferChars, from);
        StreamTarget target = new StreamTarget(stream, filter, parameters);
        StreamLoop loop = new StreamLoop(
                context, target, buffer, from, silenceMax.toNanos(), eventBytesMax, failsFast, onReconnect);
        return new EventStream(loop, buffer, onGap);
    }
}

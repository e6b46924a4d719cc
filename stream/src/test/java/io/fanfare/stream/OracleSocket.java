package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The streams that a client has on one connection of Mastodon's WebSocket, each with notes of its own. The server says
 * nothing of a stream that has begun or ended, so each word to it is followed by a ping, which is answered when the
 * word has been heard. Confined to the thread of its crowd.
 */
final class OracleSocket {
    /** With the sample key of the standard. */
    static final String HEADERS = String.join(
            "\r\n",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "");

    private static final int TEXT = 1;
    private static final int PING = 9;
    private static final int PONG = 10;

    /** How a stream stands, as far as is known here. */
    private enum State {
        OFF,
        REQUESTED,
        ON,
        GIVEN_UP
    }

    private static final class Stream {
        private final Notes notes;
        private final JsonObject words;
        private State state = State.OFF;
        private long requested;

        private Stream(Notes notes) {
            this.notes = notes;
            this.words = words(notes);
        }

        /** {@code stream} and perhaps {@code tag}, as its address says. */
        private static JsonObject words(Notes notes) {
            JsonObject words = new JsonObject();
            String path = notes.wish().path();
            for (String pair : path.substring(path.indexOf('?') + 1).split("&", -1)) {
                words.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
            return words;
        }
    }

    private final Map<String, Stream> streams = new LinkedHashMap<>();
    private final Consumer<ByteBuffer> out;
    private final LongSupplier tip;

    /** Actions for the answers to the next pings. */
    private final Queue<Runnable> pongs = new ArrayDeque<>();

    private boolean over;

    /**
     * @param out takes frames to the server
     * @param tip the highest place that is known at that moment
     */
    OracleSocket(List<Notes> notes, Consumer<ByteBuffer> out, LongSupplier tip) {
        this.out = out;
        this.tip = tip;
        for (Notes one : notes) {
            Stream stream = new Stream(one);
            List<Object> names = List.copyOf(stream.words.getMap().values());
            streams.put(new JsonArray(names).encode(), stream);
        }
    }

    /** It stands; its address has asked for the first stream, at that place of the log. */
    void begin(long requested) {
        expect(streams.values().iterator().next(), requested);
        streams.values().stream().skip(1).forEach(this::join);
    }

    /** Whether all its streams stand. */
    boolean isWhole() {
        return streams.values().stream().allMatch(stream -> stream.state == State.ON);
    }

    /** Whether it has come to its end, or said something that makes one come anew. */
    boolean isOver() {
        return over;
    }

    /** Leaves one of its streams, by any number, and comes back to it when the server has heard that. */
    void leave(int any) {
        Stream stream = List.copyOf(streams.values()).get(any % streams.size());
        if (stream.state == State.ON) {
            say("unsubscribe", stream);
            stream.state = State.GIVEN_UP;
            ping(() -> {
                stream.state = State.OFF;
                stream.notes.end();
                // Nothing may come between this and the next answer.
                ping(() -> join(stream));
            });
        }
    }

    private void join(Stream stream) {
        long requested = tip.getAsLong();
        say("subscribe", stream);
        expect(stream, requested);
    }

    private void expect(Stream stream, long requested) {
        stream.requested = requested;
        stream.state = State.REQUESTED;
        ping(() -> begun(stream));
    }

    private void begun(Stream stream) {
        if (stream.state == State.REQUESTED) {
            stream.state = State.ON;
            stream.notes.begin(stream.requested, tip.getAsLong() + StreamOracle.BATCH_MAX, Frames.NO_CURSOR, 0);
        }
    }

    /** Takes a message; {@code status} is the id of the status that it tells, if it does. */
    void received(Frames.Name name, Frames frames, long status) {
        switch (name) {
            case UPDATE -> note(frames, Event.Kind.STATUS, status);
            case DELETE -> note(frames, Event.Kind.DELETE, frames.number(0));
            case PING -> send(PONG, frames.data());
            case PONG -> pongs.remove().run();
            case CLOSE -> over = true;
            case ERROR -> refused(frames.data());
            default -> throw new IllegalStateException("unknown: " + name + " " + frames.data());
        }
    }

    /** Handles an error, which does not name its stream. */
    private void refused(String error) {
        if (!error.contains("at the moment")) {
            throw new IllegalStateException(error);
        }
        over = true;
    }

    private void note(Frames frames, Event.Kind kind, long about) {
        Stream stream = streams.get(frames.stream());
        begun(stream);
        if (stream.state == State.OFF) {
            stream.notes.trouble("told of " + about + " behind its end");
        }
        stream.notes.event(kind, about, frames.digest());
    }

    private void say(String type, Stream stream) {
        send(TEXT, stream.words.copy().put("type", type).encode());
    }

    private void ping(Runnable answered) {
        pongs.add(answered);
        send(PING, "");
    }

    /** In a frame with a mask that changes nothing: clients have to have one. */
    private void send(int opcode, String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 6);
        frame.put((byte) (0x80 | opcode))
                .put((byte) (0x80 | payload.length))
                .putInt(0)
                .put(payload);
        out.accept(frame.flip());
    }
}

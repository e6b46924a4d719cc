package io.fanfare.redis;

import io.fanfare.failure.Reason;
import io.fanfare.vertx.LoopContext;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection - TCP, TLS or a Unix socket - that speaks RESP. The commands of one turn of the event loop leave in
 * one socket write, or in several when they are many. Confined to the loop of its socket; after the end nothing more is
 * received.
 */
final class RespConnection {
    private static final Logger log = LoggerFactory.getLogger(RespConnection.class);

    /**
     * With so many bytes a turn's commands are written before the turn ends: Redis begins with them while this loop
     * goes on. Each write of a turn waits for twice as many bytes as the one before, so that a long pipeline takes few.
     */
    private static final int FIRST_WRITE_BYTES = 2 << 10;

    /** No write waits for more: Redis reads 16 KiB at a time. */
    private static final int WRITE_BYTES_MAX = 16 << 10;

    private final LoopContext context;
    private final NetSocket socket;
    private final NodeAddress.Address server;
    private final RespEncoder out;
    private final RespDecoder decoder = new RespDecoder(this::received, this::receivedPush);
    private final String localAddress;
    private Consumer<Reply> onReply;
    private Consumer<Reply> onPush = push -> {};
    private Consumer<String> onEnd;
    private LinkMetrics.Loss loss = LinkMetrics.Loss.CLOSED;
    private boolean tracks;
    private boolean flushDue;
    private int writeBytes = FIRST_WRITE_BYTES;
    private boolean ended;

    /** @param namespace of the keys and channels that are written */
    RespConnection(LoopContext context, NetSocket socket, NodeAddress.Address server, Namespace namespace) {
        this.context = context;
        this.out = new RespEncoder(namespace);
        this.socket = socket;
        this.server = server;
        this.localAddress = String.valueOf(socket.localAddress());
        socket.handler(this::received);
        socket.exceptionHandler(cause -> close(Reason.of(cause)));
        socket.closeHandler(v -> end("the connection was closed"));
    }

    /** From now on replies go to {@code onReply}, in order, and the end, once, with its cause, to {@code onEnd}. */
    void listen(Consumer<Reply> newOnReply, Consumer<String> newOnEnd) {
        onReply = newOnReply;
        onEnd = newOnEnd;
    }

    /** Passes the server's push messages to {@code newOnPush}, in order with the replies. */
    void listenToPushes(Consumer<Reply> newOnPush) {
        onPush = newOnPush;
    }

    /** The server at the other end. */
    NodeAddress.Address server() {
        return server;
    }

    /** Whether the server tracks keys for this connection and reports their changes on it. */
    boolean tracks() {
        return tracks;
    }

    void tracks(boolean does) {
        tracks = does;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Appends a command to what this turn writes. */
    void write(Command command) {
        out.append(command);
        if (out.length() >= writeBytes) {
            writeBytes = Math.min(2 * writeBytes, WRITE_BYTES_MAX);
            flush();
        }
        if (!flushDue) {
            flushDue = true;
            context.execute(this::flushTurn);
        }
    }

    private void flushTurn() {
        flushDue = false;
        writeBytes = FIRST_WRITE_BYTES;
        if (out.length() > 0) {
            flush();
        }
    }

    private void flush() {
        if (ended) {
            return;
        }
        socket.write(out.take()).onFailure(cause -> close("write failed: " + Reason.of(cause)));
    }

    private void received(Buffer buffer) {
        byte[] bytes = buffer.getBytes();
        try {
            decoder.feed(bytes, 0, bytes.length);
        } catch (RuntimeException e) {
            // Bytes that are no RESP, or a bug in the receiver: either way the rest of the stream cannot be
            // trusted to find its reader.
            log.error("redis connection given up connection={}", this, e);
            close(LinkMetrics.Loss.PROTOCOL, "the bytes received were no reply: " + Reason.of(e));
        }
    }

    private void received(Reply reply) {
        if (!ended) {
            onReply.accept(reply);
        }
    }

    private void receivedPush(Reply push) {
        if (!ended) {
            onPush.accept(push);
        }
    }

    /** Ends the connection; the listener gets {@code cause}. */
    void close(String cause) {
        close(LinkMetrics.Loss.CLOSED, cause);
    }

    /** The same for a reason that is known. */
    void close(LinkMetrics.Loss why, String cause) {
        if (!ended) {
            loss = why;
        }
        end(cause);
        socket.close().onComplete(done -> {});
    }

    /** Why it has ended, once it has. */
    LinkMetrics.Loss loss() {
        return loss;
    }

    private void end(String cause) {
        if (!ended) {
            ended = true;
            onEnd.accept(cause);
        }
    }

    /** Our side's address, for messages. */
    @Override
    public String toString() {
        return localAddress;
    }
}

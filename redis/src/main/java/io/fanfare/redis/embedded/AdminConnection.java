package io.fanfare.redis.embedded;

import io.fanfare.redis.Reply;
import io.fanfare.redis.RespDecoder;
import io.fanfare.secret.Secret;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A blocking connection to a server of our own, by TCP or a Unix socket, for starting it and asking it about itself;
 * each step is done within the given time or fails. Not for an event loop.
 */
final class AdminConnection implements AutoCloseable {
    /** The longest time of an ordinary answer. */
    static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private static final int CHUNK_BYTES = 16 << 10;

    // A selector, since a blocking channel has no time-outs and a java.net.Socket no Unix sockets.
    private final Selector selector;
    private final Duration answerMax;
    private final SocketChannel channel;
    private final SelectionKey ready;
    private final Deque<Reply> replies = new ArrayDeque<>();
    private final RespDecoder decoder = new RespDecoder(replies::add);

    AdminConnection(SocketAddress address, Secret password, Duration answerMax) throws IOException {
        this.answerMax = answerMax;
        channel = SocketChannel.open(address);
        try {
            channel.configureBlocking(false);
            selector = Selector.open();
            ready = channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        try {
            if (password.isSet() && ask("AUTH", password.reveal()) instanceof Reply.Failure refused) {
                throw new IOException(refused.error().getMessage());
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    Reply ask(String... command) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ascii("*" + command.length + "\r\n"));
        for (String argument : command) {
            byte[] bytes = argument.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(ascii("$" + bytes.length + "\r\n"));
            out.writeBytes(bytes);
            out.writeBytes(ascii("\r\n"));
        }
        write(ByteBuffer.wrap(out.toByteArray()));
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        while (replies.isEmpty()) {
            await(SelectionKey.OP_READ);
            int read = channel.read(chunk.clear());
            if (read < 0) {
                throw new EOFException("the server closed the connection");
            }
            decoder.feed(chunk.array(), 0, read);
        }
        return replies.remove();
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE);
            }
        }
    }

    private void await(int operation) throws IOException {
        ready.interestOps(operation);
        int selected = selector.select(answerMax.toMillis());
        selector.selectedKeys().clear();
        if (selected == 0) {
            throw new SocketTimeoutException("no answer within " + answerMax.toMillis() + " ms");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

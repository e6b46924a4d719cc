package io.fanfare.app.fuzz;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One connection of a hostile client, byte by byte. Nothing blocks longer than it is told to. Confined to one thread.
 */
final class Wire implements AutoCloseable {
    /** The first bytes of an answer that are kept; the rest is only counted. */
    private static final int KEPT_BYTES = 64 << 10;

    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocate(16 << 10);
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    /** All that has come, of {@link #keepAll} bytes at most. */
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();

    private int allMax;
    private byte[] tail = new byte[0];
    private long received;
    private boolean ended;

    private Wire(SocketChannel channel, Selector selector) {
        this.channel = channel;
        this.selector = selector;
    }

    /** @param source address of the loopback network that it comes from */
    static Wire open(int port, String source) throws IOException {
        return open(port, source, 0);
    }

    /** @param receiveBytes size of the kernel's buffer for answers, 0 = the usual one */
    static Wire open(int port, String source, int receiveBytes) throws IOException {
        SocketChannel channel = SocketChannel.open();
        if (receiveBytes > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBytes);
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.bind(local(source, 0));
        channel.connect(local("127.0.0.1", port));
        channel.configureBlocking(false);
        Selector selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
        return new Wire(channel, selector);
    }

    /** @param address four numbers with dots between */
    static InetSocketAddress local(String address, int port) throws IOException {
        String[] numbers = address.split("\\.", 4);
        byte[] bytes = new byte[numbers.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(numbers[i]);
        }
        return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
    }

    /**
     * Sends until all is taken, the connection has ended, or nothing was taken for so long; reads nothing. Answers how
     * many bytes were taken.
     */
    @CanIgnoreReturnValue
    long push(byte[] bytes, long stallMillis) {
        return send(bytes, Integer.MAX_VALUE, stallMillis, /* reads= */ false);
    }

    /** The same, while it takes in what the server sends. */
    @CanIgnoreReturnValue
    long send(byte[] bytes, int segment, long stallMillis) {
        return send(bytes, segment, stallMillis, /* reads= */ true);
    }

    private long send(byte[] bytes, int segment, long stallMillis, boolean reads) {
        ByteBuffer out = ByteBuffer.wrap(bytes);
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(stallMillis);
        try {
            while (out.position() < bytes.length && !ended) {
                out.limit((int) Math.min(bytes.length, (long) out.position() + segment));
                int taken = channel.write(out);
                if (taken > 0) {
                    until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(stallMillis);
                } else if (!await(
                        reads ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_WRITE, until)) {
                    break;
                }
                if (reads) {
                    read();
                }
            }
        } catch (IOException cut) {
            ended = true;
        }
        return out.position();
    }

    /** The answer. {@code status} is 0 if none came. */
    record Reply(int status, String head, String body, boolean complete, boolean ended) {}

    /**
     * Waits for an answer.
     *
     * @param headOnly whether its head is enough
     * @param bodiless whether its request was a HEAD
     */
    Reply reply(boolean headOnly, boolean bodiless, long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (true) {
                Reply reply = parsed(headOnly, bodiless);
                if (reply.complete() || ended) {
                    return reply;
                }
                if (!await(SelectionKey.OP_READ, until)) {
                    return reply;
                }
                read();
            }
        } catch (IOException cut) {
            ended = true;
            return parsed(headOnly, bodiless);
        }
    }

    /** Reads whatever comes for so long, or until the end. */
    void drain(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (!ended && await(SelectionKey.OP_READ, until)) {
                read();
            }
        } catch (IOException cut) {
            ended = true;
        }
    }

    /**
     * Reads until nothing has come for so long, or the end, or for {@code millisMax}. A stream without an end sends
     * heartbeats.
     */
    void drainUntilQuiet(long quietMillis, long millisMax) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millisMax);
        try {
            while (!ended
                    && System.nanoTime() < until
                    && await(SelectionKey.OP_READ, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(quietMillis))) {
                read();
            }
        } catch (IOException cut) {
            ended = true;
        }
    }

    /** Keeps this many of the next bytes for {@link #all}. */
    void keepAll(int bytes) {
        allMax = bytes;
    }

    /** The first bytes that have come. */
    byte[] all() {
        return all.toByteArray();
    }

    /** Forgets what has come so far, so that the next answer is looked at. */
    void forget() {
        kept.reset();
        received = 0;
        tail = new byte[0];
    }

    /** Everything that has come and is kept. */
    String text() {
        return kept.toString(StandardCharsets.UTF_8);
    }

    /** Bytes that have come, forgotten ones left out. */
    long received() {
        return received;
    }

    boolean ended() {
        return ended;
    }

    void halfClose() {
        try {
            channel.shutdownOutput();
        } catch (IOException gone) {
            ended = true;
        }
    }

    void reset() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException gone) {
            // It is what was wanted.
        }
        ended = true;
        close();
    }

    @Override
    public void close() {
        try {
            // First: a channel that has a selector is only closed when that has looked again.
            selector.close();
            channel.close();
        } catch (IOException gone) {
            // Nothing is left to be closed.
        }
    }

    private boolean await(int interest, long until) throws IOException {
        long millis = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        if (millis <= 0) {
            return false;
        }
        channel.keyFor(selector).interestOps(interest);
        int ready = selector.select(millis);
        selector.selectedKeys().clear();
        return ready > 0;
    }

    private void read() throws IOException {
        int count = channel.read(buffer.clear());
        if (count < 0) {
            ended = true;
        } else if (count > 0) {
            received += count;
            all.write(buffer.array(), 0, Math.min(count, allMax - all.size()));
            if (kept.size() < KEPT_BYTES) {
                kept.write(buffer.array(), 0, count);
            }
            byte[] last = new byte[Math.min(count, 5)];
            System.arraycopy(buffer.array(), count - last.length, last, 0, last.length);
            byte[] both = new byte[Math.min(5, tail.length + last.length)];
            int old = both.length - last.length;
            System.arraycopy(tail, tail.length - old, both, 0, old);
            System.arraycopy(last, 0, both, old, last.length);
            tail = both;
        }
    }

    /** The answer as far as it has come; interim ones are skipped. */
    private Reply parsed(boolean headOnly, boolean bodiless) {
        String all = kept.toString(StandardCharsets.ISO_8859_1);
        int from = 0;
        while (true) {
            int end = all.indexOf("\r\n\r\n", from);
            if (end < 0 || !all.startsWith("HTTP/1.", from)) {
                return new Reply(0, all, "", false, ended);
            }
            int status = Integer.parseInt(all.substring(from + 9, from + 12));
            String head = all.substring(from, end);
            from = end + 4;
            if (status >= 200 || status == 101) {
                boolean complete = headOnly || bodiless || status == 101 || isComplete(head, status, received - from);
                return new Reply(status, head, all.substring(from), complete, ended);
            }
        }
    }

    private boolean isComplete(String head, int status, long bodyBytes) {
        String lower = head.toLowerCase(Locale.ROOT);
        if (lower.contains("transfer-encoding: chunked")) {
            return new String(tail, StandardCharsets.ISO_8859_1).equals("0\r\n\r\n");
        }
        int length = lower.indexOf("content-length: ");
        if (length >= 0) {
            int end = lower.indexOf('\r', length);
            return bodyBytes
                    >= Long.parseLong(lower.substring(length + 16, end < 0 ? lower.length() : end)
                            .strip());
        }
        return status == 204 || status == 304;
    }
}

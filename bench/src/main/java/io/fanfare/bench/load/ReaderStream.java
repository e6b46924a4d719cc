package io.fanfare.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * One stream of {@link StreamReaders}: its connection, and a summary of the events that have come of it since the last
 * reset, which tells two streams with different events apart.
 */
final class ReaderStream implements AutoCloseable {
    private static final String OK = "HTTP/1.1 200";

    private final SocketChannel channel;
    private final StampReader stamps = new StampReader();
    private final GzipStampReader compressed; // null = the stream is not compressed
    private boolean answered;
    private long events;
    private long digest;

    private ReaderStream(SocketChannel channel, GzipStampReader compressed) {
        this.channel = channel;
        this.compressed = compressed;
    }

    /**
     * Connects and asks; does not wait for the answer.
     *
     * @param receiveBytes what the kernel may keep of what is not read; 0 = as it likes
     * @param unpacked for a stream that is to come as gzip; null = as it is
     */
    static ReaderStream connect(int port, String path, int receiveBytes, GzipStampReader.Unpacked unpacked)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        if (receiveBytes > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBytes);
        }
        // Closed with a reset: no port of the machine waits for what may still come.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        String request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
                + (unpacked == null ? "" : "Accept-Encoding: gzip\r\n") + "\r\n";
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.configureBlocking(false);
        return new ReaderStream(channel, unpacked == null ? null : new GzipStampReader(unpacked));
    }

    SocketChannel channel() {
        return channel;
    }

    /** Whether the server has begun to answer. */
    boolean answered() {
        return answered;
    }

    /** Reads what is there, as far as it has room in the buffer; answers how many bytes. */
    int read(ByteBuffer buffer) throws IOException {
        int read = channel.read(buffer);
        if (read < 0) {
            throw new IllegalStateException("the server ended a stream");
        }
        buffer.flip();
        if (!answered && read > 0) {
            answered = true;
            check(buffer);
        }
        return read;
    }

    private static void check(ByteBuffer buffer) {
        byte[] begin = new byte[Math.min(buffer.remaining(), OK.length())];
        buffer.get(0, begin);
        String status = new String(begin, StandardCharsets.US_ASCII);
        if (!OK.startsWith(status)) {
            throw new IllegalStateException("a stream was refused: " + status);
        }
    }

    /** Finds the events in what has been read. */
    void take(ByteBuffer bytes, LongConsumer eachStamp) {
        LongConsumer counted = stamp -> {
            events++;
            digest += mixed(stamp);
            eachStamp.accept(stamp);
        };
        if (compressed == null) {
            stamps.read(bytes, counted);
        } else {
            compressed.read(bytes, counted);
        }
    }

    void reset() {
        events = 0;
        digest = 0;
    }

    /**
     * Whether exactly these events have come, each once. The order does not matter: publishers may use several
     * connections.
     */
    boolean hasExactly(Iterable<Long> eachOnce) {
        long count = 0;
        long sum = 0;
        for (long stamp : eachOnce) {
            count++;
            sum += mixed(stamp);
        }
        return events == count && digest == sum;
    }

    /** A sum of these is another when an event is missing and a second one came twice. */
    private static long mixed(long stamp) {
        long half = (stamp ^ (stamp >>> 33)) * 0xff51afd7ed558ccdL;
        return (half ^ (half >>> 33)) * 0xc4ceb9fe1a85ec53L;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

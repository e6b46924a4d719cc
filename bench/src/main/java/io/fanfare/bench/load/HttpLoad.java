package io.fanfare.bench.load;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.bench.report.BenchFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Sends requests over keep-alive connections, one at a time on each. Closed loop: every answer is followed by the next
 * request. Open loop: requests are due at a fixed rate, and each is timed from when it was due, even while all
 * connections are busy (no coordinated omission). Works on the thread that calls it, which waits meanwhile.
 *
 * <p>It shares the processors with what it measures, so it takes little of them: plain sockets, and in a closed loop it
 * does not wake up for each answer but takes those together that come within a pause, by which their latencies are too
 * long. The pause is so short that no server runs out of requests meanwhile.
 */
public final class HttpLoad {
    private static final long TICK_MILLIS = 1;
    private static final long PAUSE_NANOS_PER_CONNECTION = 1_500;
    private static final int BUFFER_BYTES = 64 << 10;

    private final Selector selector;
    private final Supplier<byte[]> requests;
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final byte[] received = new byte[BUFFER_BYTES];
    private Run run;

    private HttpLoad(Selector selector, Supplier<byte[]> requests) {
        this.selector = selector;
        this.requests = requests;
    }

    /**
     * Opens the connections, which end with the process. {@code requests} makes the bytes of the next request, head and
     * body.
     */
    public static HttpLoad connect(int port, int connections, Supplier<byte[]> requests) {
        try {
            HttpLoad load = new HttpLoad(Selector.open(), requests);
            for (int i = 0; i < connections; i++) {
                load.add(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            }
            return load;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The bytes of a request without a body.
     *
     * @param headers each with its end of line
     */
    public static byte[] request(String methodAndPath, String headers) {
        return request(methodAndPath, headers, "");
    }

    /** The same with a body; the headers tell its type, not its length. */
    public static byte[] request(String methodAndPath, String headers, String body) {
        String length = body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n";
        return (methodAndPath + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + length + "\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** The header that shows a token. */
    public static String bearer(String token) {
        return "Authorization: Bearer " + token + "\r\n";
    }

    private void add(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
        Connection connection = new Connection(channel);
        channel.register(selector, SelectionKey.OP_READ, connection);
        idle.add(connection);
    }

    /**
     * The result of a run.
     *
     * @param refused answers other than 200
     * @param bytes of all bodies
     * @param latencies nanoseconds
     */
    public record Result(long answers, long refused, long bytes, double seconds, Histogram latencies) {
        /** Body bytes of one answer, on average. */
        public long bytesEach() {
            return bytes / Math.max(1, answers);
        }

        /**
         * The number of answers; throws {@link BenchFailed} when any request was refused, since such a run measures
         * something else.
         */
        @CanIgnoreReturnValue
        public long accepted() {
            if (refused > 0) {
                throw new BenchFailed(refused + " requests were refused");
            }
            return answers;
        }
    }

    /**
     * Closed loop until the time is over, or so many requests are sent; then the last answers are awaited. Throws
     * {@link BenchFailed} when the server closes a connection.
     */
    public Result closed(long nanos, long requestsMax) {
        return go(new Run(System.nanoTime() + nanos, requestsMax, 0));
    }

    /** Open loop at a rate until the time is over; the same otherwise. */
    public Result open(double perSecond, long nanos) {
        return go(new Run(System.nanoTime() + nanos, Long.MAX_VALUE, perSecond));
    }

    private Result go(Run begun) {
        run = begun;
        try {
            run.sendWhatIsDue();
            while (!run.isOver()) {
                if (run.perSecond == 0) {
                    LockSupport.parkNanos(
                            PAUSE_NANOS_PER_CONNECTION * selector.keys().size());
                }
                selector.select(key -> ((Connection) key.attachment()).read(), TICK_MILLIS);
                run.sendWhatIsDue();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return run.result();
    }

    /** One connection, and when the request that is under way on it was due. */
    private final class Connection {
        private final SocketChannel channel;
        private final ResponseReader reader = new ResponseReader();
        private long dueNanos;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        void send(long due) throws IOException {
            dueNanos = due;
            byte[] request = requests.get();
            buffer.clear().put(request).flip();
            if (channel.write(buffer) < request.length) {
                throw new BenchFailed("a request is larger than the send buffer of a connection");
            }
        }

        void read() {
            int length;
            try {
                length = channel.read(buffer.clear());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (length < 0) {
                throw new BenchFailed("the server closed a connection");
            }
            buffer.flip().get(received, 0, length);
            reader.read(received, length, (status, bodyLength) -> run.answered(this, status, bodyLength));
        }
    }

    private final class Run {
        private final Histogram latencies = new Histogram(3);
        private final long beginNanos = System.nanoTime();
        private final long endNanos;
        private final long requestsMax;
        private final double perSecond;
        private long sent;
        private long answers;
        private long refused;
        private long bytes;

        /** @param perSecond 0 = closed loop */
        Run(long endNanos, long requestsMax, double perSecond) {
            this.endNanos = endNanos;
            this.requestsMax = requestsMax;
            this.perSecond = perSecond;
        }

        void answered(Connection connection, int status, long length) {
            latencies.recordValue(System.nanoTime() - connection.dueNanos);
            answers++;
            bytes += length;
            refused += status == 200 ? 0 : 1;
            idle.add(connection);
        }

        void sendWhatIsDue() throws IOException {
            long now = System.nanoTime();
            while (!idle.isEmpty() && sent < requestsMax) {
                long due = perSecond > 0 ? beginNanos + (long) (sent / perSecond * 1e9) : now;
                if (due > now || due >= endNanos) {
                    return;
                }
                sent++;
                idle.remove().send(due);
            }
        }

        boolean isOver() {
            return answers == sent && (sent == requestsMax || System.nanoTime() >= endNanos);
        }

        Result result() {
            return new Result(answers, refused, bytes, (System.nanoTime() - beginNanos) / 1e9, latencies);
        }
    }
}

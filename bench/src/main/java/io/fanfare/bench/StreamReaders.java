package io.fanfare.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Reads many streams and counts their {@link StampedEvent}s, in a process of its own: one thread, one selector (epoll), one buffer. {@link ReaderProcess} is the other end. Does what
 * it is told, a line at a time:
 *
 * <pre>
 * open PORT COUNT PATH          opens streams; {} in the path becomes the stream's number. Answers when each has an answer
 * slow PORT COUNT PATH RATE     the same, but takes only RATE bytes a second of each
 * reset                         counts from now on
 * count                         how many events have come
 * figures                       events, bytes, and the latencies' p50, p99 and maximum in microseconds
 * close                         ends all streams
 * </pre>
 */
final class StreamReaders {
    private static final int BUFFER_BYTES = 256 << 10;

    /**
     * With so many streams it does not wake up for each delivery: when it has kept up, it takes those together that come within a pause, by which their latencies are too long. Readers
     * elsewhere would not push the server from its processor again and again.
     */
    private static final int CROWD = 5000;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Fewer streams than this to be read: it has kept up. */
    private static final int KEPT_UP = 256;

    /** Streams that may wait for their answer while others are opened: fewer than servers let wait. */
    private static final int OPENING_MAX = 200;

    private static final long OPENING_MAX_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long SLOW_STEP_MILLIS = 250;

    /** What the kernel keeps for a slow reader: little, so that the server feels it soon. */
    private static final int SLOW_RECEIVE_BYTES = 4 << 10;

    private final Queue<String> questions = new ConcurrentLinkedQueue<>();
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final List<SocketChannel> slow = new ArrayList<>();
    private final Histogram nanos = new Histogram(3);
    private int slowStepBytes;
    private long slowDueNanos;
    private int unanswered;
    private long events;
    private long bytes;
    private long arrivedNanos;

    /** A stream that is read as fast as it comes. */
    private static final class Stream {
        final StampReader reader = new StampReader();
        boolean answered;
    }

    private StreamReaders() throws IOException {
        selector = Selector.open();
    }

    /** Started by {@link ReaderProcess}. */
    public static void main(String[] args) throws IOException {
        StreamReaders readers = new StreamReaders();
        Thread input = new Thread(readers::listen, "questions");
        input.setDaemon(true);
        input.start();
        System.out.println(ServerProcess.READY);
        readers.run();
    }

    private void listen() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                questions.add(line);
                selector.wakeup();
            }
        } catch (IOException gone) {
            System.err.println("readers end: " + gone);
        }
        System.exit(0);
    }

    private void run() throws IOException {
        while (true) {
            int read = select();
            if (read < KEPT_UP && selector.keys().size() >= CROWD) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            for (String question = questions.poll(); question != null; question = questions.poll()) {
                System.out.println(answer(question.split(" ", -1)));
            }
        }
    }

    private String answer(String[] words) throws IOException {
        switch (words[0]) {
            case "open" -> open(Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3]);
            case "slow" -> {
                slowStepBytes = (int) (Integer.parseInt(words[4]) * SLOW_STEP_MILLIS / 1000);
                slowDueNanos = System.nanoTime();
                for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                    slow.add(connect(Integer.parseInt(words[1]), words[3], i, SLOW_RECEIVE_BYTES));
                }
            }
            case "reset" -> reset();
            case "count" -> {
                return Long.toString(events);
            }
            case "figures" -> {
                return figures();
            }
            case "close" -> close();
            default -> throw new IllegalArgumentException(words[0]);
        }
        return "done";
    }

    private void open(int port, int count, String path) throws IOException {
        long until = System.nanoTime() + OPENING_MAX_NANOS;
        for (int i = 0; i < count; i++) {
            SocketChannel channel = connect(port, path, i, 0);
            channel.register(selector, SelectionKey.OP_READ, new Stream());
            unanswered++;
            awaitAnswers(OPENING_MAX, until);
        }
        awaitAnswers(0, until);
    }

    private void awaitAnswers(int atMost, long untilNanos) throws IOException {
        while (unanswered > atMost) {
            int unused = select();
            if (System.nanoTime() > untilNanos) {
                throw new IllegalStateException(unanswered + " streams have no answer");
            }
        }
    }

    private static SocketChannel connect(int port, String path, int number, int receiveBytes) throws IOException {
        SocketChannel channel = SocketChannel.open();
        if (receiveBytes > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBytes);
        }
        // Closed with a reset: no port of the machine waits for what may still come.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        String request = "GET " + path.replace("{}", Integer.toString(number))
                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n";
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.configureBlocking(false);
        return channel;
    }

    /** Waits and reads; answers how many streams had something. */
    private int select() throws IOException {
        long wait = slow.isEmpty() ? 0 : Math.max(1, (slowDueNanos - System.nanoTime()) / 1_000_000);
        int read = selector.select(this::readable, wait);
        if (!slow.isEmpty() && System.nanoTime() >= slowDueNanos) {
            slowDueNanos += TimeUnit.MILLISECONDS.toNanos(SLOW_STEP_MILLIS);
            for (SocketChannel channel : slow) {
                bytes += read(channel, slowStepBytes);
            }
        }
        return read;
    }

    private void readable(SelectionKey key) {
        try {
            int read = read((SocketChannel) key.channel(), BUFFER_BYTES);
            arrivedNanos = System.nanoTime();
            Stream stream = (Stream) key.attachment();
            if (!stream.answered && read > 0) {
                stream.answered = true;
                unanswered--;
                check();
            }
            bytes += read;
            stream.reader.read(buffer, this::arrived);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Into the buffer, ready to be looked at. */
    private int read(SocketChannel channel, int bytesMax) throws IOException {
        buffer.clear().limit(bytesMax);
        int read = channel.read(buffer);
        if (read < 0) {
            throw new IllegalStateException("the server ended a stream");
        }
        buffer.flip();
        return read;
    }

    private void check() {
        byte[] begin = new byte[Math.min(buffer.remaining(), "HTTP/1.1 200".length())];
        buffer.get(0, begin);
        String status = new String(begin, StandardCharsets.US_ASCII);
        if (!"HTTP/1.1 200".startsWith(status)) {
            throw new IllegalStateException("a stream was refused: " + status);
        }
    }

    private void arrived(long stamp) {
        events++;
        nanos.recordValue(Math.max(0, arrivedNanos - stamp));
    }

    private void reset() {
        events = 0;
        bytes = 0;
        nanos.reset();
    }

    private String figures() {
        return events + " " + bytes + " " + nanos.getValueAtPercentile(50) / 1000 + " "
                + nanos.getValueAtPercentile(99) / 1000 + " " + nanos.getMaxValue() / 1000;
    }

    private void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        for (SocketChannel channel : slow) {
            channel.close();
        }
        slow.clear();
    }
}

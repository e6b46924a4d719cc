package io.fanfare.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Reads many streams and counts their {@link StampedEvent}s, in a process of its own: one thread, one selector (epoll),
 * one buffer. {@link ReaderProcess} is the other end. Does what it is told, a line at a time:
 *
 * <pre>
 * open PORT COUNT PATH ONE_IN   opens streams; {} in the path becomes the stream's number. Answers when each has an answer. After the next reset one in so many is read at once
 * gzip PORT COUNT PATH ONE_IN   the same, compressed
 * storm PORT COUNT PATH AT_ONCE opens streams as fast as it can, of which so many may wait for their answer; answers the median, p99 and maximum in microseconds from the beginning to the first byte of a stream
 * slow PORT COUNT PATH RATE     as open, but takes only RATE bytes a second of each
 * reset                         counts from now on, with another {@link Sample}
 * count EVENTS                  how many events have come; when the sample has its part of EVENTS, those that wait for their turn are read first
 * figures                       events, bytes, the sample's p50, p99 and maximum in microseconds, and how many streams have each event of the first one once, and no other
 * close                         ends all streams
 * </pre>
 */
final class StreamReaders {
    private static final int BUFFER_BYTES = 256 << 10;

    /**
     * With so many streams it does not wake up for each delivery: when it has kept up, it takes those together that
     * come within a pause, by which their latencies are too long. Readers elsewhere would not push the server from its
     * processor again and again.
     */
    private static final int CROWD = 5000;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Fewer streams than this to be read: it has kept up. */
    private static final int KEPT_UP = 256;

    /** Streams that may wait for their answer while others are opened: fewer than servers let wait. */
    private static final int OPENING_MAX = 200;

    private static final long OPENING_MAX_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long SLOW_STEP_MILLIS = 250;

    /** The kernel's buffer of a slow reader: little, so that the server feels it soon. */
    private static final int SLOW_RECEIVE_BYTES = 4 << 10;

    private final Queue<String> questions = new ConcurrentLinkedQueue<>();
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final List<ReaderStream> slow = new ArrayList<>();
    private final Histogram nanos = new Histogram(3);
    private Sample sample = new Sample(1, new SplittableRandom());

    /** The stamps that the first stream received. */
    private final Set<Long> stamps = new HashSet<>();

    /**
     * Whether those outside the sample are read in turn: from a reset until the figures are asked for. Other servers
     * are measured meanwhile.
     */
    private boolean counting;

    private int slowStepBytes;
    private long slowDueNanos;
    private int unanswered;
    private long events;
    private long bytes;

    /** From the beginning of a storm to the first byte of each stream. */
    private final Histogram openingNanos = new Histogram(3);

    private long openingSinceNanos;

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
            case "open", "gzip" -> {
                sample = new Sample(Integer.parseInt(words[4]), new SplittableRandom());
                GzipStampReader.Unpacked unpacked = words[0].equals("gzip") ? new GzipStampReader.Unpacked() : null;
                open(Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3], unpacked, OPENING_MAX);
            }
            case "storm" -> {
                sample = new Sample(1, new SplittableRandom());
                openingNanos.reset();
                open(
                        Integer.parseInt(words[1]),
                        Integer.parseInt(words[2]),
                        words[3],
                        null,
                        Integer.parseInt(words[4]));
                return openingNanos.getValueAtPercentile(50) / 1000 + " " + openingNanos.getValueAtPercentile(99) / 1000
                        + " " + openingNanos.getMaxValue() / 1000;
            }
            case "slow" -> {
                slowStepBytes = (int) (Integer.parseInt(words[4]) * SLOW_STEP_MILLIS / 1000);
                slowDueNanos = System.nanoTime();
                for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                    slow.add(ReaderStream.connect(
                            Integer.parseInt(words[1]), numbered(words[3], i), SLOW_RECEIVE_BYTES, null));
                }
            }
            case "reset" -> reset();
            case "count" -> {
                return Long.toString(count(Long.parseLong(words[1])));
            }
            case "figures" -> {
                return figures();
            }
            case "close" -> close();
            default -> throw new IllegalArgumentException(words[0]);
        }
        return "done";
    }

    private static String numbered(String path, int number) {
        return path.replace("{}", Integer.toString(number));
    }

    private void open(int port, int count, String path, GzipStampReader.Unpacked unpacked, int atOnce)
            throws IOException {
        openingSinceNanos = System.nanoTime();
        long until = openingSinceNanos + OPENING_MAX_NANOS;
        for (int i = 0; i < count; i++) {
            ReaderStream stream = ReaderStream.connect(port, numbered(path, i), 0, unpacked);
            sample.add(stream.channel().register(selector, SelectionKey.OP_READ, stream));
            unanswered++;
            awaitAnswers(atOnce, until);
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

    /** Waits and reads; answers how many streams had something. */
    private int select() throws IOException {
        int read = selector.select(this::readNow, waitMillis());
        if (inTurns()) {
            for (SelectionKey stream : sample.due(System.nanoTime())) {
                read(stream);
            }
        }
        if (!slow.isEmpty() && System.nanoTime() >= slowDueNanos) {
            slowDueNanos += TimeUnit.MILLISECONDS.toNanos(SLOW_STEP_MILLIS);
            for (ReaderStream stream : slow) {
                buffer.clear().limit(slowStepBytes);
                bytes += stream.read(buffer);
            }
        }
        return read;
    }

    private boolean inTurns() {
        return counting && sample.leavesSome();
    }

    /** 0 = until something comes. */
    private long waitMillis() {
        if (inTurns()) {
            return 1;
        }
        return slow.isEmpty() ? 0 : Math.max(1, (slowDueNanos - System.nanoTime()) / 1_000_000);
    }

    private void readNow(SelectionKey key) {
        try {
            read(key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(SelectionKey key) throws IOException {
        ReaderStream stream = (ReaderStream) key.attachment();
        boolean opening = !stream.answered();
        bytes += stream.read(buffer.clear());
        if (opening && stream.answered()) {
            unanswered--;
            openingNanos.recordValue(System.nanoTime() - openingSinceNanos);
        }
        long arrivedNanos = System.nanoTime();
        boolean sampled = Sample.has(key);
        boolean first = key == sample.streams().get(0);
        stream.take(buffer, stamp -> {
            events++;
            if (sampled) {
                nanos.recordValue(Math.max(0, arrivedNanos - stamp));
            }
            if (first) {
                stamps.add(stamp);
            }
        });
    }

    private void reset() {
        events = 0;
        bytes = 0;
        nanos.reset();
        stamps.clear();
        sample.streams().forEach(key -> ((ReaderStream) key.attachment()).reset());
        sample.draw(System.nanoTime());
        counting = true;
    }

    private long count(long expected) throws IOException {
        boolean sampleHasAll = nanos.getTotalCount() * sample.streams().size() >= expected * sample.size();
        if (sampleHasAll && inTurns()) {
            readOthers();
        }
        return events;
    }

    private void readOthers() throws IOException {
        for (SelectionKey key : sample.streams()) {
            if (!Sample.has(key)) {
                read(key);
            }
        }
    }

    private String figures() {
        counting = false;
        long whole = sample.streams().stream()
                .filter(key -> ((ReaderStream) key.attachment()).hasExactly(stamps))
                .count();
        return events + " " + bytes + " " + nanos.getValueAtPercentile(50) / 1000 + " "
                + nanos.getValueAtPercentile(99) / 1000 + " " + nanos.getMaxValue() / 1000 + " "
                + stamps.size() + " " + whole;
    }

    private void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        for (ReaderStream stream : slow) {
            stream.close();
        }
        slow.clear();
    }
}

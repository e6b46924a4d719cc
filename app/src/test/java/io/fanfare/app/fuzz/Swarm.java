package io.fanfare.app.fuzz;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Thousands of hostile connections on one thread. Each sends something at its pace, reads at its pace or not at all,
 * and comes back a second after it was closed. What they are answered is counted.
 */
final class Swarm implements AutoCloseable {
    private static final long TICK_MILLIS = 100;
    private static final long BACK_AFTER_MILLIS = 1000;
    private static final int RECEIVE_BYTES = 4096;

    /** Connections that are opened in one tick, so that the server's backlog is not what is tested. */
    private static final int OPENED_AT_ONCE = 100;

    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

    private final int port;
    private final Selector selector;
    private final List<Member> members = new ArrayList<>();
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Thread thread = new Thread(this::run, "swarm");
    private volatile boolean stopped;

    Swarm(int port) throws IOException {
        this.port = port;
        this.selector = Selector.open();
        thread.setDaemon(true);
    }

    /**
     * How a connection behaves.
     *
     * @param name of its kind, for the counts
     * @param operation what it asks for, as in {@code GET /path}; empty = nothing
     * @param first sent at once
     * @param more sent after the answer when {@code waits}, else behind the first; again and again when it repeats
     * @param sentPerTick bytes of {@code more}, at most
     * @param readPerTick bytes, at most
     */
    @SuppressWarnings("ArrayRecordComponent") // Nothing compares manners.
    record Manner(
            String name,
            String operation,
            byte[] first,
            byte[] more,
            boolean waits,
            boolean repeats,
            int sentPerTick,
            int readPerTick) {}

    /** So many connections of a kind, from so many addresses. */
    void add(int count, Manner manner, int addresses) {
        for (int i = 0; i < count; i++) {
            members.add(new Member(manner, "127.2." + (1 + members.size() % 7) + "." + (1 + i % addresses)));
        }
    }

    void start() {
        thread.start();
    }

    /** By kind and what became of it: {@code "idle closed" -> 17}, {@code "pipeliner GET /x 200" -> 3}. */
    Map<String, Long> counts() {
        Map<String, Long> sorted = new TreeMap<>();
        counts.forEach((name, count) -> sorted.put(name, count.sum()));
        return sorted;
    }

    @Override
    public void close() {
        stopped = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        long next = System.nanoTime();
        try {
            while (!stopped) {
                long millis = TimeUnit.NANOSECONDS.toMillis(next - System.nanoTime());
                if (millis > 0) {
                    selector.select(millis);
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    ((Member) key.attachment()).ready();
                }
                selector.selectedKeys().clear();
                if (System.nanoTime() >= next) {
                    next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
                    int opened = 0;
                    for (Member member : members) {
                        opened += member.tick(opened < OPENED_AT_ONCE) ? 1 : 0;
                    }
                }
            }
            for (Member member : members) {
                member.leave();
            }
            selector.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void count(Manner manner, String what) {
        counts.computeIfAbsent(manner.name() + " " + what, fresh -> new LongAdder())
                .increment();
    }

    /** One connection after the other. */
    private final class Member {
        private final Manner manner;
        private final String source;
        private final ByteBuffer in = ByteBuffer.allocate(2048);
        private SocketChannel channel;
        private SelectionKey key;
        private ByteBuffer first;
        private ByteBuffer more;
        private int mayRead;
        private boolean answered;
        private long backAt;

        Member(Manner manner, String source) {
            this.manner = manner;
            this.source = source;
        }

        /** Answers whether it has opened a connection. */
        boolean tick(boolean mayOpen) {
            if (channel == null) {
                boolean opens = mayOpen && System.nanoTime() >= backAt;
                if (opens) {
                    open();
                }
                return opens;
            }
            mayRead = manner.readPerTick();
            send(manner.sentPerTick());
            return false;
        }

        private void open() {
            try {
                channel = SocketChannel.open();
                channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BYTES);
                channel.bind(Wire.local(source, 0));
                channel.configureBlocking(false);
                first = ByteBuffer.wrap(manner.first());
                more = ByteBuffer.wrap(manner.more());
                answered = false;
                mayRead = manner.readPerTick();
                boolean there = channel.connect(Wire.local("127.0.0.1", port));
                key = channel.register(selector, there ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
                count(manner, "opened");
            } catch (IOException e) {
                count(manner, "not opened");
                leave();
            }
        }

        void ready() {
            try {
                if (key.isValid() && key.isConnectable() && channel.finishConnect()) {
                    key.interestOps(SelectionKey.OP_READ);
                    send(0);
                } else if (key.isValid() && key.isReadable()) {
                    read();
                }
            } catch (IOException e) {
                count(manner, "cut");
                leave();
            }
        }

        private void read() throws IOException {
            // The head of the answer always; then only what its pace allows.
            if (answered && mayRead <= 0) {
                key.interestOps(0);
                return;
            }
            in.clear().limit(answered ? Math.min(in.capacity(), mayRead) : in.capacity());
            int count = channel.read(in);
            if (count < 0) {
                count(manner, "closed");
                leave();
                return;
            }
            mayRead -= count;
            Matcher status = STATUS.matcher(new String(in.array(), 0, count, StandardCharsets.ISO_8859_1));
            while (status.find()) {
                count(manner, manner.operation() + " " + status.group(1));
                answered = true;
            }
        }

        private void send(int budget) {
            try {
                if (!channel.isConnected()) {
                    return;
                }
                if (mayRead > 0 && key.interestOps() == 0) {
                    key.interestOps(SelectionKey.OP_READ);
                }
                if (first.hasRemaining()) {
                    channel.write(first);
                }
                int left = budget;
                while (!first.hasRemaining() && left > 0 && manner.more().length > 0 && (answered || !manner.waits())) {
                    if (!more.hasRemaining()) {
                        if (!manner.repeats()) {
                            return;
                        }
                        more.clear();
                    }
                    more.limit(Math.min(manner.more().length, more.position() + left));
                    int taken = channel.write(more);
                    more.limit(manner.more().length);
                    left -= taken;
                    if (taken == 0) {
                        return;
                    }
                }
            } catch (IOException e) {
                count(manner, "cut");
                leave();
            }
        }

        void leave() {
            backAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BACK_AFTER_MILLIS);
            try {
                if (channel != null) {
                    channel.close();
                }
            } catch (IOException gone) {
                // It is gone either way.
            }
            channel = null;
        }
    }
}

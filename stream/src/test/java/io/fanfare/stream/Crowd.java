package io.fanfare.stream;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** One thread that reads the sockets of any number of clients, and runs what is to be done among them. */
final class Crowd implements AutoCloseable {
    private static final int READ_BYTES = 256 << 10;

    /** The owner of a socket. Called on the crowd's thread. */
    interface Member {
        /** The connection stands, or could not be made. */
        void connected();

        /** There is something to read. */
        void readable();
    }

    private record Later(long nanos, Runnable run) {}

    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    private final byte[] bytes = new byte[READ_BYTES];
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Later> timers = new PriorityQueue<>((a, b) -> Long.signum(a.nanos - b.nanos));
    private final Thread thread = new Thread(this::run, "crowd");
    private final HttpClient http = HttpClient.newHttpClient();
    private volatile Throwable trouble;
    private volatile boolean closed;

    Crowd() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread.setDaemon(true);
        thread.start();
    }

    /** Watches a socket for {@code interest}. */
    SelectionKey register(SocketChannel channel, int interest, Member member) throws IOException {
        return channel.register(selector, interest, member);
    }

    /**
     * Reads what there is, at most so much; answers how much, -1 at the end. It is in {@link #bytes} until the next
     * call.
     */
    int read(SocketChannel channel, int most) throws IOException {
        buffer.clear().limit(Math.min(most, READ_BYTES));
        int count = channel.read(buffer);
        buffer.flip();
        buffer.get(bytes, 0, buffer.limit());
        return count;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Runs something on the crowd's thread after so many milliseconds. Called on that thread. */
    void later(long millis, Runnable run) {
        timers.add(new Later(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), run));
    }

    /** Sends a request beside the streams; its status, 0 when there is none, is told on the crowd's thread. */
    void send(HttpRequest request, IntConsumer answered) {
        var unused = http.sendAsync(request, BodyHandlers.discarding())
                .handle((answer, cause) -> cause == null ? answer.statusCode() : 0)
                .thenAccept(status -> execute(() -> answered.accept(status)));
    }

    /** Runs something on the crowd's thread, soon. */
    void execute(Runnable run) {
        tasks.add(run);
        selector.wakeup();
    }

    /** Runs something on the crowd's thread and answers what it answers. Called on any other. */
    @CanIgnoreReturnValue
    <T> T ask(Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        execute(() -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(trouble == null ? e : trouble);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void run() {
        try {
            while (!closed) {
                turn();
            }
        } catch (IOException | RuntimeException e) {
            trouble = e;
            throw new IllegalStateException("the crowd has broken up", e);
        }
    }

    private void turn() throws IOException {
        Later first = timers.peek();
        long wait = first == null ? 1000 : TimeUnit.NANOSECONDS.toMillis(first.nanos - System.nanoTime()) + 1;
        selector.select(Crowd::serve, Math.max(1, Math.min(1000, wait)));
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        long now = System.nanoTime();
        while (!timers.isEmpty() && timers.peek().nanos - now <= 0) {
            timers.poll().run().run();
        }
    }

    private static void serve(SelectionKey key) {
        Member member = (Member) key.attachment();
        if (key.isValid() && key.isConnectable()) {
            member.connected();
        } else if (key.isValid() && key.isReadable()) {
            member.readable();
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

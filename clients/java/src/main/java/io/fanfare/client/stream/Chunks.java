package io.fanfare.client.stream;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The bytes of one answer, a chunk at a time: the next one is requested when the former one is read, so that a slow
 * reader slows down the server and not the memory.
 */
final class Chunks implements BodySubscriber<Chunks>, AutoCloseable {
    private record Signal(List<ByteBuffer> bytes, boolean isEnd, IOException failureOrNull) {}

    /** One chunk at most, the end, and one cut. */
    private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();

    private volatile Flow.Subscription subscription;
    private volatile boolean closed;

    @Override
    public CompletionStage<Chunks> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription opened) {
        subscription = opened;
        if (closed) {
            opened.cancel();
        } else {
            opened.request(1);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
        signals.add(new Signal(bytes, false, null));
    }

    @Override
    public void onError(Throwable cause) {
        signals.add(new Signal(List.of(), false, new IOException("the connection was lost", cause)));
    }

    @Override
    public void onComplete() {
        signals.add(new Signal(List.of(), true, null));
    }

    /**
     * The next bytes; null when the answer has ended.
     *
     * @param nanos at most
     * @throws IOException when the connection is lost or silent
     */
    List<ByteBuffer> next(long nanos) throws IOException, InterruptedException {
        Signal signal = signals.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        if (signal == null) {
            throw new IOException("the connection was silent");
        }
        if (signal.failureOrNull() != null) {
            throw signal.failureOrNull();
        }
        if (signal.isEnd()) {
            return null;
        }
        subscription.request(1);
        return signal.bytes();
    }

    /** Ends the answer from another thread. */
    void cut(String why) {
        signals.add(new Signal(List.of(), false, new IOException(why)));
    }

    /** Closes the connection unless the answer has ended. */
    @Override
    public void close() {
        closed = true;
        Flow.Subscription opened = subscription;
        if (opened != null) {
            opened.cancel();
        }
    }
}

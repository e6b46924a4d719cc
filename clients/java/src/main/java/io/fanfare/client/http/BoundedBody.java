package io.fanfare.client.http;

import io.fanfare.client.error.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** A body of UTF-8 in memory, of limited size; a longer one cuts the connection. */
final class BoundedBody implements BodySubscriber<String> {
    private final int bytesMax;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<String> whole = new CompletableFuture<>();
    private Flow.Subscription subscription;

    BoundedBody(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    @Override
    public CompletionStage<String> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription opened) {
        subscription = opened;
        opened.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (bytes.size() + buffer.remaining() > bytesMax) {
                subscription.cancel();
                boolean unused = whole.completeExceptionally(
                        new ProtocolException("the answer of the server has more than " + bytesMax + " bytes"));
                return;
            }
            byte[] chunk = new byte[buffer.remaining()];
            buffer.get(chunk);
            bytes.writeBytes(chunk);
        }
    }

    @Override
    public void onError(Throwable cause) {
        boolean unused = whole.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        boolean unused = whole.complete(bytes.toString(StandardCharsets.UTF_8));
    }
}

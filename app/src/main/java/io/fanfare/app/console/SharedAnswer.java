package io.fanfare.app.console;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * An answer that costs something, shown to everybody who asks while it is on its way and for a while afterwards. A
 * failure is shown to those who waited for it only. One event loop.
 */
final class SharedAnswer<T> {
    private final Duration kept;
    private final LongSupplier nanos;
    private final Supplier<Future<T>> question;
    private Future<T> answer = Future.failedFuture("no answer yet");
    private long requestedNanos;

    /**
     * @param kept since it was asked for
     * @param nanos elapsed time
     */
    SharedAnswer(Duration kept, LongSupplier nanos, Supplier<Future<T>> question) {
        this.kept = kept;
        this.nanos = nanos;
        this.question = question;
    }

    Future<T> get() {
        long now = nanos.getAsLong();
        boolean old = now - requestedNanos >= kept.toNanos();
        if (answer.failed() || (answer.isComplete() && old)) {
            requestedNanos = now;
            answer = question.get();
        }
        return answer;
    }
}

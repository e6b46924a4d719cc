package io.fanfare.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A future that is awaited within a time completes on the event loop that waits. */
class LoopContextTest {
    private final Vertx vertx = Vertx.vertx();

    private record End(Throwable cause, Thread thread) {}

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void aTimeOutComesOnTheEventLoopThatWaits() throws Exception {
        Promise<Void> never = Promise.promise();
        CompletableFuture<Thread> loop = new CompletableFuture<>();
        CompletableFuture<End> end = new CompletableFuture<>();
        vertx.getOrCreateContext().runOnContext(turn -> {
            loop.complete(Thread.currentThread());
            LoopContext.current(vertx)
                    .within(20, Future.join(never.future(), Future.succeededFuture()))
                    .onComplete(result -> end.complete(new End(result.cause(), Thread.currentThread())));
        });
        assertThat(end.get(10, TimeUnit.SECONDS).cause()).isInstanceOf(TimeoutException.class);
        assertThat(end.get().thread()).isSameAs(loop.get());
    }

    @Test
    void aFutureThatCompletesInTimeOnAnotherThreadCompletesOnTheWaitingEventLoop() throws Exception {
        Promise<String> early = Promise.promise();
        CompletableFuture<Thread> loop = new CompletableFuture<>();
        CompletableFuture<End> end = new CompletableFuture<>();
        vertx.getOrCreateContext().runOnContext(turn -> {
            LoopContext.current(vertx)
                    .within(60_000, early.future())
                    .onComplete(result -> end.complete(new End(result.cause(), Thread.currentThread())));
            loop.complete(Thread.currentThread());
        });
        loop.get(10, TimeUnit.SECONDS);
        early.complete("early");
        assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(new End(null, loop.get()));
    }
}

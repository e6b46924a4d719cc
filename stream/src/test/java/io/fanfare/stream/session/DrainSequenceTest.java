package io.fanfare.stream.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of all sockets of an event loop. */
@Tag("slow")
class DrainSequenceTest {
    private final Vertx vertx = Vertx.vertx();
    private final List<StreamHub.Socket> open = new ArrayList<>();

    /** A socket that is closed at once, and whose client never answers. */
    private final class MuteSocket implements StreamHub.Socket {
        @Override
        public Future<Void> goAway() {
            open.remove(this);
            return Promise.<Void>promise().future();
        }

        @Override
        public boolean ended() {
            return false;
        }

        @Override
        public void fail(Throwable cause) {
            throw new IllegalStateException(cause);
        }

        @Override
        public long beat(long nanos, long silenceMax) {
            return silenceMax;
        }
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void aDrainEndsOnItsEventLoopThoughAClientDoesNotAnswer() throws Exception {
        CompletableFuture<Thread> loop = new CompletableFuture<>();
        CompletableFuture<Thread> end = new CompletableFuture<>();
        vertx.getOrCreateContext().runOnContext(turn -> {
            loop.complete(Thread.currentThread());
            open.add(new MuteSocket());
            new DrainSequence(vertx, Duration.ofMillis(20), List::of, () -> List.copyOf(open))
                    .run()
                    .onComplete(drained -> end.complete(Thread.currentThread()));
        });
        assertThat(end.get(10, TimeUnit.SECONDS)).isSameAs(loop.get());
    }
}

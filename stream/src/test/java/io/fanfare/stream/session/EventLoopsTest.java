package io.fanfare.stream.session;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An answer comes back to the event loop that has asked. */
class EventLoopsTest {
    private final Vertx vertx = Vertx.vertx();
    private final Context caller = ((VertxInternal) vertx).createEventLoopContext();
    private final Context other = ((VertxInternal) vertx).createEventLoopContext();

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @Test
    void theTaskRunsThereAndItsAnswerComesHere() {
        Promise<Thread> answeredOn = Promise.promise();
        Promise<Thread> here = Promise.promise();
        Promise<Thread> ranOn = Promise.promise();
        Promise<Thread> there = Promise.promise();
        other.runOnContext(turn -> there.complete(Thread.currentThread()));
        caller.runOnContext(turn -> {
            here.complete(Thread.currentThread());
            EventLoops.call(vertx, other, Thread::currentThread).onComplete(thread -> {
                answeredOn.complete(Thread.currentThread());
                ranOn.complete(thread.result());
            });
        });
        assertThat(await(ranOn.future())).isSameAs(await(there.future())).isNotSameAs(await(here.future()));
        assertThat(await(answeredOn.future())).isSameAs(await(here.future()));
    }

    @Test
    void aTaskThatThrowsIsAnAnswerToo() {
        Future<Void> answer = EventLoops.call(vertx, other, () -> {
            throw new IllegalStateException("a mistake");
        });
        awaitUntil("answered", answer::isComplete);
        assertThat(answer.cause()).isInstanceOf(IllegalStateException.class);
    }
}

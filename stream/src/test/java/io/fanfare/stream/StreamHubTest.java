package io.fanfare.stream;

import static io.fanfare.common.testing.TestRedis.await;
import static io.fanfare.common.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.redis.Keys;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestRedis;
import io.fanfare.stream.filter.Firehose;
import io.fanfare.stream.wire.Dialect;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a crowd of streams is served by its event loop. */
class StreamHubTest {
    private static final int CROWD = 3000;

    private StreamServer server;
    private final Vertx vertx = Vertx.vertx();
    private final CountDownLatch serving = new CountDownLatch(1);
    private final CountDownLatch published = new CountDownLatch(1);
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private RedisLink link;
    private StreamHub hub;

    /** Holds everybody up once, while it is given the first status. */
    private final class Reader implements Outlet {
        @Override
        public void write(Buffer events) {
            String told = events.toString();
            writes.incrementAndGet();
            if (told.contains("{\"n\":1}")) {
                serving.countDown();
                awaitLatch(published);
            }
            if (told.contains("{\"n\":3}")) {
                served.incrementAndGet();
            }
        }

        @Override
        public boolean isFull() {
            return false;
        }

        @Override
        public void open(int bytesMax, Runnable drained, Runnable gone) {}

        @Override
        public long taken() {
            return 0;
        }

        @Override
        public long waiting() {
            return 0;
        }

        @Override
        public Future<Void> end() {
            return Future.succeededFuture();
        }

        @Override
        public void abort() {}
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void beginWithAnEmptyLog() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        server = StreamServer.withoutNode(redis);
    }

    @AfterEach
    void stop() {
        await(onLoop(() -> hub.close().compose(closed -> link.close())));
        await(vertx.close());
        server.close();
    }

    @Test
    void newsThatComesWhileACrowdIsServedGoesTogetherWithTheOldToWhoeverStillWaits() {
        await(onLoop(this::openCrowd));
        writes.set(0);
        assertThat(server.append(server.status(1))).isEqualTo(1);
        awaitLatch(serving);

        assertThat(server.append(server.status(2))).isEqualTo(2);
        assertThat(server.append(server.status(3))).isEqualTo(3);
        // An append may be answered before what it publishes is sent; the next command is not.
        server.redis.askAt(Keys.BUS_SEQ, "PING");
        published.countDown();
        awaitUntil("all served", () -> served.get() == CROWD);

        // Everybody apart from those of the first turn is written to once.
        assertThat(writes.get()).isLessThan(2 * CROWD);
    }

    private Future<Void> openCrowd() {
        return RedisLink.open(vertx, server.redis.settings()).compose(opened -> {
            link = opened;
            hub = new StreamHub(
                    vertx, link, new Random(1), System::nanoTime, SettingsLoader.defaultsWith().stream(), 1);
            return hub.start().onSuccess(started -> {
                for (int i = 0; i < CROWD; i++) {
                    Resume now = Resume.of("", hub.known());
                    var unused = hub.open("firehose", new Reader(), Firehose.WHOLE, Dialect.NATIVE, Manners.USUAL, now);
                }
            });
        });
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        vertx.getOrCreateContext().runOnContext(turn -> work.get().onComplete(done));
        return done.future();
    }
}

package io.fanfare.app.console;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.app.operate.DeadSweep;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.core.queue.DeadLetters;
import io.fanfare.core.queue.DeadLetters.Filter;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.runtime.ServiceContext;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The console's work of many steps. */
class StoresTest {
    private static final int SHARDS = 8;

    private final TestRedis redis = TestRedis.standalone();
    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final AtomicLong nanos = new AtomicLong();
    private Stores stores;

    @BeforeEach
    void open() {
        redis.flush();
        ServiceContext services = new ServiceContext(
                vertx,
                SettingsLoader.defaultsWith().with(TestSettings.redis(redis.options())),
                new SimpleMeterRegistry(),
                new Shards(SHARDS),
                /* keys= */ null,
                /* vapid= */ null,
                Future.succeededFuture());
        stores = await(onLoop(() -> Future.succeededFuture(new Stores(services, vertx))));
    }

    @AfterEach
    void stop() {
        await(onLoop(stores::close));
        await(vertx.close());
    }

    @Test
    void aFewWaitForEachOtherAndMoreAreRefused() {
        CountDownLatch free = new CountDownLatch(1);
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < Stores.WORK_MAX; i++) {
            int number = i;
            all.add(onLoop(() -> stores.onThread(new WorkLimit(nanos::get), queue -> {
                awaitLatch(free);
                return number;
            })));
        }
        assertThatThrownBy(() -> await(onLoop(() -> stores.onThread(new WorkLimit(nanos::get), queue -> 9))))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("try again in");

        free.countDown();
        for (int i = 0; i < all.size(); i++) {
            int done = await(all.get(i));
            assertThat(done).isEqualTo(i);
        }
        int another = await(onLoop(() -> stores.onThread(new WorkLimit(nanos::get), queue -> 9)));
        assertThat(another).isEqualTo(9);
    }

    @Test
    void tasksThatWaitedTooLongAreNotStarted() {
        WorkLimit limit = new WorkLimit(nanos::get);
        nanos.addAndGet(WorkLimit.TIME_MAX.toNanos());
        List<String> done = new ArrayList<>();
        assertThatThrownBy(() -> await(onLoop(() -> stores.onThread(limit, queue -> done.add("it")))))
                .isInstanceOf(Refusal.class);
        assertThat(done).isEmpty();
    }

    @Test
    void anActionEndsBetweenTwoStepsWhenItsTimeIsOverAndSaysThatItHasNotSeenAll() {
        for (int shard = 0; shard < SHARDS; shard++) {
            redis.askAt(Keys.dead(shard), "ZADD", Keys.dead(shard), "1", "malformed\trubbish" + shard);
        }
        // Each look at the clock takes a third of the time that there is.
        long look = WorkLimit.TIME_MAX.toNanos() / 3;
        WorkLimit limit = new WorkLimit(() -> nanos.getAndAdd(look));
        DeadSweep sweep = await(onLoop(() -> stores.onThread(limit, queue -> {
            DeadSweep ofAll = new DeadSweep(queue, Filter.ANY);
            assertThat(ofAll.take(DeadLetters::drop, 100, 0, new CountDownLatch(1)))
                    .isBetween(1, SHARDS - 1);
            return ofAll;
        })));
        assertThat(sweep.sawAll()).isFalse();
        assertThat(redis.askAt(Keys.dead(SHARDS - 1), "ZCARD", Keys.dead(SHARDS - 1))
                        .asLong())
                .isEqualTo(1);
    }

    @Test
    void workEndsWhenItsClientHasGone() throws Exception {
        AtomicReference<WorkLimit> limit = new AtomicReference<>();
        HttpServer server = await(vertx.createHttpServer()
                .requestHandler(request -> limit.set(WorkLimit.of(request, nanos::get)))
                .listen(0, "127.0.0.1"));
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
            client.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            awaitUntil("the request is there", () -> limit.get() != null);
            assertThat(limit.get().isReached()).isFalse();
        }
        awaitUntil("the client has gone", () -> limit.get().isReached());
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> task) {
        Promise<T> promise = Promise.promise();
        loop.runOnContext(turn -> task.get().onComplete(promise));
        return promise.future();
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

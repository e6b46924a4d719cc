package io.fanfare.stream.access;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.stream.session.Connection;
import io.fanfare.stream.wire.Disconnect;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many connections there may be of a token, a user and an address, whichever event loops they are on. */
class ConnectionQuotaTest {
    private static final int LOOPS = 4;
    private static final int OF_EACH_LOOP = 250;
    private static final int MOST = 10;

    /** As {@code ClientAddress} writes them: 127.0.0.1, which is not counted, and 203.0.113.7. */
    private static final String OWN = "7f000001";

    private static final String ADDRESS = "cb007107";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(LOOPS));
    private final ConnectionQuota quota = new ConnectionQuota(SettingsLoader.defaultsWith(
            "stream.per-token-max=" + MOST, "stream.per-user-max=" + 2 * MOST, "stream.per-address-max=" + 3 * MOST)
            .stream());
    private final AtomicInteger open = new AtomicInteger();
    private final List<Fake> all = new CopyOnWriteArrayList<>();

    /** Notes where it is ended, and why. */
    private final class Fake implements Connection {
        private final List<Runnable> atEnd = new ArrayList<>();
        private final Thread home = Thread.currentThread();
        private volatile Thread endedOn;
        private volatile Disconnect why;

        @Override
        public void evict(Disconnect reason) {
            if (endedOn == null) {
                endedOn = Thread.currentThread();
                why = reason;
                atEnd.forEach(Runnable::run);
                open.decrementAndGet();
            }
        }

        @Override
        public void whenEnded(Runnable run) {
            if (endedOn != null) {
                run.run();
            } else {
                atEnd.add(run);
            }
        }
    }

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @ParameterizedTest(name = "user {0}, one token {1}: {2}")
    @CsvSource({"7,true,10", "7,false,20"})
    void theOldestOfATokenAndOfAUserGoOnTheirOwnEventLoops(long user, boolean oneToken, int most) {
        List<Context> loops = loops();
        openOnAll(loops, n -> new Principal(user, oneToken ? "t" : "t" + n, "client", "", Set.of()), OWN);

        awaitUntil("as many as there may be", () -> open.get() == most);
        assertThat(all).hasSize(LOOPS * OF_EACH_LOOP);
        assertThat(all).filteredOn(fake -> fake.endedOn != null).allSatisfy(fake -> {
            assertThat(fake.endedOn).isSameAs(fake.home);
            assertThat(fake.why).isEqualTo(Disconnect.ADMIN_LOGOUT);
        });

        // Whoever leaves makes room for others, and for no more than that.
        endAll(loops);
        openOnAll(loops, n -> new Principal(user, oneToken ? "t" : "t" + n, "client", "", Set.of()), OWN);
        awaitUntil("as many again", () -> open.get() == most);
    }

    @Test
    void anAddressNeverHasMoreThanItMay() {
        List<Context> loops = loops();
        openOnAll(loops, n -> null, ADDRESS);
        assertThat(open.get()).isEqualTo(3 * MOST);
        assertThat(all).filteredOn(fake -> fake.endedOn != null).allMatch(fake -> fake.why == Disconnect.SHED_LOAD);

        endAll(loops);
        assertThat(open.get()).isZero();
        quota.admit(ADDRESS);
        openOnAll(loops, n -> null, ADDRESS);
        assertThat(open.get()).isEqualTo(3 * MOST);
    }

    private interface Opener {
        /** Null = nobody. */
        Principal who(int n);
    }

    private List<Context> loops() {
        List<Context> loops = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            loops.add(((VertxInternal) vertx).createEventLoopContext());
        }
        return loops;
    }

    /** Returns when all loops, which open theirs at the same time, have done so. */
    private void openOnAll(List<Context> loops, Opener opener, String address) {
        onAll(loops, loop -> {
            for (int n = 0; n < OF_EACH_LOOP; n++) {
                Fake fake = new Fake();
                all.add(fake);
                open.incrementAndGet();
                quota.add(new StreamAdmission.Listener(opener.who(n), null), address, fake, loop);
            }
        });
    }

    private void endAll(List<Context> loops) {
        onAll(loops, loop -> all.stream()
                .filter(fake -> fake.home == Thread.currentThread())
                .forEach(fake -> fake.evict(Disconnect.STALL)));
        all.clear();
    }

    private interface Work {
        void on(Context loop);
    }

    private static void onAll(List<Context> loops, Work work) {
        List<Future<Void>> done = new ArrayList<>();
        for (Context loop : loops) {
            Promise<Void> ended = Promise.promise();
            done.add(ended.future());
            loop.runOnContext(turn -> Future.<Void>future(promise -> {
                        work.on(loop);
                        promise.complete();
                    })
                    .onComplete(ended));
        }
        await(Future.join(done).<Void>mapEmpty());
    }
}

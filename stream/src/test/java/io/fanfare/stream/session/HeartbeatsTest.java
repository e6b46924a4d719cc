package io.fanfare.stream.session;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connections that get heartbeats, and the times. */
class HeartbeatsTest {
    private static final Duration SILENCE_MAX = Duration.ofMillis(100);

    private final Vertx vertx = Vertx.vertx();

    /** Answers always the same. */
    private static final class Steady implements Heartbeats.Pulse {
        private final long again;
        private final AtomicInteger beats = new AtomicInteger();
        private volatile boolean ended;
        private volatile boolean broken;

        Steady(long again) {
            this.again = again;
        }

        @Override
        public long beat(long nanos, long silenceMax) {
            beats.incrementAndGet();
            if (broken) {
                throw new IllegalStateException("a mistake");
            }
            return again;
        }

        @Override
        public void fail(Throwable cause) {
            ended = true;
        }

        @Override
        public boolean ended() {
            return ended;
        }
    }

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1_000_000_000, -1, 0, 1, Long.MAX_VALUE})
    void anyPauseOfAStreamBringsItBackAndHoldsUpNoOther(long again) {
        Steady odd = new Steady(again);
        Steady usual = new Steady(SILENCE_MAX.toNanos());
        start(odd, usual);
        awaitUntil("both are seen", () -> odd.beats.get() >= 5 && usual.beats.get() >= 5);
    }

    @Test
    void aStreamThatFailsEndsAndHoldsUpNobody() {
        Steady fails = new Steady(SILENCE_MAX.toNanos());
        fails.broken = true;
        Steady stays = new Steady(SILENCE_MAX.toNanos());
        start(fails, stays);
        awaitUntil("seen", () -> fails.ended && stays.beats.get() >= 3);
        assertThat(fails.beats.get()).isEqualTo(1);
    }

    @Test
    void aStreamAfterAPauseWithoutAnyIsSeenAgain() {
        Steady first = new Steady(0);
        Steady later = new Steady(0);
        Heartbeats[] made = new Heartbeats[1];
        vertx.getOrCreateContext().runOnContext(turn -> {
            made[0] = new Heartbeats(vertx, System::nanoTime, SILENCE_MAX);
            made[0].add(first);
            first.ended = true;
            watchFor(made[0], later);
        });
        awaitUntil("seen", () -> later.beats.get() >= 3);
    }

    /** Adds the stream once nothing wakes the event loop any more. */
    private void watchFor(Heartbeats heartbeats, Steady stream) {
        if (heartbeats.rests()) {
            heartbeats.add(stream);
        } else {
            vertx.setTimer(1, again -> watchFor(heartbeats, stream));
        }
    }

    @Test
    void anEndedStreamGetsNoMoreHeartbeats() {
        Steady ends = new Steady(0);
        Steady stays = new Steady(0);
        start(ends, stays);
        awaitUntil("seen", () -> ends.beats.get() > 0);
        ends.ended = true;
        // It may be seen once more, or be so just now.
        int first = stays.beats.get();
        awaitUntil("left", () -> stays.beats.get() > first + 2);
        int last = ends.beats.get();
        int now = stays.beats.get();
        awaitUntil("later", () -> stays.beats.get() > now + 5);
        assertThat(ends.beats.get()).isEqualTo(last);
    }

    private void start(Heartbeats.Pulse... streams) {
        vertx.getOrCreateContext().runOnContext(turn -> {
            Heartbeats heartbeats = new Heartbeats(vertx, System::nanoTime, SILENCE_MAX);
            for (Heartbeats.Pulse stream : streams) {
                heartbeats.add(stream);
            }
        });
    }
}

package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.redis.ClockGuard;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.worker.TimedJobs.Started;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Jobs wait for their time and are then enqueued, each once. */
@ParameterizedClass
@KindsOfRedis
class TimedJobsTest {
    private static final int SHARD = 2;
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final Vertx VERTX = Vertx.vertx();

    private final TestRedis redis;
    private final String timers = Keys.timers(SHARD);
    private final String lane = Keys.lane(SHARD, Lane.NORMAL.key());
    private RedisLink link;

    TimedJobsTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void open() {
        redis.flush();
        link = redis.link(VERTX);
    }

    @AfterEach
    void close() {
        await(link.close());
    }

    @AfterAll
    static void closeAll() {
        await(VERTX.close());
    }

    private TimedJobs by(InstantSource clock) {
        return new TimedJobs(link, new ClockGuard(link, clock, System::nanoTime, () -> {}), new Shards(4));
    }

    private void schedule(String job, long dueMillis) {
        assertThat(redis.askAt(timers, "ZADD", timers, String.valueOf(dueMillis), job)
                        .asLong())
                .isEqualTo(1);
    }

    private long waiting() {
        return redis.askAt(lane, "LLEN", lane).asLong();
    }

    @Test
    void onlyWhatIsDueIsStarted() {
        TimedJobs jobs = by(InstantSource.system());
        long now = System.currentTimeMillis();
        assertThat(await(jobs.look())).isEmpty();
        assertThat(await(jobs.start(SHARD))).isEqualTo(new Started(0, -1));
        schedule("first", now - 1);
        schedule("second", now + DAY);

        assertThat(await(jobs.look())).containsExactly(SHARD);
        Started started = await(jobs.start(SHARD));

        assertThat(started.count()).isEqualTo(1);
        assertThat(started.nextMillis()).isBetween(DAY - Duration.ofMinutes(5).toMillis(), DAY);
        assertThat(waiting()).isEqualTo(1);
        assertThat(redis.askAt(timers, "ZSCORE", timers, "first").isNil()).isTrue();
        assertThat(await(jobs.start(SHARD)).count()).isZero();
    }

    @Test
    void manyAreStartedInSeveralTurnsAndByTwoAtOnceEachOnce() {
        TimedJobs one = by(InstantSource.system());
        TimedJobs other = by(InstantSource.system());
        for (int i = 0; i < 250; i++) {
            schedule("job" + i, 1 + i);
        }
        long started = 0;
        for (int turn = 0; turn < 3; turn++) {
            var first = one.start(SHARD);
            var second = other.start(SHARD);
            started += await(first).count() + await(second).count();
        }
        assertThat(started).isEqualTo(250);
        assertThat(waiting()).isEqualTo(250);
        assertThat(redis.askAt(timers, "ZCARD", timers).asLong()).isZero();
    }

    /** Otherwise jobs of the next days would start at once, for good. */
    @Test
    void nothingIsStartedWhileTheClockOfRedisIsAhead() {
        long now = System.currentTimeMillis();
        schedule("job", now - DAY / 2);
        TimedJobs behind = by(() -> Instant.ofEpochMilli(now - DAY));

        assertThatThrownBy(() -> await(behind.start(SHARD))).hasMessageContaining("clock");
        assertThat(waiting()).isZero();
        assertThat(await(by(InstantSource.system()).start(SHARD)).count()).isEqualTo(1);
    }
}

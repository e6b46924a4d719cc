package io.fanfare.core.queue;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** A paused lane keeps its jobs; all else goes on. */
@ParameterizedClass
@KindsOfRedis
class LanePauseTest {
    private static final int SHARD = 2;
    private static final int SHARDS = 4;
    private static final Settings.Queue SETTINGS = SettingsLoader.defaultsWith().queue();
    private static final Vertx VERTX = Vertx.vertx();

    private final TestRedis redis;
    private final QueueState state;
    private RedisLink link;
    private JobQueue queue;
    private LanePause lanes;
    private long now = 1000;

    LanePauseTest(TestRedis.Kind kind) {
        redis = kind.redis();
        state = new QueueState(redis, SHARD);
    }

    @BeforeEach
    void open() {
        redis.flush();
        link = redis.link(VERTX);
        queue = new JobQueue(link, new Shards(SHARDS), SETTINGS, () -> now);
        lanes = queue.lanePause();
    }

    @AfterEach
    void close() {
        await(link.close());
    }

    @AfterAll
    static void end() {
        await(VERTX.close());
    }

    @Test
    void everyClaimPassesOverAPausedLaneAndTakesFromTheOthers() {
        for (Lane paused : Lane.values()) {
            redis.flush();
            assertThat(set(paused, true)).isEqualTo(SHARDS);
            for (Lane lane : Lane.values()) {
                state.give(lane.key(), jobs(lane.key()));
            }
            List<String> taken = new ArrayList<>();
            boolean more = true;
            for (int n = 0; more; n++) {
                Batch batch = await(queue.fetch(SHARD, "w." + n, 64, true));
                batch.jobs().forEach(job -> taken.add(job.line()));
                more = batch.more();
            }
            assertThat(taken).hasSize(40).noneMatch(job -> job.contains(paused.key()));
            assertThat(state.list(paused.key())).hasSize(20);
        }
    }

    private static String[] jobs(String type) {
        String[] jobs = new String[20];
        for (int i = 0; i < jobs.length; i++) {
            jobs[i] = "0 0 " + i + ' ' + type + ".1 8 12 0";
        }
        return jobs;
    }

    @Test
    void aPausedLaneAloneDoesNotSayThatThereIsMore() {
        set(Lane.LOW, true);
        state.give("low", jobs("low"));
        for (int turn = 0; turn < 8; turn++) {
            assertThat(await(queue.fetch(SHARD, "w." + turn, 64, true)))
                    .isEqualTo(new Batch(SHARD, "w." + turn, List.of(), false, false, -1, Lane.NORMAL));
        }
    }

    @Test
    void aLaneIsPausedAndResumedInEveryShardAndRepeatingChangesNothing() {
        assertThat(set(Lane.LOW, true)).isEqualTo(SHARDS);
        now = 2000;
        assertThat(set(Lane.LOW, true)).isZero();
        assertThat(set(Lane.HIGH, true)).isEqualTo(SHARDS);
        for (QueueStats shard : await(queue.stats())) {
            assertThat(shard.lanes().get(Lane.LOW).pausedMillis()).isEqualTo(1000);
            assertThat(shard.lanes().get(Lane.HIGH).pausedMillis()).isEqualTo(2000);
            assertThat(shard.lanes().get(Lane.NORMAL).isPaused()).isFalse();
        }
        assertThat(set(Lane.LOW, false)).isEqualTo(SHARDS);
        assertThat(set(Lane.LOW, false)).isZero();
        assertThat(state.text()).isEqualTo("stats: paused=high=2000 ");
        assertThat(set(Lane.HIGH, false)).isEqualTo(SHARDS);
        assertThat(state.text()).isEmpty();
    }

    @Test
    void jobsOfAPausedLaneRunInOrderAfterwards() {
        state.give("normal", "0 0 1 a.1", "0 0 2 b.1");
        set(Lane.NORMAL, true);
        long owner = Id.of(Id.EPOCH_MILLIS, SHARD, 1);
        await(queue.enqueue(new Job.FanOut(owner, 8, 0), Lane.NORMAL));
        assertThat(await(queue.fetch(SHARD, "w.1", 64, true)).jobs()).isEmpty();
        set(Lane.NORMAL, false);

        assertThat(await(queue.fetch(SHARD, "w.2", 64, true)).jobs())
                .extracting(ClaimedJob::line)
                .containsExactly("0 0 1 a.1", "0 0 2 b.1", "0 0 1000 fan_out.1 " + owner + " 8 0");
    }

    @Test
    void batchesThatWereClaimedBeforeEndAndSuspectsRun() {
        state.give("high", "0 0 1 a.1");
        state.give("suspect", "1 0 2 b.1");
        Batch before = await(queue.fetch(SHARD, "w.1", 64, false));
        set(Lane.HIGH, true);

        assertThat(await(queue.settle(before, List.of(Outcome.DONE)))).isEqualTo(JobQueue.Settlement.DONE);
        assertThat(await(queue.fetch(SHARD, "w.2", 64, true)).jobs())
                .extracting(ClaimedJob::line)
                .containsExactly("1 0 2 b.1");
    }

    @Test
    void unreachableShardsAreNamedAndTheOthersChange() {
        String wrong = Keys.queueStats(SHARD);
        redis.askAt(wrong, "SET", wrong, "not a hash");

        LanePause.Result result = await(lanes.set(Lane.LOW, true));

        assertThat(result.changed()).isEqualTo(SHARDS - 1);
        assertThat(result.unreached()).containsOnlyKeys(SHARD);
        assertThat(result.unreached().get(SHARD)).contains("WRONGTYPE");
    }

    @CanIgnoreReturnValue
    private int set(Lane lane, boolean paused) {
        LanePause.Result result = await(lanes.set(lane, paused));
        assertThat(result.unreached()).isEmpty();
        return result.changed();
    }
}

package io.fanfare.common.queue;

import static io.fanfare.common.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Shards;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestRedis;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators do with jobs that were given up. */
@ParameterizedClass
@EnumSource(TestRedis.Kind.class)
class DeadLettersTest {
    private static final int SHARD = 2;
    private static final Vertx VERTX = Vertx.vertx();

    private final TestRedis redis;
    private final QueueState state;
    private RedisLink link;
    private DeadLetters letters;

    DeadLettersTest(TestRedis.Kind kind) {
        redis = kind.redis();
        state = new QueueState(redis, SHARD);
    }

    @BeforeEach
    void open() {
        redis.flush();
        link = redis.link(VERTX);
        letters =
                new JobQueue(link, new Shards(4), SettingsLoader.defaultsWith().queue(), () -> 1000).deadLetters();
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
    void replayedLettersStartAnewTheLongestDeadFirst() {
        state.giveDead(5, "because\t3 11 1 a.1 42");
        state.giveDead(7, "because\t0 0 2 b.1");
        state.giveDead(8, "because\t0 0 3 c.1");

        assertThat(await(letters.replay(SHARD, 2))).isEqualTo(2);
        assertThat(state.text()).isEqualTo("""
                normal: 0 0 1000 a.1 42 | 0 0 1000 b.1
                dead: 8 because\t0 0 3 c.1
                stats: replayed=2""");
    }

    @Test
    void lettersThatDoNotDecodeStayAndHoldUpNobody() {
        for (int i = 0; i < DeadLetters.PORTION + 1; i++) {
            state.giveDead(5, "malformed\trubbish " + i);
        }
        state.giveDead(6, "because\t0 0 1 a.1");
        state.giveDead(7, "malformed\trubbish");
        state.giveDead(8, "because\t0 0 2 b.1");

        assertThat(await(letters.replay(SHARD, 2))).isEqualTo(2);
        assertThat(await(letters.replay(SHARD, 2))).isZero();
        assertThat(state.list("normal")).containsExactly("0 0 1000 a.1", "0 0 1000 b.1");
        assertThat(await(letters.page(SHARD, 0, 1000))).hasSize(DeadLetters.PORTION + 2);
    }

    @Test
    void moreThanAPortionIsReplayed() {
        for (int i = 0; i < 2 * DeadLetters.PORTION + 2; i++) {
            state.giveDead(i, "because\t0 0 1 a.1 " + i);
        }

        assertThat(await(letters.replay(SHARD, 2 * DeadLetters.PORTION + 1))).isEqualTo(2 * DeadLetters.PORTION + 1);
        assertThat(state.list("normal"))
                .hasSize(2 * DeadLetters.PORTION + 1)
                .startsWith("0 0 1000 a.1 0", "0 0 1000 a.1 1");
    }

    @Test
    void theNewestOfAllShardsComeFirst() {
        state.giveDead(1_795_251_986_123L, "because\t3 11 1 a.1 42");
        state.giveDead(5, "older\t0 0 1 b.1");
        new QueueState(redis, 0).giveDead(1_795_251_986_122L, "malformed\trub\tbish");

        DeadLetter newest = new DeadLetter(SHARD, 1_795_251_986_123L, "because", "3 11 1 a.1 42");
        DeadLetter next = new DeadLetter(0, 1_795_251_986_122L, "malformed", "rub\tbish");
        DeadLetter last = new DeadLetter(SHARD, 5, "older", "0 0 1 b.1");
        assertThat(await(letters.newest(2))).containsExactly(newest, next);
        assertThat(await(letters.newest(100))).containsExactly(newest, next, last);
        assertThat(await(letters.page(SHARD, 1, 100))).containsExactly(last);
    }

    @Test
    void aListHasABound() {
        assertThatThrownBy(() -> await(letters.newest(DeadLetters.LIST_MAX + 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void droppedLettersAreGoneAndCounted() {
        state.giveDead(5, "because\t0 0 1 a.1");
        state.giveDead(6, "malformed\trubbish");
        state.giveDead(7, "because\t0 0 2 b.1");

        assertThat(await(letters.drop(SHARD, 0))).isZero();
        assertThat(await(letters.drop(SHARD, 2))).isEqualTo(2);
        assertThat(state.text()).isEqualTo("""
                dead: 7 because\t0 0 2 b.1
                stats: dropped=2""");
        assertThat(await(letters.drop(SHARD, 2))).isEqualTo(1);
    }
}

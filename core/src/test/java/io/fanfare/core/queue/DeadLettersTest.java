package io.fanfare.core.queue;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.queue.DeadLetters.Filter;
import io.fanfare.core.queue.DeadLetters.Step;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Operators' actions on jobs that were given up. */
@ParameterizedClass
@KindsOfRedis
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
    void aReplayResetsDeadLettersTheLongestDeadFirst() {
        state.giveDead(5, "because\t3 11 1 a.1 42");
        state.giveDead(7, "because\t0 0 2 b.1");
        state.giveDead(8, "because\t0 0 3 c.1");

        assertThat(replay(Filter.ANY, 0, 2)).isEqualTo(new Step(2, 1, 1, true));
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

        assertThat(replay(Filter.ANY, 0, 2)).isEqualTo(new Step(0, DeadLetters.PORTION, 0, false));
        assertThat(replay(Filter.ANY, DeadLetters.PORTION, 2)).isEqualTo(new Step(2, 2, 0, true));
        assertThat(state.list("normal")).containsExactly("0 0 1000 a.1", "0 0 1000 b.1");
        assertThat(await(letters.page(SHARD, 0, 1000))).hasSize(DeadLetters.PORTION + 2);
    }

    @Test
    void onlyLettersOfTheTypeAndTheAccountAreReplayed() {
        giveEach();

        assertThat(replay(new Filter("link", 8), 0, 9)).isEqualTo(new Step(1, 5, 0, true));
        assertThat(state.list("normal")).containsExactly("0 0 1000 link.1 8 12 2");
        assertThat(replay(new Filter("", 8), 0, 1)).isEqualTo(new Step(1, 4, 1, true));
        assertThat(replay(new Filter("lin", 0), 0, 9).taken()).isZero();
        assertThat(replay(new Filter("", 1), 0, 9).taken()).isZero();
        assertThat(await(letters.page(SHARD, 0, 100))).hasSize(4);
    }

    @Test
    void onlyLettersOfTheTypeAndTheAccountAreDropped() {
        giveEach();

        assertThat(drop(new Filter("link", 0), 0, 1)).isEqualTo(new Step(1, 5, 1, true));
        assertThat(drop(new Filter("link", 0), 0, 9)).isEqualTo(new Step(1, 4, 0, true));
        assertThat(drop(new Filter("", 88), 0, 9)).isEqualTo(new Step(1, 3, 0, true));
        assertThat(await(letters.page(SHARD, 0, 100)))
                .extracting(DeadLetter::job)
                .containsExactly("rubbish", "0 0 1 unlink.1 8 12 4", "0 0 1 fan_out.1 8 12 0");
    }

    @Test
    void aLetterIsFoundByATextOfItsReasonAndByTheWholeLineOfItsJob() {
        giveEach();

        assertThat(replay(new Filter("", 0, "because", "0 0 1 unlink.1 8 12 4"), 0, 9))
                .isEqualTo(new Step(1, 5, 0, true));
        assertThat(replay(new Filter("", 0, "", "0 0 1 unlink.1 8 12"), 0, 9).taken())
                .isZero();
        assertThat(replay(new Filter("", 0, "malformed", ""), 0, 9).taken()).isZero();
        assertThat(drop(new Filter("", 0, "form", "rubbish"), 0, 9)).isEqualTo(new Step(1, 4, 0, true));
        assertThat(drop(new Filter("", 0, "b.c", ""), 0, 9).taken()).isZero();
        assertThat(drop(new Filter("fan_out", 0, "because", ""), 0, 9)).isEqualTo(new Step(2, 2, 0, true));
    }

    @Test
    void aFilterMeansTheSameInAListAsInAScript() {
        giveEach();
        for (Filter filter : List.of(
                Filter.ANY,
                new Filter("link", 0),
                new Filter("", 8),
                new Filter("link", 8),
                new Filter("dance", 0),
                new Filter("", 0, "cause", ""),
                new Filter("", 0, "mal", ""),
                new Filter("link", 0, "mal", ""),
                new Filter("", 0, "", "rubbish"),
                new Filter("", 0, "%a", ""),
                new Filter("", 8, "because", "0 0 1 unlink.1 8 12 4"))) {
            long listed = await(letters.page(SHARD, 0, 100)).stream()
                    .filter(filter::matches)
                    .count();
            assertThat(drop(filter, 0, 0).matching()).as("%s", filter).isEqualTo(listed);
        }
    }

    private void giveEach() {
        state.giveDead(1, "because\t0 0 1 fan_out.1 8 12 0");
        state.giveDead(2, "because\t3 11 1 link.1 8 12 2");
        state.giveDead(3, "because\t0 0 1 link.1 9 8 3");
        state.giveDead(4, "because\t0 0 1 unlink.1 8 12 4");
        state.giveDead(5, "because\t0 0 1 fan_out.1 88 8 0");
        state.giveDead(6, "malformed\trubbish");
    }

    private Step replay(Filter filter, int skip, int take) {
        return await(letters.replay(SHARD, filter, skip, take));
    }

    private Step drop(Filter filter, int skip, int take) {
        return await(letters.drop(SHARD, filter, skip, take));
    }

    @Test
    void aPageHasTheNewestFirst() {
        state.giveDead(1_795_251_986_123L, "because\t3 11 1 a.1 42");
        state.giveDead(5, "malformed\trub\tbish");

        DeadLetter newest = new DeadLetter(SHARD, 1_795_251_986_123L, "because", "3 11 1 a.1 42");
        DeadLetter last = new DeadLetter(SHARD, 5, "malformed", "rub\tbish");
        assertThat(await(letters.page(SHARD, 0, 100))).containsExactly(newest, last);
        assertThat(await(letters.page(SHARD, 0, 1))).containsExactly(newest);
        assertThat(await(letters.page(SHARD, 1, 100))).containsExactly(last);
    }

    @Test
    void aPageHasABound() {
        assertThatThrownBy(() -> await(letters.page(SHARD, 0, DeadLetters.LIST_MAX + 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void droppedLettersAreGoneAndCounted() {
        state.giveDead(5, "because\t0 0 1 a.1");
        state.giveDead(6, "malformed\trubbish");
        state.giveDead(7, "because\t0 0 2 b.1");

        assertThat(drop(Filter.ANY, 0, 0)).isEqualTo(new Step(0, 3, 3, true));
        assertThat(drop(Filter.ANY, 0, 2)).isEqualTo(new Step(2, 1, 1, true));
        assertThat(state.text()).isEqualTo("""
                dead: 7 because\t0 0 2 b.1
                stats: dropped=2""");
        assertThat(drop(Filter.ANY, 0, 2)).isEqualTo(new Step(1, 0, 0, true));
    }
}
